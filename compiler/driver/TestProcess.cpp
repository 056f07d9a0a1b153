#include "driver/TestProcess.h"

#include "source/Signals.h"

#include "test.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::driver {

// ---- output

void TestOutput::append(const char* bytes, size_t count) {
    const size_t toHead = std::min(count, Kept - head_.size());
    head_.append(bytes, toHead);
    tail_.append(bytes + toHead, count - toHead);
    if (tail_.size() <= 2 * Kept) return;
    dropped_ += tail_.size() - Kept;
    tail_.erase(0, tail_.size() - Kept);
}

std::string TestOutput::text() const {
    if (dropped_ == 0) return head_ + tail_;
    return head_ + "\n[" + std::to_string(dropped_) + " bytes are left out]\n" + tail_;
}

// ---- the child

void TestProcess::runHere(const codegen::LoadedProgram& program, const std::string& file, int output,
                          const sigset_t& mask) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    std::exit(program({file}));
}

Result<TestProcess> TestProcess::start(const codegen::LoadedProgram& program, const std::string& file, size_t index,
                                       sx_test_outcome* outcome, const sigset_t& mask) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return Failure{"cannot make a pipe: " + std::string(std::strerror(errno))};
    std::fflush(nullptr);
    TestProcess started;
    started.index_ = index;
    started.outcome_ = outcome;
    started.start_ = std::chrono::steady_clock::now();
    started.pid_ = fork();
    if (started.pid_ == 0) {
        sx_test_choose(static_cast<int64_t>(index), outcome);
        runHere(program, file, ends[1], mask);
    }
    const int problem = errno;
    close(ends[1]);
    if (started.pid_ < 0) {
        close(ends[0]);
        return Failure{"cannot start a process: " + std::string(std::strerror(problem))};
    }
    setpgid(started.pid_, started.pid_); // both do it, so it is done before either goes on
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    started.output_ = ends[0];
    return started;
}

// ---- the parent

void TestProcess::read() {
    constexpr int Rounds = 64; // a test that writes without an end has its time limit all the same
    char buffer[16384];
    for (int i = 0; i < Rounds && output_ >= 0; ++i) {
        const ssize_t n = ::read(output_, buffer, sizeof buffer);
        if (n > 0) {
            text_.append(buffer, static_cast<size_t>(n));
            continue;
        }
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        close(output_);
        output_ = -1;
    }
}

bool TestProcess::hasEnded() {
    if (waitpid(pid_, &status_, WNOHANG) == 0) return false;
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    ::kill(-pid_, SIGKILL); // what it has started and left behind
    read();
    if (output_ >= 0) close(output_);
    output_ = -1;
    return true;
}

double TestProcess::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void TestProcess::kill() {
    isTimedOut_ = true;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
}

// ---- what came of it

namespace {

/// The last line that begins so, without its end; "" if there is none.
std::string lineWith(const std::string& text, const std::string& start) {
    size_t at = text.rfind("\n" + start);
    if (at != std::string::npos) ++at;
    else if (text.compare(0, start.size(), start) == 0) at = 0;
    else return "";
    return text.substr(at, text.find('\n', at) - at);
}

std::string signalText(int signal) {
    const std::string name = signalName(signal);
    return "ended by signal " + std::to_string(signal) + (name.starts_with("SIG") ? " (" + name + ")" : "");
}

} // namespace

std::string TestProcess::reasonOf(const std::string& output, uint64_t limit) const {
    if (isTimedOut_) return "timed out after " + std::to_string(limit) + " s";
    if (WIFSIGNALED(status_)) {
        const std::string panic = WTERMSIG(status_) == SIGABRT ? lineWith(output, "panic: ") : "";
        return panic.empty() ? signalText(WTERMSIG(status_)) : panic;
    }
    const std::string status = std::to_string(WEXITSTATUS(status_));
    if (outcome_->state == SX_TEST_UNFINISHED) return "ended the process with status " + status;
    if (outcome_->state == SX_TEST_FAILED) {
        const auto length = std::min<size_t>(static_cast<size_t>(outcome_->error_len), SX_TEST_ERROR_BYTES);
        const std::string error(outcome_->error, length);
        const std::string expectation = error == "ExpectationFailed" ? lineWith(output, "expectation failed at ") : "";
        return expectation.empty() ? "error." + error : expectation;
    }
    if (WEXITSTATUS(status_) != 0) return "returned, then ended the process with status " + status;
    return outcome_->state == SX_TEST_SKIPPED ? lineWith(output, "skipped: ") : "";
}

TestResult TestProcess::result(uint64_t limit) const {
    TestResult result;
    result.index = index_;
    result.seconds = seconds_;
    result.output = text_.text();
    result.reason = reasonOf(result.output, limit);
    const bool isClean = !isTimedOut_ && WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
    if (isClean && outcome_->state == SX_TEST_PASSED) result.status = TestStatus::Passed;
    if (isClean && outcome_->state == SX_TEST_SKIPPED) result.status = TestStatus::Skipped;
    return result;
}

} // namespace sx::driver
