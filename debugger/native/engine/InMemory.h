// Programs that a compiler makes in its own memory.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Lets the compiler, which stands at its entry, run until it has announced the program's code, and reads what that is.
/// The program's `main` has not begun then. `goesOn` is asked now and then: false ends it; null: it is not asked.
Result<void> awaitCode(Native&, const std::function<bool()>& goesOn);
/// Lets a program that is not told of yet run to an address, or to what stops it before. How it has ended is kept as
/// `earlyEnd`. `goesOn`: as above.
Result<void> runTo(Native&, uint64_t address, const std::function<bool()>& goesOn);

} // namespace sx::debugger::native
