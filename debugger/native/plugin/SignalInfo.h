// What the system says of a signal that has stopped a thread.
#pragma once

#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

namespace sx::debugger::native {

/// Of siginfo_t. All are 0 where the system does not say it.
struct SignalInfo {
    int signal = 0;
    int code = 0;   ///< `si_code`
    int sender = 0; ///< `si_pid`

    /// By a process, or by the thread itself; not by the system.
    bool isSent() const;
};

/// To be asked for on one thread at a time, while the program stands still.
SignalInfo signalInfoOf(lldb::SBProcess&, lldb::SBThread&);

/// Where the signal came from. One of another number says nothing of it.
void setOrigin(ThreadStop&, const SignalInfo&);

} // namespace sx::debugger::native
