// The tests of one file, in a process that compiles it once and forks for each of them.
#pragma once

#include "driver/TestFiles.h"
#include "driver/TestProcess.h"

#include <sys/types.h>

namespace sx::driver {

/// Limits how many processes of one `sx test` are busy: a pipe with a byte for each that may be.
class TestSlots {
public:
    static Result<TestSlots> make(uint64_t count);

    int waitEnd() const { return ends_[0]; } ///< readable while one is free, or was a moment ago
    bool tryTake() const;
    void take() const; ///< waits
    void give() const;

private:
    int ends_[2] = {-1, -1};
};

/// A worker, as the process that has started it sees it.
class TestWorker {
public:
    /// Forks. Fails if there can be no further process.
    static Result<TestWorker> start(const Invocation&, const TestFile&, const TestSlots&);

    int messageEnd() const { return messages_; } ///< -1: it has ended
    /// Takes what it has to tell, without waiting.
    void read();

    bool isCompiled() const { return isCompiled_; }
    /// What was printed while the file was compiled, once that is over.
    const std::string& diagnostics() const { return diagnostics_; }
    /// In the order in which they ended.
    const std::vector<TestResult>& results() const { return results_; }
    /// Why it stopped before its time; "" if it did not.
    const std::string& problem() const { return problem_; }

private:
    void end();
    /// Takes the first whole message off what was read.
    bool takeMessage();

    pid_t pid_ = -1;
    int messages_ = -1, printed_ = -1;
    int* slotsHeld_ = nullptr; ///< shared with it
    const TestSlots* slots_ = nullptr;
    std::string bytes_; ///< read and not yet understood
    bool isCompiled_ = false, isDone_ = false;
    std::string diagnostics_, problem_;
    std::vector<TestResult> results_;
};

} // namespace sx::driver
