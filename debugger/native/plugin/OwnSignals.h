// Signals that a program has sent itself, by a fault, by abort() or by raise(), and calls that are made in it while it
// stands at one. SIGTRAP and SIGINT that are not sent so never reach it: lldb stops and steps by the one, and by the
// other a person interrupts it.
#pragma once

#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <map>
#include <set>

namespace sx::debugger::native {

/// After a call, in whichever thread, the system has forgotten why a signal was sent: a handler would take it for
/// somebody else's. So it is dropped when the program goes on, and what has sent it happens again.
class OwnSignals {
public:
    /// The program has stopped: says where its signals come from. lldb takes a SIGTRAP that a process has sent for the
    /// end of a step.
    void hear(lldb::SBProcess&, std::vector<ThreadStop>&);
    /// Before a call is made in the program, which stands still.
    void willCall(lldb::SBProcess&);
    /// A call on the thread has failed, as lldb says. Where a signal of another process has ended it, that is sent
    /// again: the program gets it when it goes on. Returns its number; 0: it was something else.
    int sendAgain(lldb::SBProcess&, lldb::SBThread&, const std::string& failure);
    /// Before the program goes on.
    void goOn(lldb::SBProcess&);

private:
    void suppress(lldb::SBProcess&, int signal);

    std::map<SystemThread, int> repeats_; ///< signals of threads that have to come again
    std::set<int> suppressed_;            ///< signals that are dropped for it
    std::set<int> delivered_;             ///< SIGTRAP and SIGINT, where they are to reach the program
    std::set<SystemThread> sentAgain_;    ///< threads that lldb would send no SIGTRAP on
};

} // namespace sx::debugger::native
