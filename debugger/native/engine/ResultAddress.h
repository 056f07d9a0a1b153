// Where a call has written a result that is too large for registers.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Of the call that has just come back to the thread's innermost frame: what it was given as its first argument, if the
/// instructions before it make that from a register that calls keep. 0: they do not.
uint64_t resultAddress(Native&, SystemThread);

} // namespace sx::debugger::native
