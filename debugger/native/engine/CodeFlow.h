// How optimized code of one statement hangs together.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Where a jump or a call leads to, a run-time address; 0: that is only known when it is there.
uint64_t targetOf(const TargetInstruction&);

/// Of places where code of one statement begins, in order of address and those of the file, leaves out what is run
/// only as a part of another one: nothing is called in between, and no jump leads in from elsewhere; and what only
/// jumps to another one.
void leaveOutParts(Native&, std::vector<uint64_t>& places);

} // namespace sx::debugger::native
