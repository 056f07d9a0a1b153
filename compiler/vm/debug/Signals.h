// Signals that the program handles, while it stands or runs interpreted code: they wait for where a handler can run.
#pragma once

#include "vm/debug/Debugger.h"

#include <csignal>
#include <ucontext.h>

namespace sx::vm {

/// In the handler of a signal for which the program has one of its own: true if this thread keeps it. It comes again,
/// as the system has told of it, where the thread can run a handler: when it goes on, where it branches backwards or
/// calls, or after its call of C. Of signals that the system does not count one waits. False: the handler is to run
/// now. `context`: the third argument of the handler; of signals that count no further one comes to what it is of.
bool keepSignal(Debugger&, const siginfo_t&, ucontext_t& context);

/// The calling thread is one of the program's.
void keepSignals();

/// The process is a copy that this thread has made: it is none of a program that is debugged, and what it has kept is
/// for the program that it is a copy of.
void keepSignalsNoMore();

/// The calling thread has kept some.
bool hasKeptSignals();

/// The thread is about to run the handlers of what it has kept, at a place where it could call C: in no C function.
bool isTakingSignals(const Thread&);

/// While it lives, no signal but those of faults is delivered to this thread, or to those that it creates.
class SignalsBlocked {
public:
    SignalsBlocked();
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

} // namespace sx::vm
