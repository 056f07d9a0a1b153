#include "driver/TestWorker.h"

#include "driver/Job.h"
#include "driver/Report.h"

#include "test.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::driver {

// ---- slots

Result<TestSlots> TestSlots::make(uint64_t count) {
    TestSlots slots;
    if (pipe2(slots.ends_, O_CLOEXEC | O_NONBLOCK) != 0)
        return Failure{"cannot make a pipe: " + std::string(std::strerror(errno))};
    for (uint64_t i = 0; i < count; ++i) slots.give();
    return slots;
}

bool TestSlots::tryTake() const {
    char byte;
    return read(ends_[0], &byte, 1) == 1;
}

void TestSlots::take() const {
    while (!tryTake()) {
        pollfd free = {ends_[0], POLLIN, 0};
        poll(&free, 1, -1);
    }
}

void TestSlots::give() const {
    const char byte = 0;
    while (write(ends_[1], &byte, 1) < 0 && errno == EINTR) {}
}

// ---- messages: a length, then a kind and its parts

namespace {

enum class Message : char { Compiled = 'c', Result = 'r', Done = 'd' };

class Writer {
public:
    explicit Writer(Message kind) : bytes_(1, static_cast<char>(kind)) {}
    template <typename Number> void number(Number n) { bytes_.append(reinterpret_cast<const char*>(&n), sizeof n); }
    void text(const std::string& s) {
        number(s.size());
        bytes_ += s;
    }
    void send(int to) const {
        const size_t length = bytes_.size();
        std::string all(reinterpret_cast<const char*>(&length), sizeof length);
        all += bytes_;
        for (size_t done = 0; done < all.size();) {
            const ssize_t n = write(to, all.data() + done, all.size() - done);
            if (n < 0 && errno != EINTR) return;
            if (n > 0) done += static_cast<size_t>(n);
        }
    }

private:
    std::string bytes_;
};

/// Reads what a Writer of this program has put together.
class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}
    template <typename Number> Number number() {
        Number n;
        std::memcpy(&n, bytes_.data(), sizeof n);
        bytes_.remove_prefix(sizeof n);
        return n;
    }
    std::string text() {
        const auto length = number<size_t>();
        std::string s(bytes_.substr(0, length));
        bytes_.remove_prefix(length);
        return s;
    }

private:
    std::string_view bytes_;
};

template <typename T> T* sharedArray(size_t count) {
    void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}

// ---- the worker's own side

/// In the child.
class FileTests {
public:
    FileTests(const Invocation& in, const TestFile& file, const TestSlots& slots, int messages, int* slotsHeld)
        : in_(in), file_(file), slots_(slots), messages_(messages), slotsHeld_(slotsHeld) {
        in_.file = file.path;
        for (const TestPlace& test : file.tests) in_.tests.push_back(test.name);
    }

    void run() {
        slots_.take();
        ++*slotsHeld_;
        job_ = std::make_unique<Job>(in_);
        const bool isLoaded = job_->load() && !file_.tests.empty();
        std::fflush(nullptr);
        give();
        if (!isLoaded) return;
        outcomes_ = sharedArray<sx_test_outcome>(file_.tests.size());
        if (!outcomes_) return printError("cannot share memory: " + std::string(std::strerror(errno)));
        Writer(Message::Compiled).send(messages_);
        watchChildren();
        while (next_ < file_.tests.size() || !running_.empty()) step();
        Writer(Message::Done).send(messages_);
    }

private:
    void give() {
        --*slotsHeld_;
        slots_.give();
    }

    /// SIGCHLD interrupts the wait in step(), and nothing else.
    void watchChildren() {
        sigset_t child;
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        sigprocmask(SIG_BLOCK, &child, &mask_);
        struct sigaction action {};
        action.sa_handler = [](int) {};
        sigaction(SIGCHLD, &action, nullptr);
    }

    /// Waits for something to happen, and deals with it.
    void step() {
        std::vector<pollfd> ends;
        for (const TestProcess& test : running_)
            if (test.outputEnd() >= 0) ends.push_back({test.outputEnd(), POLLIN, 0});
        if (next_ < file_.tests.size()) ends.push_back({slots_.waitEnd(), POLLIN, 0});
        const timespec patience = untilNextLimit();
        ppoll(ends.data(), ends.size(), in_.testTimeout || running_.empty() ? &patience : nullptr, &mask_);
        for (TestProcess& test : running_) {
            test.read();
            if (in_.testTimeout && test.seconds() >= static_cast<double>(in_.testTimeout)) test.kill();
        }
        for (size_t i = running_.size(); i-- > 0;) {
            if (!running_[i].hasEnded()) continue;
            send(running_[i].result(in_.testTimeout));
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            give();
        }
        if (next_ < file_.tests.size() && slots_.tryTake()) startNext();
    }

    timespec untilNextLimit() const {
        double seconds = 1;
        for (const TestProcess& test : running_)
            seconds = std::min(seconds, std::max(0.001, static_cast<double>(in_.testTimeout) - test.seconds()));
        return {static_cast<time_t>(seconds), static_cast<long>((seconds - static_cast<time_t>(seconds)) * 1e9)};
    }

    void startNext() {
        ++*slotsHeld_;
        Result<TestProcess> test = TestProcess::start(job_->program(), file_.path, next_, &outcomes_[next_], mask_);
        ++next_;
        if (test) {
            running_.push_back(std::move(*test));
            return;
        }
        TestResult failed;
        failed.index = next_ - 1;
        failed.reason = test.error();
        send(failed);
        give();
    }

    void send(const TestResult& result) const {
        Writer message(Message::Result);
        message.number(result.index);
        message.number(result.status);
        message.number(result.seconds);
        message.text(result.reason);
        message.text(result.output);
        message.send(messages_);
    }

    Invocation in_;
    const TestFile& file_;
    const TestSlots& slots_;
    int messages_;
    int* slotsHeld_;
    std::unique_ptr<Job> job_;
    sx_test_outcome* outcomes_ = nullptr;
    sigset_t mask_{}; ///< the signals that tests block
    std::vector<TestProcess> running_;
    size_t next_ = 0;
};

/// A file without a name, that is closed when a program is executed.
int unnamedFile() {
    std::FILE* file = std::tmpfile();
    if (!file) return -1;
    const int fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    std::fclose(file);
    return fd;
}

} // namespace

// ---- the other side

Result<TestWorker> TestWorker::start(const Invocation& in, const TestFile& file, const TestSlots& slots) {
    TestWorker worker;
    int ends[2];
    worker.printed_ = unnamedFile();
    worker.slotsHeld_ = sharedArray<int>(1);
    worker.slots_ = &slots;
    if (worker.printed_ < 0 || !worker.slotsHeld_ || pipe2(ends, O_CLOEXEC) != 0)
        return Failure{"cannot prepare a process: " + std::string(std::strerror(errno))};
    std::fflush(nullptr);
    worker.pid_ = fork();
    if (worker.pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(worker.printed_, STDOUT_FILENO);
        dup2(worker.printed_, STDERR_FILENO);
        FileTests(in, file, slots, ends[1], worker.slotsHeld_).run();
        std::fflush(nullptr);
        _exit(0);
    }
    close(ends[1]);
    worker.messages_ = ends[0];
    if (worker.pid_ < 0) return Failure{"cannot start a process: " + std::string(std::strerror(errno))};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return worker;
}

void TestWorker::read() {
    char buffer[65536];
    while (messages_ >= 0) {
        const ssize_t n = ::read(messages_, buffer, sizeof buffer);
        if (n > 0) {
            bytes_.append(buffer, static_cast<size_t>(n));
            while (takeMessage()) {}
            continue;
        }
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        end();
    }
}

bool TestWorker::takeMessage() {
    size_t length = 0;
    if (bytes_.size() < sizeof length) return false;
    std::memcpy(&length, bytes_.data(), sizeof length);
    if (bytes_.size() - sizeof length < length) return false;
    const std::string message = bytes_.substr(sizeof length, length);
    bytes_.erase(0, sizeof length + length);
    Reader reader(std::string_view(message).substr(1));
    switch (static_cast<Message>(message[0])) {
    case Message::Compiled: isCompiled_ = true; break;
    case Message::Done: isDone_ = true; break;
    case Message::Result: {
        TestResult result;
        result.index = reader.number<size_t>();
        result.status = reader.number<TestStatus>();
        result.seconds = reader.number<double>();
        result.reason = reader.text();
        result.output = reader.text();
        results_.push_back(std::move(result));
        break;
    }
    }
    return true;
}

/// The worker is gone, or about to be.
void TestWorker::end() {
    close(messages_);
    messages_ = -1;
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    for (; *slotsHeld_ > 0; --*slotsHeld_) slots_->give();
    munmap(slotsHeld_, sizeof *slotsHeld_);
    char buffer[65536];
    lseek(printed_, 0, SEEK_SET);
    for (ssize_t n; (n = ::read(printed_, buffer, sizeof buffer)) > 0;)
        diagnostics_.append(buffer, static_cast<size_t>(n));
    close(printed_);
    if (WIFSIGNALED(status)) problem_ = "the compiler was ended by signal " + std::to_string(WTERMSIG(status));
    else if (isCompiled_ && !isDone_) problem_ = "the process that runs the tests ended too early";
}

} // namespace sx::driver
