// The debugger's part in the program's process: it runs the program under the interpreter's debugger, answers the
// session's questions, and tells what happens.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/program/Program.h"
#include "vm/replay/RecordingFile.h"

namespace sx::debugger {

/// `isRemote`: it goes on when the session is gone. Waits for Command::Run, runs the program to its end, and ends the
/// process as the program does. `recordTo`: what enters the program is written there.
[[noreturn]] void runAgent(Program& program, const StartRequest& request, int control, int events,
                           bool isRemote = false, std::unique_ptr<vm::RecordingWriter> recordTo = nullptr);

} // namespace sx::debugger
