// Watched memory.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// After one instruction, or after code that was run through: the stop at a watched piece that has changed.
std::optional<Stop> stepWatched(Native&, const ThreadStop&);

} // namespace sx::debugger::native
