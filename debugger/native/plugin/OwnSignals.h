// Signals at which a program stands while calls are made in it, and signals that reach it during those.
//
// A call takes the thread from the signal: lldb gives it none when it goes on. So one that the program has sent itself,
// by a fault or by abort(), is dropped then, and what has sent it happens again: else a handler would take it for
// somebody else's. Any other is sent again, with all that the system has said of it.
//
// SIGTRAP and SIGINT that are not sent so do not reach the program: lldb stops and steps by the one, and by the other a
// person interrupts it, unless the program sees to that.
#pragma once

#include "debugger/native/plugin/SignalInfo.h"
#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <map>
#include <set>
#include <vector>

namespace sx::debugger::native {

class OwnSignals {
public:
    /// The program has stopped, and not in a call: says where its signals come from. lldb takes a SIGTRAP that a
    /// process has sent for the end of a step.
    void hear(lldb::SBProcess&, std::vector<ThreadStop>&);
    /// Before a call is made in the program, which stands still: keeps what its threads were to get.
    void willCall(lldb::SBProcess&);

    /// What a signal means that has come during a call.
    enum class InCall : uint8_t {
        None,   ///< there is none; the call goes on
        Passed, ///< the program sees to it, now
        Kept,   ///< the program gets it when it goes on; the call does
        Ends,   ///< the call's code does not live on
    };
    /// The thread has stopped during a call. `isCalled`: on this thread.
    InCall hearInCall(lldb::SBProcess&, lldb::SBThread&, bool isCalled);

    /// Before the program goes on. Returns whether it was sent something.
    bool goOn(lldb::SBProcess&);
    /// Sends what was kept: somebody else may let the program go on. Returns whether there was something.
    bool sendKept(lldb::SBProcess&);

private:
    struct Kept {
        SystemThread thread = 0;
        bool isToThread = false; ///< else it is to the process, whichever thread takes it
        siginfo_t info{};
    };
    void suppress(lldb::SBProcess&, int signal);
    void keep(lldb::SBProcess&, lldb::SBThread&, const SignalInfo&, int signal, bool wasTold);

    bool isHeard_ = false;                ///< since then no call was made
    std::map<SystemThread, int> repeats_; ///< signals of threads that have to come again
    std::vector<Kept> kept_;              ///< those to be sent again
    std::set<int> dropped_;               ///< of what lldb knows to deliver none of these is to be, once
    std::set<int> suppressed_;            ///< signals that lldb drops now
    std::set<int> delivered_;             ///< SIGTRAP and SIGINT, where they are to reach the program
    std::set<SystemThread> sentAgain_;    ///< threads that lldb would send no SIGTRAP on
};

} // namespace sx::debugger::native
