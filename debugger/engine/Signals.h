// Signals at which a debugged program stops, whatever engine runs it.
#pragma once

#include <algorithm>
#include <csignal>
#include <iterator>

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

} // namespace sx::debugger
