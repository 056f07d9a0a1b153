// Signals from outside that would end a program: its debugger is told of them instead.
#pragma once

#include <functional>

namespace sx::debugger {

/// From now on signals that would end this process, and that the program does not see to itself, go to `seen`, on a
/// thread of its own. To be called once. Signals of faults are not among them, nor SIGINT, SIGPIPE and SIGKILL.
void watchSignals(std::function<void(int signal)> seen);

/// They end the process again, as they would without a debugger.
void leaveSignals();

/// Output that nobody reads any more does not end the process, unless the program sees to that itself.
void outliveReader();

/// Ends the process by a signal, if the program does not see to it.
void endBySignal(int signal);

} // namespace sx::debugger
