// Steps by statements.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Whether the step ends where its thread stands, at `pc`.
bool stepEnds(Native&, uint64_t pc);
/// The thread has come back from a signal's handler to a breakpoint that it had stopped for before.
void comeBack(Native&, const ThreadStop&);
/// The statement that a thread stands at the beginning of.
std::optional<uint32_t> currentStatement(Native&, SystemThread);

} // namespace sx::debugger::native
