// Breakpoints that a debugger has left in a program's code when it crashed.
#pragma once

namespace sx::debugger {

/// Puts back what the files say of a process's code where a breakpoint instruction stands in memory instead, as far as
/// the system allows that. Code that is in no file stays as it is.
void takeOutBreakpoints(int process);

} // namespace sx::debugger
