// Building an executable for the native engine, and what compiling prints.
#pragma once

#include "debugger/session/Session.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace sx::debugger {

/// Builds a source file with debug information, by the compiler beside the adapter. Returns the path of the executable:
/// `output`, or one in the user's cache.
Result<std::string> buildExecutable(Session&, const std::string& file, const std::string& cwd, int optLevel,
                                    bool releaseTraces, const std::string& output);

/// Work during which this thread sends nothing: if it takes longer than half a second, the client is told of it.
class Progress {
public:
    Progress(Session&, std::string title);
    ~Progress();
    Progress(const Progress&) = delete;

private:
    Session& session_;
    std::string title_;
    bool isOver_ = false, isTold_ = false;
    std::mutex mutex_;
    std::condition_variable over_;
    std::thread waiting_;
};

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
