#include "debugger/session/Build.h"

#include "debugger/engine/ExitStatus.h"
#include "llvm/ADT/StringExtras.h"

#include "source/Paths.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::debugger {

static constexpr std::chrono::milliseconds Unnoticed{500};

Progress::Progress(Session& s, std::string title) : session_(s), title_(std::move(title)) {
    if (!s.client.progress) return;
    waiting_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        if (over_.wait_for(lock, Unnoticed, [this] { return isOver_; })) return;
        isTold_ = true;
        session_.eventNow("progressStart", llvm::json::Object{{"progressId", title_}, {"title", title_}});
        session_.connection.flush();
    });
}

Progress::~Progress() {
    if (!waiting_.joinable()) return;
    {
        std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    over_.notify_one();
    waiting_.join();
    if (isTold_) session_.eventNow("progressEnd", llvm::json::Object{{"progressId", title_}});
}

CapturedOutput::CapturedOutput() {
    std::fflush(stdout);
    file_ = memfd_create("output", MFD_CLOEXEC);
    saved_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    if (file_ >= 0) dup2(file_, STDOUT_FILENO);
}

CapturedOutput::~CapturedOutput() {
    std::fflush(stdout);
    if (saved_ >= 0) dup2(saved_, STDOUT_FILENO), close(saved_);
    if (file_ >= 0) close(file_);
}

std::string CapturedOutput::take() {
    std::fflush(stdout);
    std::string text;
    char bytes[4096];
    off_t at = 0;
    while (file_ >= 0) {
        ssize_t n = pread(file_, bytes, sizeof bytes, at);
        if (n <= 0) break;
        text.append(bytes, static_cast<size_t>(n));
        at += n;
    }
    return text;
}

namespace {

/// Where built programs are put: a folder of the user's cache.
std::string cacheFolder() {
    llvm::SmallString<128> path;
    if (!llvm::sys::path::cache_directory(path)) path = "/tmp";
    llvm::sys::path::append(path, "sx", "debug");
    return std::string(path);
}

/// Runs a command to its end. Returns its status and what it wrote to both of its outputs.
std::pair<int, std::string> runCommand(const std::vector<std::string>& command, const std::string& cwd) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return {-1, std::strerror(errno)};
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_t child = fork(); // another thread may be there: nothing is allocated in the child
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        if (chdir(cwd.c_str()) == 0) execv(argv[0], argv.data());
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    char bytes[4096];
    ssize_t n;
    while ((n = read(ends[0], bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0) text.append(bytes, static_cast<size_t>(n));
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) return {-1, std::strerror(errno)};
    return {exitStatus(status), text};
}

} // namespace

Result<std::string> buildExecutable(Session& s, const std::string& file, const std::string& cwd, int optLevel,
                                    bool releaseTraces, const std::string& output) {
    std::string target = output.empty() ? "" : joinPath(cwd, output);
    if (target.empty()) {
        std::string folder = cacheFolder();
        if (std::error_code e = llvm::sys::fs::create_directories(folder))
            return Failure{"cannot make the folder " + code(folder) + ": " + e.message()};
        std::string identity = joinPath(cwd, file) + " " + std::to_string(optLevel) + (releaseTraces ? " traces" : "");
        for (const std::string& test : s.program->options.tests) identity += " " + test;
        for (const std::string& path : s.program->options.libraryPaths) identity += " -L" + path;
        target = folder + "/" + llvm::sys::path::stem(file).str() + "-" + llvm::utohexstr(llvm::xxh3_64bits(identity));
    }
    std::vector<std::string> command{
        s.options.compiler, "build", "-O" + std::to_string(optLevel), "-g", file, "-o", target};
    if (releaseTraces) command.push_back("--release-traces");
    for (const std::string& path : s.program->options.libraryPaths) command.push_back("-L" + path);
    for (const std::string& test : s.program->options.tests) command.push_back("--test=" + test);
    auto [status, text] = [&] {
        Progress told(s, "building the program");
        return runCommand(command, cwd);
    }();
    if (status == 0) return target;
    if (!text.empty()) s.note(asUtf8(text), "stderr");
    return Failure{"building " + code(file) + " failed with exit status " + std::to_string(status)};
}

} // namespace sx::debugger
