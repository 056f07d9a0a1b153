// How a recording begins to run again.
#pragma once

#include "vm/replay/Tape.h"
#include "vm/time/KnownCalls.h"

namespace sx::vm {

/// The tape of a recording: what it describes of further functions becomes known, and this process gets the environment
/// that was recorded. `areSignalsSeen`: see Tape::replayFrom. Fails where a description cannot be read.
Result<std::unique_ptr<Tape>> beginReplay(std::shared_ptr<RecordingReader>, KnownCalls&, Tape::Tell,
                                          bool areSignalsSeen = false);

} // namespace sx::vm
