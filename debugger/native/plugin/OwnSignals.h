// Signals that a program has sent itself, by a fault or by abort(), and calls that are made in it while it stands at
// one.
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
    /// Before a call is made in the program, which stands still.
    void willCall(lldb::SBProcess&);
    /// Before the program goes on.
    void goOn(lldb::SBProcess&);

private:
    void suppress(lldb::SBProcess&, int signal);

    std::map<SystemThread, int> repeats_; ///< signals of threads that have to come again
    std::set<int> suppressed_;            ///< signals that are dropped for it
};

} // namespace sx::debugger::native
