// The process of a program that the interpreter runs.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/program/Program.h"

#include <optional>

namespace sx::debugger {

struct VmProcess {
    int pid = -1;     ///< of a child of this process; -1: it is none
    int number = 0;   ///< the same of one that is no child, as far as it is known; 0: it is not
    int control = -1; ///< socket: questions and answers
    int events = -1;  ///< socket: what the agent tells by itself
    int exit = -1;    ///< readable when the process has ended
};

/// Forks. The child has the streams, the folder and the environment of the request, and waits for Command::Run.
Result<VmProcess> startVmProcess(Program&, const StartRequest&);

/// Closes what connects to a process. One that waits for Command::Run in the client's terminal ends then.
void closeConnections(const VmProcess&);

/// The exit status of a process that is ending and of no concern to this one, as long as its parent has not asked for
/// it. Waits a moment for the end; nothing: it is gone, or goes on.
std::optional<int> statusOfZombie(int pid);

} // namespace sx::debugger
