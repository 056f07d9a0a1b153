#include "debugger/session/Build.h"

#include "debugger/engine/ExitStatus.h"
#include "debugger/session/LongWork.h"
#include "llvm/ADT/StringExtras.h"

#include "source/Paths.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sx::debugger {

namespace {

/// The check of a program by a thread, which may outlive the wish for it.
struct ProgramCheck {
    explicit ProgramCheck(const ProgramOptions& options)
        : program(std::make_unique<Program>(options)), done(eventfd(0, EFD_CLOEXEC)) {}
    ~ProgramCheck() { close(done); }
    ProgramCheck(const ProgramCheck&) = delete;

    std::unique_ptr<Program> program;
    bool ok = false;
    int done; ///< readable when it is over
};

} // namespace

bool checkProgram(Session& s, const ProgramOptions& options, std::unique_ptr<Program>& made) {
    auto check = std::make_shared<ProgramCheck>(options);
    std::thread thread([check] {
        check->ok = check->program->check();
        eventfd_write(check->done, 1);
    });
    LongWork work(s, "compiling the program");
    if (s.waitFor(work, check->done) == Waited::Ready) {
        thread.join();
        made = std::move(check->program);
        return check->ok;
    }
    check->program->abandon();
    thread.detach();
    made = nullptr;
    return false;
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

/// Starts a command as a group of processes of its own. Both of its outputs are written to `output`. Returns its
/// number; below 0: it could not be started.
pid_t startCommand(const std::vector<std::string>& command, const std::string& cwd, int output) {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_t child = fork(); // another thread may be there: nothing is allocated in the child
    if (child != 0) return child;
    setpgid(0, 0);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (chdir(cwd.c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
}

/// Runs a command to its end, while the session goes on. Returns its status and what it wrote; nothing: the client
/// wants the end of it.
std::optional<std::pair<int, std::string>> runCommand(Session& s, const std::vector<std::string>& command,
                                                      const std::string& cwd) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return std::pair(-1, std::string(std::strerror(errno)));
    pid_t child = startCommand(command, cwd, ends[1]);
    close(ends[1]);
    LongWork work(s, "building the program");
    std::string text;
    char bytes[4096];
    ssize_t n = 1;
    bool isWanted = true;
    while (n > 0 && (isWanted = s.waitFor(work, ends[0]) == Waited::Ready)) {
        do n = read(ends[0], bytes, sizeof bytes);
        while (n < 0 && errno == EINTR);
        if (n > 0) text.append(bytes, static_cast<size_t>(n));
    }
    close(ends[0]);
    if (!isWanted && child > 0) kill(-child, SIGKILL);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) return std::pair(-1, std::string(std::strerror(errno)));
    if (!isWanted) return std::nullopt;
    return std::pair(exitStatus(status), text);
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
    auto built = runCommand(s, command, cwd);
    if (!built) return Failure{Cancelled};
    auto& [status, text] = *built;
    if (status == 0) return target;
    if (!text.empty()) s.note(asUtf8(text), "stderr");
    return Failure{"building " + code(file) + " failed with exit status " + std::to_string(status)};
}

} // namespace sx::debugger
