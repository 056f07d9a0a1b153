#include "debugger/adapter/Guardian.h"

#include "debugger/engine/ExitStatus.h"
#include "debugger/engine/ProcessFiles.h"

#include "llvm/ADT/STLExtras.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sx::debugger {

namespace {

/// What the system says of a process.
struct Process {
    int parent = -1;              ///< -1: it has ended
    unsigned long long begun = 0; ///< when, in ticks since the system began
};

Process lookAt(int pid) {
    ProcessStatus status(pid);
    if (!status.isThere() || status.isZombie()) return {};
    return {static_cast<int>(status.number(ProcessStatus::Parent)), status.number(ProcessStatus::Begun)};
}

/// A process that is to live on, with its children. A launched program keeps, too, what it has started that has left it
/// since: what has no parent but the guardian and began after it.
struct Spared {
    int pid = 0;
    unsigned long long begun = 0; ///< of a launched program; 0: it was attached to

    /// A tick is long enough for a program to begin and leave a daemon: within it numbers tell what was first. They
    /// grow, and start again from the lowest.
    bool keeps(int other, const Process& process) const {
        constexpr int MostInTick = 10'000;
        if (begun == 0 || process.begun != begun) return begun != 0 && process.begun > begun;
        return other > pid || pid - other > MostInTick;
    }
};

std::map<int, Process> allProcesses() {
    std::map<int, Process> all;
    DIR* folder = opendir("/proc");
    while (dirent* entry = folder ? readdir(folder) : nullptr)
        if (int pid = std::atoi(entry->d_name); pid > 0) all[pid] = lookAt(pid);
    if (folder) closedir(folder);
    return all;
}

/// Processes below this one, but for those that are spared and what they started.
std::vector<int> descendants(const std::vector<Spared>& spared) {
    std::map<int, Process> all = allProcesses();
    std::vector<int> found;
    for (auto [pid, process] : all) {
        int at = pid, below = pid;
        bool isSpared = false;
        for (int steps = 0; at > 1 && at != getpid() && steps < 1000; ++steps) {
            isSpared |= llvm::any_of(spared, [at](const Spared& s) { return s.pid == at; });
            auto up = all.find(at);
            below = at;
            at = up == all.end() ? -1 : up->second.parent;
        }
        isSpared |= llvm::any_of(spared, [&, below](const Spared& s) { return s.keeps(below, all[below]); });
        if (at == getpid() && pid != getpid() && !isSpared) found.push_back(pid);
    }
    return found;
}

void killAll(const std::vector<Spared>& spared) {
    for (int round = 0; round < 200; ++round) {
        std::vector<int> left = descendants(spared);
        if (left.empty()) return;
        for (int pid : left) kill(pid, SIGKILL);
        while (waitpid(-1, nullptr, WNOHANG) > 0) {}
        usleep(1000);
    }
}

/// Adds what has arrived on the pipe of spared processes.
void readSpared(int pipe, std::vector<Spared>& spared) {
    Spared one;
    while (read(pipe, &one, sizeof one) == sizeof one) spared.push_back(one);
}

/// The guardian's own work: waits for the end of one or the other, then cleans up.
int guard(int life, int spares, int worker) {
    constexpr std::chrono::seconds Patience{5}; // for a program that has to be let go of
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    std::vector<Spared> spared;
    int code = 1;
    std::optional<std::chrono::steady_clock::time_point> end; // of waiting for the worker
    for (bool ended = false; !ended && (!end || std::chrono::steady_clock::now() < *end);) {
        pollfd all[] = {{signals, POLLIN, 0}, {life, POLLIN, 0}};
        ::poll(all, end ? 1 : 2, end ? 50 : 1000);
        char byte;
        if (!end && (all[1].revents & (POLLIN | POLLHUP)) && read(life, &byte, 1) == 0)
            end = std::chrono::steady_clock::now() + Patience;
        signalfd_siginfo info;
        while (read(signals, &info, sizeof info) > 0) {}
        int status = 0;
        for (int pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
            if (pid != worker) continue;
            ended = true;
            code = exitStatus(status);
        }
    }
    readSpared(spares, spared);
    killAll(spared);
    return code;
}

} // namespace

int startGuarded(int life, const GuardedWork& work) {
    int guardian = fork();
    if (guardian != 0) return guardian;

    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setpgid(0, 0); // signals from a terminal are for the process that the client started
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, nullptr);
    int spares[2];
    if (pipe2(spares, O_CLOEXEC | O_NONBLOCK) != 0) _exit(1);
    int worker = fork();
    if (worker == 0) {
        close(spares[0]);
        sigprocmask(SIG_UNBLOCK, &children, nullptr);
        int code = work(life, [end = spares[1]](int pid, bool isLaunched) {
            Spared one{pid, isLaunched ? lookAt(pid).begun : 0};
            if (write(end, &one, sizeof one) < 0) return; // the guardian is gone, and with it whoever would kill
        });
        std::fflush(stdout); // of other files a thread that was left alone may hold the lock
        _exit(code);
    }
    close(spares[1]);
    // The client's pipes are the worker's alone: their other ends see when it closes them.
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int d : {STDIN_FILENO, STDOUT_FILENO}) dup2(null, d);
    for (int d = 3; d < 256; ++d)
        if (d != life && d != spares[0]) close(d);
    if (worker < 0) _exit(1);
    _exit(guard(life, spares[0], worker));
}

int waitFor(int pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return 1;
    return exitStatus(status);
}

} // namespace sx::debugger
