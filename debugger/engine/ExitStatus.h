// How a process has ended, as a shell tells it.
#pragma once

#include <sys/wait.h>

namespace sx::debugger {

/// The exit status of what `waitpid` gave; 128 + N for signal N.
inline int exitStatus(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

} // namespace sx::debugger
