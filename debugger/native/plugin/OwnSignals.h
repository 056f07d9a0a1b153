// Signals that a program has sent itself, by a fault or by abort(), and calls that are made in it while it stands at
// one.
#pragma once

#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <set>

namespace sx::debugger::native {

/// After a call the system has forgotten why a signal was sent: a handler would take it for somebody else's. So it is
/// dropped when the program goes on, and what has sent it happens again.
class OwnSignals {
public:
    /// Before a call is made on a thread that stands still.
    void willCallOn(lldb::SBThread&);
    /// Before the program goes on.
    void goOn(lldb::SBProcess&);

private:
    std::set<SystemThread> repeats_; ///< threads whose signal has to come again
    std::set<int> suppressed_;       ///< signals that are dropped for it
};

} // namespace sx::debugger::native
