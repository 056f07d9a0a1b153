// Breakpoints with conditions: where nobody has stopped before, hits are decided before lldb hears of them.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Nobody stops where the last stop was told: from now on hits there are filtered, if all that is wanted there are
/// conditions on what can be found without lldb.
void noteIgnored(Native&);
/// The breakpoints whose hits are filtered when the program goes on now.
std::set<uint64_t> filteredPlaces(const Native&);
/// A thread is at one of them: the session is asked, or lldb hears of it.
void handleHit(Native&, const TargetEvent&);
/// lldb has heard of a stop: nobody has to decide any more.
void forgetHit(Native&);

/// The innermost frame at the hit, and where it has a variable.
Frame frameAtHit(const Native&);
SlotPlace slotAtHit(const Native&, ir::SlotId);

} // namespace sx::debugger::native
