// Watched memory.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// The stop at watched memory that has changed, by a thread.
std::optional<Stop> writtenWatch(Native&, SystemThread);
/// The stops at what threads have written by the word of the hardware. Where several have written one place at the same
/// time, each is told with what it has written as far as its instruction says that.
std::vector<Stop> writtenByHits(Native&, const std::vector<ThreadStop>&);
/// The stops at what threads have written in calls that have come back to the program now.
std::vector<Stop> writtenInCalls(Native&, const std::vector<ThreadStop>&);
/// The debugger has written memory: a watched place holds that before the program writes it.
void noteOwnWrite(Native&, uint64_t address, llvm::ArrayRef<uint8_t> bytes);
/// The same of a call or a command that may have written anything.
void noteOwnWrites(Native&);
/// Ends watches of frames that the thread has left.
void endWatches(Native&, const ThreadStop&);
/// Ends all, without a word: neither lldb nor the debug registers of the program's threads watch anything then. The
/// program stands still.
void endAllWatches(Native&);
/// Ends what the hardware watches in a frame, if its caller goes on here.
void endWatchesAt(Native&, const ThreadStop&);

} // namespace sx::debugger::native
