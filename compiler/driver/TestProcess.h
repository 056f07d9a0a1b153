// One test in a process of its own.
#pragma once

#include "codegen/Codegen.h"

#include <chrono>
#include <csignal>
#include <string>
#include <sys/types.h>
#include <vector>

struct sx_test_outcome;

namespace sx::driver {

enum class TestStatus : uint8_t { Passed, Failed, Skipped };

struct TestResult {
    size_t index = 0; ///< of the test in its file
    TestStatus status = TestStatus::Failed;
    std::string reason; ///< why it did not pass: one line
    double seconds = 0;
    std::string output; ///< stdout and stderr; the middle is left out where it is very long
};

/// Output of a test as it comes, of which the beginning and the end are kept.
class TestOutput {
public:
    void append(const char* bytes, size_t count);
    std::string text() const;

private:
    static constexpr size_t Kept = 256 * 1024; ///< bytes, at either end
    std::string head_, tail_;
    size_t dropped_ = 0;
};

/// A running test. It belongs to a process group of its own, which is killed when the test ends.
class TestProcess {
public:
    /// Forks and runs the test. `outcome` lies in memory that is shared with the child; `mask` are the signals that the
    /// child blocks. Fails if there can be no further process.
    static Result<TestProcess> start(const codegen::LoadedProgram&, const std::string& file, size_t index,
                                     sx_test_outcome* outcome, const sigset_t& mask);

    int outputEnd() const { return output_; } ///< the descriptor to wait for; -1: nothing more comes
    size_t index() const { return index_; }
    /// Reads what there is, without waiting.
    void read();
    /// Whether it is over: then what is left of its output has been read.
    bool hasEnded();
    /// Seconds since it began.
    double seconds() const;
    /// Ends it because its time is over.
    void kill();
    /// What came of it, once it has ended. `limit`: the seconds that it may take.
    TestResult result(uint64_t limit) const;

private:
    [[noreturn]] static void runHere(const codegen::LoadedProgram&, const std::string& file, int output,
                                     const sigset_t& mask);
    std::string reasonOf(const std::string& output, uint64_t limit) const;

    size_t index_ = 0;
    pid_t pid_ = -1;
    int output_ = -1;
    int status_ = 0; ///< of waitpid
    bool isTimedOut_ = false;
    std::chrono::steady_clock::time_point start_;
    double seconds_ = 0; ///< once it has ended
    const sx_test_outcome* outcome_ = nullptr;
    TestOutput text_;
};

} // namespace sx::driver
