// Whether a debugger is there.
#pragma once

namespace sx {

/// The number of the process that traces the process `pid`, as debuggers do; 0: none does, or the system does not tell.
int tracerOf(int pid);

} // namespace sx
