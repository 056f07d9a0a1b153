// Writes of one statement, told as one.
//
// A value of several words is written by several instructions. So what the first of them has changed is held back while
// its thread makes single steps, and the others stand still, through the rest of the statement: up to where that ends,
// branches or calls. Jumps that lead from there to the next statement are made, too. Nothing is held where something
// else happens meanwhile.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// What is watched, as it is known: by the ids of watches.
WatchedBytes watchedBytes(const Native&);
/// Where a statement that has nothing left to do at `pc` leads on to: another address where jumps do, all by
/// themselves.
uint64_t behindJumps(Native&, uint64_t pc);
/// Holds back what `written` tells, whose bytes were `before`, and clears it, if the thread that has written stands
/// within its statement. `reasons`: the threads that have stopped. The program is to go on then: by a step of that
/// thread. `isDisturbed`: there is more that is to be told.
void holdWrites(Native&, const std::vector<ThreadStop>& reasons, bool isDisturbed, const WatchedBytes& before,
                std::vector<Stop>& written);

} // namespace sx::debugger::native
