// Programs that a compiler makes in its own memory.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Lets the compiler, which stands at its entry, run until it has announced the program's code, and reads what that is.
/// The program's `main` has not begun then.
Result<void> awaitCode(Native&);
/// Lets a program that is not told of yet run to an address, or to what stops it before. Returns how it has ended;
/// null: it stands there.
std::optional<TargetEvent> runTo(Native&, uint64_t address);

} // namespace sx::debugger::native
