// Stops at what happens to errors, and at panics.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// The program's code keeps traces of errors, or has no errors: the linker leaves out what nothing calls.
bool callsTraces(const Native&);
/// The stop at an error that a filter wants, where a thread stands.
std::optional<Stop> errorStop(Native&, const ThreadStop&);
/// The same of what has happened to an error right before, by code at which the thread still stands then.
std::optional<Stop> errorStopBefore(Native&, const ThreadStop&);
std::optional<Stop> panicStop(Native&, const ThreadStop&);
/// The thread has panicked, and ends the program.
bool isPanicking(Native&, SystemThread);
/// The stop for a core file of a thread that has panicked, if the program has noted why.
std::optional<Stop> panicOfCore(Native&, const ThreadStop&);
/// A fault at the end of the thread's stack; the stop that tells it, if panics are to be told.
bool isStackOverflow(Native&, const ThreadStop&);
std::optional<Stop> panicAtOverflow(Native&, const ThreadStop&);

} // namespace sx::debugger::native
