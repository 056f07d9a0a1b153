// Variables that a `goto` has gone past: nothing says that they have values, though all ways from the function's
// beginning to there give them one.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// The variables that have values in the innermost frame of a thread.
std::set<ir::SlotId> variablesWithValues(Session&, ThreadId);
/// The thread has gone on elsewhere in this frame, where only these had values.
void noteJump(Session&, ThreadId, const std::set<ir::SlotId>& before);
/// The program has stopped: forgets the jumps of frames that may be others now.
void forgetJumps(Session&);
/// A `goto` has left the variable without a value, and nothing on the way from there to `point`, or to behind it where
/// `isDone`, gives it one.
bool isPassedOver(Session&, const FrameHandle&, ir::SlotId, ir::ValueId point, bool isDone);

} // namespace sx::debugger
