// Signals for which the program has handlers of its own: they run only where a thread of the program can run code.
#pragma once

#include <csignal>
#include <functional>
#include <ucontext.h>

namespace sx::debugger {

/// From now on `isKept` is asked before each handler runs, in its signal, with what the system says of that; true: it
/// does not run now, and the signal comes again. To be called once, before the program sets a handler.
void keepHandledSignals(std::function<bool(const siginfo_t&, ucontext_t&)> isKept);

/// `sigaction` for the program: what it sets and gets are its own handlers. `instead` is set in place of `now`, as it
/// is; null: nothing is.
int setHandledAction(int signal, const struct sigaction* now, struct sigaction* before,
                     const struct sigaction* instead = nullptr);

} // namespace sx::debugger
