// Programs that a compiler makes in its own memory.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Lets the compiler, which stands at its entry, run until it has announced the program's code, and reads what that is.
/// The program's `main` has not begun then.
Result<void> awaitCode(Native&);

} // namespace sx::debugger::native
