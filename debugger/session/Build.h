// Building an executable for the native engine, and what compiling prints.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// Builds a source file with debug information, by the compiler beside the adapter. Returns the path of the executable:
/// `output`, or one in the user's cache.
Result<std::string> buildExecutable(Session&, const std::string& file, const std::string& cwd, int optLevel,
                                    bool releaseTraces, const std::string& output);

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
