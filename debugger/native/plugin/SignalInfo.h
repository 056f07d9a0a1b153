// What the system says of a signal that has stopped a thread.
#pragma once

#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <csignal>
#include <string>

namespace sx::debugger::native {

/// Of siginfo_t. All are 0 where the system does not say it.
struct SignalInfo {
    int signal = 0;
    int code = 0;   ///< `si_code`
    int sender = 0; ///< `si_pid`
    siginfo_t all{};

    /// By a process, or by the thread itself; not by the system.
    bool isSent() const;
};

/// To be asked for on one thread at a time, while the program stands still.
SignalInfo signalInfoOf(lldb::SBProcess&, lldb::SBThread&);

/// A thread of the process is about to be told of a signal, when it runs.
bool hasWaitingSignals(int process);
/// This thread is, of this signal.
bool isWaiting(int process, SystemThread, int signal);

/// What lldb's server answers to a packet; empty: there is no such server, or it says nothing.
std::string askServer(lldb::SBProcess&, const std::string& packet);

/// Where the signal came from. One of another number says nothing of it.
void setOrigin(ThreadStop&, const SignalInfo&);

} // namespace sx::debugger::native
