// What the system says of other processes: whether a debugger is there.
#pragma once

namespace sx {

/// The number of the process that traces the process `pid`, as debuggers do; 0: none does, or the system does not tell.
int tracerOf(int pid);

/// The process that a thread is of, by the system's number of the thread, as that of the process itself; 0: there is no
/// such thread.
int processOf(int thread);

} // namespace sx
