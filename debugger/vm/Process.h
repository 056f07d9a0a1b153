// The process of a program that the interpreter runs.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/program/Program.h"

namespace sx::debugger {

struct VmProcess {
    int pid = -1;
    int control = -1; ///< socket: questions and answers
    int events = -1;  ///< socket: what the agent tells by itself
    int exit = -1;    ///< readable when the process has ended
};

/// Forks. The child has the streams, the folder and the environment of the request, and waits for Command::Run.
Result<VmProcess> startVmProcess(Program&, const StartRequest&);

} // namespace sx::debugger
