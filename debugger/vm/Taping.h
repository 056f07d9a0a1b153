// Programs that are recorded while they are debugged, and recordings that are debugged.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/program/Program.h"
#include "vm/replay/Tape.h"

namespace sx::vm {
struct Recording;
}

namespace sx::debugger {

/// Reads the recording that a program is to be run again from; the request gets what it began with, and `file` is the
/// program where none is given, in the folder `cwd`.
Result<void> readReplay(StartRequest&, std::string& file, std::string& cwd);
/// The options that the program of a recording was compiled with, as words of a command line.
std::vector<std::string> recordedOptions(const StartRequest&);
/// It is a recording of this program, with this sx.
Result<void> expectSameProgram(const Program&, const StartRequest&);
/// Reads the description of further functions of C.
Result<void> readSpec(StartRequest&, const std::string& path);

/// Makes the file of a program that is to be recorded; null: it is not.
Result<std::unique_ptr<vm::RecordingWriter>> openRecording(const Program&, const StartRequest&);
/// In the process of the program: what its calls of C go through; null: nothing. The program gets the environment that
/// was recorded.
std::unique_ptr<vm::Tape> makeTape(const StartRequest&, std::unique_ptr<vm::RecordingWriter>, vm::Recording&);

} // namespace sx::debugger
