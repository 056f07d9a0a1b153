// Signals at which a debugged program stops, whatever engine runs it.
#pragma once

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

namespace sx::debugger {

/// Those that others send, and that end a program which has no handler for them. So do all real-time signals.
inline constexpr int EndingSignals[] = {SIGHUP,    SIGQUIT, SIGTERM, SIGUSR1,   SIGUSR2, SIGALRM, SIGXCPU,
                                        SIGVTALRM, SIGPROF, SIGIO,   SIGSTKFLT, SIGPWR,  SIGPIPE, SIGXFSZ};

/// Those that say that the program is broken.
inline constexpr int FaultSignals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGSYS, SIGTRAP};

inline bool endsFromOutside(int signal) {
    bool isRealTime = signal >= SIGRTMIN && signal <= SIGRTMAX;
    return isRealTime ||
           std::find(std::begin(EndingSignals), std::end(EndingSignals), signal) != std::end(EndingSignals);
}

inline bool saysBroken(int signal) {
    return std::find(std::begin(FaultSignals), std::end(FaultSignals), signal) != std::end(FaultSignals);
}

/// A process has a handler for the signal, or ignores it, as the system shows it.
inline bool isExpected(int pid, int signal) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("SigIgn:") && !line.starts_with("SigCgt:")) continue;
        if ((std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0) return true;
    }
    return false;
}

} // namespace sx::debugger
