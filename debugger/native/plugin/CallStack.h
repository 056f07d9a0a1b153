// Stacks for calls in the program.
#pragma once

#include <cstdint>
#include <optional>

namespace sx::debugger::native {

/// A thread whose stack pointer is `sp` can call a function on its own stack: 256 KiB are left of it.
bool hasRoomBelow(int process, uint64_t sp);

/// Memory that can be written.
struct WritableMemory {
    uint64_t start = 0, end = 0; ///< the addresses from one on and before another
};
/// That of a process which has the address, or else the first above it, which is the stack where `sp` has left it at
/// its end.
std::optional<WritableMemory> stackFrom(int process, uint64_t sp);

} // namespace sx::debugger::native
