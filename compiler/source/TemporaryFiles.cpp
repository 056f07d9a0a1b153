#include "source/TemporaryFiles.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx {

namespace {

using Kind = EndedWithProcess::Kind;

/// What a signal handler may read at any time: its place is never given back.
struct Entry {
    std::atomic<Kind> kind{Kind::None};
    pid_t program = 0;
    char path[PATH_MAX] = {};
};

constexpr int MostEntries = 64;
constexpr int EndingSignals[] = {SIGHUP, SIGINT, SIGTERM};

Entry entries[MostEntries];
int used = 0;                             ///< entries
bool isHandled[std::size(EndingSignals)]; ///< by `endProcess`
pid_t owner = 0;                          ///< a child that is forked off owns none of it
std::mutex guard;                         ///< of the above, for all but the handler

// ---- in the handler: nothing but system calls

/// Deletes a folder and the files in it.
void removeFolder(const char* path) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    alignas(dirent64) char buffer[4096];
    // A round that deletes may make the next one skip: until there is none left, but not for ever.
    for (int round = 0; round < 16; ++round) {
        bool found = false;
        lseek(folder, 0, SEEK_SET);
        for (long bytes; (bytes = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;)
            for (long at = 0; at < bytes;) {
                const auto* file = reinterpret_cast<const dirent64*>(buffer + at);
                at += file->d_reclen;
                found |= unlinkat(folder, file->d_name, 0) == 0;
            }
        if (!found) break;
    }
    close(folder);
    rmdir(path);
}

/// Ends a program, which has a second to tidy up, and those that it has started.
void endProgram(pid_t program, int signal) {
    kill(-program, signal);
    for (int waited = 0; waited < 100 && waitpid(program, nullptr, WNOHANG) == 0; ++waited) {
        const timespec pause{0, 10'000'000};
        nanosleep(&pause, nullptr);
    }
    kill(-program, SIGKILL);
}

void endAll(Kind kind, int signal) {
    for (Entry& e : entries) {
        if (e.kind.load(std::memory_order_acquire) != kind) continue;
        if (kind == Kind::Program) endProgram(e.program, signal);
        else if (kind == Kind::Folder) removeFolder(e.path);
        else unlink(e.path);
    }
}

void endProcess(int signal) {
    if (getpid() == owner)
        for (Kind kind : {Kind::Program, Kind::File, Kind::Folder}) endAll(kind, signal);
    // The default action, which this was put in place of; the signal is not blocked here.
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
    raise(signal);
}

// ---- where the handler is in place

bool isAction(int signal, void (*handler)(int)) {
    struct sigaction now {};
    return sigaction(signal, nullptr, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == handler;
}

void setAction(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_NODEFER | SA_RESTART;
    sigaction(signal, &action, nullptr);
}

/// LLVM may put its own handlers in front, which call those before them: then this one stays behind.
void handleSignals(bool wanted) {
    for (size_t i = 0; i < std::size(EndingSignals); ++i) {
        const int signal = EndingSignals[i];
        if (wanted == isHandled[i] || !isAction(signal, wanted ? SIG_DFL : endProcess)) continue;
        setAction(signal, wanted ? endProcess : SIG_DFL);
        isHandled[i] = wanted;
    }
}

/// While it lives no signal comes: between something and the note of it.
class SignalsWait {
public:
    SignalsWait() {
        sigset_t ending;
        sigemptyset(&ending);
        for (int signal : EndingSignals) sigaddset(&ending, signal);
        pthread_sigmask(SIG_BLOCK, &ending, &before);
    }
    ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    SignalsWait(const SignalsWait&) = delete;

    sigset_t before; ///< what waited before
};

} // namespace

EndedWithProcess::EndedWithProcess(Kind kind, const std::string& path, pid_t program) : maker_(getpid()) {
    const std::lock_guard lock(guard);
    if (path.size() >= PATH_MAX) return;
    if (owner != maker_) { // what a parent has is its own
        for (Entry& e : entries) e.kind = Kind::None;
        used = 0;
        owner = maker_;
    }
    for (int i = 0; i < MostEntries && entry_ < 0; ++i)
        if (entries[i].kind == Kind::None) entry_ = i;
    if (entry_ < 0) return;
    Entry& e = entries[entry_];
    std::memcpy(e.path, path.c_str(), path.size() + 1);
    e.program = program;
    e.kind.store(kind, std::memory_order_release);
    if (used++ == 0) handleSignals(true);
}

EndedWithProcess::~EndedWithProcess() {
    const std::lock_guard lock(guard);
    if (entry_ < 0 || !isOfThisProcess()) return;
    entries[entry_].kind.store(Kind::None, std::memory_order_release);
    if (--used == 0) handleSignals(false);
}

bool EndedWithProcess::isOfThisProcess() const { return maker_ == getpid(); }

// ---- what goes when it is done with

TemporaryFile::~TemporaryFile() {
    if (end_.isOfThisProcess()) unlink(path_.c_str());
}

TemporaryFolder::TemporaryFolder() {
    std::error_code ec;
    std::string path = std::filesystem::temp_directory_path(ec).string() + "/sx-link-XXXXXX";
    const SignalsWait wait;
    if (!ec && mkdtemp(path.data())) {
        path_ = std::move(path);
        end_.emplace(Kind::Folder, path_);
    }
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ec;
    if (end_ && end_->isOfThisProcess()) std::filesystem::remove_all(path_, ec);
}

Result<void> TemporaryFolder::write(const std::string& path, std::string_view content) const {
    FILE* file = path_.empty() ? nullptr : std::fopen(path.c_str(), "wbe");
    bool ok = file && std::fwrite(content.data(), 1, content.size(), file) == content.size();
    if (file && std::fclose(file) != 0) ok = false;
    if (ok) return {};
    const char* reason = path_.empty() ? "there is no folder for temporary files" : std::strerror(errno);
    return Failure{"cannot write the linker's input " + code(path) + ": " + reason};
}

int runProgram(const std::string& path, char* const argv[], const std::string& output) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::optional<SignalsWait> wait(std::in_place);
    posix_spawnattr_setsigmask(&attributes, &wait->before);
    pid_t child = 0;
    const int failed = posix_spawn(&child, path.c_str(), &files, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (failed) return errno = failed, -1;
    const EndedWithProcess end(Kind::Program, "", child);
    wait.reset();
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

} // namespace sx
