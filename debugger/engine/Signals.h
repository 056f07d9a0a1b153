// Signals at which a debugged program stops, whatever engine runs it.
#pragma once

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
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

/// What the system shows of the signals of a process or of one of its threads; bit 0 is signal 1.
struct SignalSets {
    uint64_t waiting = 0; ///< for the thread or for the process
    uint64_t blocked = 0;
    uint64_t expected = 0; ///< there is a handler, or they are ignored
    uint64_t ignored = 0;
};
/// `folder`: `/proc/PID`, or that of a thread. Nothing: it is gone.
inline std::optional<SignalSets> signalSetsOf(const std::string& folder) {
    std::ifstream status(folder + "/status");
    std::optional<SignalSets> sets;
    for (std::string line; std::getline(status, line);) {
        if (!sets) sets.emplace();
        const bool isWaiting = line.starts_with("SigPnd:") || line.starts_with("ShdPnd:");
        const bool isIgnored = line.starts_with("SigIgn:"), isExpected = isIgnored || line.starts_with("SigCgt:");
        if (!isWaiting && !isExpected && !line.starts_with("SigBlk:")) continue;
        const uint64_t set = std::stoull(line.substr(7), nullptr, 16);
        (isWaiting ? sets->waiting : isExpected ? sets->expected : sets->blocked) |= set;
        if (isIgnored) sets->ignored |= set;
    }
    return sets;
}

/// Of a process; empty sets where it is gone.
inline SignalSets signalSetsOf(int pid) { return signalSetsOf("/proc/" + std::to_string(pid)).value_or(SignalSets()); }
inline bool contains(uint64_t set, int signal) { return (set >> (signal - 1) & 1) != 0; }

/// A process has a handler for the signal, or ignores it.
inline bool isExpected(int pid, int signal) { return contains(signalSetsOf(pid).expected, signal); }

} // namespace sx::debugger
