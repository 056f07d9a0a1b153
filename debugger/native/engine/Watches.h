// Watched memory.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// After one instruction, or after code that was run through: the stop at a watched piece that has changed.
std::optional<Stop> stepWatched(Native&, const ThreadStop&);
/// The stop at a watched piece that has changed.
std::optional<Stop> writtenWatch(Native&, const ThreadStop&);
/// Ends what the hardware watches in a frame, if its caller goes on here.
void endWatchesAt(Native&, const ThreadStop&);

} // namespace sx::debugger::native
