#include "debugger/native/engine/HardwareWatch.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::debugger::native {

namespace {

alignas(8) volatile uint64_t written; ///< by the process that is watched

/// Waits for what a process does next. -1: it cannot be told.
int statusOf(pid_t process) {
    int status = 0;
    pid_t done;
    do done = waitpid(process, &status, __WALL);
    while (done < 0 && errno == EINTR);
    return done == process ? status : -1;
}

bool setRegister(pid_t process, size_t number, uint64_t value) {
    size_t at = offsetof(user, u_debugreg) + number * sizeof(uint64_t);
    return ptrace(PTRACE_POKEUSER, process, at, value) == 0;
}

bool stopsAtWrite(pid_t process) {
    constexpr uint64_t EnabledForEightBytesWritten = 0x90001; // of register 0
    if (int status = statusOf(process); status < 0 || !WIFSTOPPED(status)) return false;
    bool isSet = setRegister(process, 0, reinterpret_cast<uint64_t>(&written)) &&
                 setRegister(process, 7, EnabledForEightBytesWritten);
    if (!isSet || ptrace(PTRACE_CONT, process, 0, 0) != 0) return false;
    int status = statusOf(process);
    return status >= 0 && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
}

bool tried() {
    pid_t process = fork();
    if (process == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        kill(getpid(), SIGSTOP);
        written = 1;
        _exit(0);
    }
    if (process < 0) return false;
    bool stops = stopsAtWrite(process);
    kill(process, SIGKILL);
    int status = 0;
    while (waitpid(process, &status, __WALL) > 0 && !WIFEXITED(status) && !WIFSIGNALED(status)) {}
    return stops;
}

} // namespace

bool hardwareWatches() {
    const char* wish = std::getenv("SX_HARDWARE_WATCHES");
    static const bool stops = (!wish || std::string_view(wish) != "off") && tried();
    return stops;
}

std::vector<AddressPiece> alignedPieces(uint64_t address, uint64_t size) {
    std::vector<AddressPiece> pieces;
    while (size > 0) {
        uint64_t most = 8;
        while (address % most != 0 || most > size) most /= 2;
        pieces.push_back({address, most});
        address += most;
        size -= most;
    }
    return pieces;
}

} // namespace sx::debugger::native
