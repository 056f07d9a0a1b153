#include "debugger/vm/Process.h"

#include "debugger/engine/ExitStatus.h"
#include "debugger/engine/ProcessFiles.h"
#include "debugger/engine/Signals.h"
#include "debugger/vm/Agent.h"
#include "debugger/vm/Taping.h"
#include "source/OwnDescriptors.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace sx::debugger {

namespace {

/// Gives the child the descriptors of the request as 0, 1, 2, …, and closes all others but the agent's two and `kept`.
void arrangeDescriptors(const std::vector<int>& stdio, int& control, int& events, int kept) {
    // Out of the way first, so that no copy lands on one that is still needed.
    constexpr int Away = 100;
    control = keepAway(control);
    events = keepAway(events);
    std::vector<int> copies;
    for (int d : stdio) copies.push_back(d < 0 ? -1 : fcntl(d, F_DUPFD, Away));
    for (size_t i = 0; i < copies.size(); ++i) {
        close(static_cast<int>(i));
        if (copies[i] >= 0) dup2(copies[i], static_cast<int>(i));
    }
    for (int d = static_cast<int>(copies.size()); d < 1024; ++d)
        if (d != control && d != events && d != kept) close(d);
}

/// As a program has them that begins: what the adapter does at its own faults is not for it.
void arrangeSignals() {
    signal(SIGPIPE, SIG_DFL);
    for (int fault : FaultSignals) signal(fault, SIG_DFL);
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
}

void arrangeEnvironment(const StartRequest& request) {
    for (const auto& [name, value] : request.environment) {
        if (value) setenv(name.c_str(), value->c_str(), 1);
        else unsetenv(name.c_str());
    }
}

} // namespace

Result<VmProcess> startVmProcess(Program& program, const StartRequest& request) {
    if (access(request.cwd.c_str(), X_OK) != 0)
        return Failure{"the folder " + code(request.cwd) + " cannot be entered: " + std::strerror(errno)};
    int control[2], events[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0) return Failure{std::strerror(errno)};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, events) != 0) return Failure{std::strerror(errno)};
    auto recording = openRecording(program, request);
    if (!recording) return recording.failure();
    std::fflush(nullptr);
    int pid = fork();
    if (pid < 0) return Failure{std::string("cannot start a process: ") + std::strerror(errno)};
    if (pid == 0) {
        setpgid(0, 0);
        arrangeSignals();
        arrangeDescriptors(request.stdio, control[1], events[1], *recording ? (*recording)->descriptor() : -1);
        arrangeEnvironment(request);
        if (chdir(request.cwd.c_str()) != 0) _exit(127);
        runAgent(program, request, control[1], events[1], false, std::move(*recording));
    }
    close(control[1]);
    close(events[1]);
    VmProcess process;
    process.pid = pid;
    process.control = control[0];
    process.events = events[0];
    process.exit = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    return process;
}

void closeConnections(const VmProcess& process) {
    for (int d : {process.control, process.events, process.exit})
        if (d >= 0) close(d);
}

std::optional<int> statusOfZombie(int pid) {
    constexpr std::chrono::milliseconds Pause{2};
    for (int most = 50; pid > 0 && most > 0; --most) {
        ProcessStatus status(pid);
        if (status.isZombie()) return exitStatus(std::atoi(status.fields.back().c_str()));
        if (!status.isThere() || status.fields[ProcessStatus::State] == "X") return std::nullopt;
        std::this_thread::sleep_for(Pause);
    }
    return std::nullopt;
}

} // namespace sx::debugger
