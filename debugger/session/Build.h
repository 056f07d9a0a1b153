// Building an executable for the native engine, and what compiling prints.
#pragma once

#include "debugger/session/Session.h"

#include <memory>
#include <string>

namespace sx::debugger {

/// Builds a source file with debug information, by the compiler beside the adapter. Returns the path of the executable:
/// `output`, or one in the user's cache.
Result<std::string> buildExecutable(Session&, const std::string& file, const std::string& cwd, int optLevel,
                                    bool releaseTraces, const std::string& output);

/// Reads and checks a program in a thread of its own, while the session goes on. `made` is the program then; null: the
/// client wants the end of it. Code that runs while compiling may be in C, and wait there for ever: its thread and the
/// program are left alone then. Returns whether it compiles.
bool checkProgram(Session&, const ProgramOptions&, std::unique_ptr<Program>& made);

/// While it lives, what this process writes to its standard output is kept.
class CapturedOutput {
public:
    CapturedOutput();
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    /// What was written so far.
    std::string take();

private:
    int file_ = -1, saved_ = -1;
};

} // namespace sx::debugger
