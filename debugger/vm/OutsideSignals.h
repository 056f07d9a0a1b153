// Signals that would end a program and are no faults: its debugger is told of them instead.
#pragma once

#include "debugger/engine/Engine.h"

#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sx::debugger {

/// One that was sent to this process.
struct SeenSignal {
    int signal = 0;
    Stop::Sender sender{};
    /// The thread of the program that has sent it to itself, and has stopped the program there; 0: it is to be stopped.
    ThreadId thread = 0;
};

struct SignalWatcher {
    /// In the handler of a signal that the program has sent itself: where this thread can stop the program, it does so,
    /// calls the function with its id, stands until the program goes on, and returns true.
    std::function<bool(const std::function<void(ThreadId)>&)> standing;
    /// In the handler of such a signal, before: true where it was for somebody else, and the program does not get it.
    std::function<bool(const siginfo_t&)> taken;
    /// On a thread of its own.
    std::function<void(const SeenSignal&)> seen;
};

/// From now on signals that would end this process, and that the program does not see to itself, go to `watcher`. To be
/// called once. Signals of faults of which the runtime tells are not among them (`tellFault`), nor SIGKILL.
void watchSignals(SignalWatcher watcher);

/// In the handler of a signal that says of a fault, and that another process has sent: it goes to the watcher as well.
/// False: this process has none, and the signal is left to whoever has the handler.
bool tellFault(const siginfo_t&);

/// `signal` and `sigaction` for the program, which sees none of this: what is watched has no handler.
std::vector<std::pair<std::string, void*>> signalFunctions();

/// Until the watcher has been told of all that have come. Not for the watcher.
void awaitSeen();

/// The program has the default for the signal, as if it had asked for that.
void resetSignal(int signal);

/// They end the process again, as they would without a debugger.
void leaveSignals();

/// Output that nobody reads any more does not end the process, unless the program sees to that itself.
void outliveReader();

/// Ends the process by a signal, if the program does not see to it.
void endBySignal(int signal);

} // namespace sx::debugger
