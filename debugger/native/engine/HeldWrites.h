// Writes of one statement, told as one.
//
// A value of several words is written by several instructions. So what the first of them has changed is held back while
// its thread makes single steps, and the others stand still, up to the next statement, or to a call. Jumps that lead to
// another round of a loop are not made: the write is shown where it was made. Optimized code, and that of other
// languages, is followed up to its first branch. Nothing is held where something else happens meanwhile.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// What is watched, as it is known: by the ids of watches.
WatchedBytes watchedBytes(const Native&);
/// Holds back what `written` tells, whose bytes were `before`, and clears it, if the thread that has written stands
/// within its statement. `reasons`: the threads that have stopped. The program is to go on then: by a step of that
/// thread. Else `place` is where it is shown. `isDisturbed`: there is more that is to be told.
void holdWrites(Native&, const std::vector<ThreadStop>& reasons, bool isDisturbed, const WatchedBytes& before,
                std::vector<Stop>& written, Stack::Place& place);

} // namespace sx::debugger::native
