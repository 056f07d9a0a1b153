#include "debugger/adapter/Guardian.h"

#include "debugger/engine/ExitStatus.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
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

/// The parent of a process; -1: there is none of this id.
int parentOf(int pid) {
    char path[32], line[512];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t n = read(file, line, sizeof line - 1);
    close(file);
    if (n <= 0) return -1;
    line[n] = '\0';
    llvm::StringRef rest = llvm::StringRef(line).rsplit(')').second; // the name may hold anything
    int parent = -1;
    rest.drop_front(3).split(' ').first.getAsInteger(10, parent);
    return rest.size() > 3 && rest[1] != 'Z' ? parent : -1;
}

/// Processes below this one, but for those that are spared and what they started.
std::vector<int> descendants(const std::vector<int>& spared) {
    std::map<int, int> parents;
    DIR* all = opendir("/proc");
    while (dirent* entry = all ? readdir(all) : nullptr) {
        int pid = std::atoi(entry->d_name);
        if (pid > 0) parents[pid] = parentOf(pid);
    }
    if (all) closedir(all);
    std::vector<int> found;
    for (auto [pid, parent] : parents) {
        int at = pid;
        bool isSpared = false;
        for (int steps = 0; at > 1 && at != getpid() && steps < 1000; ++steps) {
            isSpared |= std::find(spared.begin(), spared.end(), at) != spared.end();
            auto up = parents.find(at);
            at = up == parents.end() ? -1 : up->second;
        }
        if (at == getpid() && pid != getpid() && !isSpared) found.push_back(pid);
    }
    return found;
}

void killAll(const std::vector<int>& spared) {
    for (int round = 0; round < 200; ++round) {
        std::vector<int> left = descendants(spared);
        if (left.empty()) return;
        for (int pid : left) kill(pid, SIGKILL);
        while (waitpid(-1, nullptr, WNOHANG) > 0) {}
        usleep(1000);
    }
}

/// Adds the ids that have arrived on the pipe of spared processes.
void readSpared(int pipe, std::vector<int>& spared) {
    int pid;
    while (read(pipe, &pid, sizeof pid) == sizeof pid) spared.push_back(pid);
}

/// The guardian's own work: waits for the end of one or the other, then cleans up.
int guard(int life, int spares, int worker) {
    constexpr std::chrono::seconds Patience{5}; // for a program that has to be let go of
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    std::vector<int> spared;
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
        int code = work(life, [end = spares[1]](int pid) {
            if (write(end, &pid, sizeof pid) < 0) return; // the guardian is gone, and with it whoever would kill
        });
        std::fflush(nullptr);
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
