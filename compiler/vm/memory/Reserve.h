// Address space from the system: pages cost memory when they are first touched.
#pragma once

#include <cstdint>

namespace sx::vm {

/// Where more bytes than this are wanted, `reserve` gives at least nearly half of this.
constexpr uint64_t LeastOfMore = uint64_t{4} << 20;

/// Zeroed memory of `bytes`, or of less where the process may not have as much, then with `bytes` set to that: who asks
/// uses no more. Ends the process if even a small part is refused. At the address `wanted` if that is not 0 and nothing
/// is there.
void* reserve(uint64_t& bytes, uint64_t wanted = 0);
/// The same; null if even a small part is refused.
void* tryReserve(uint64_t& bytes, uint64_t wanted);
/// Zeroed memory of `bytes`, all of them. Ends the process if it is refused.
void* reserveAll(uint64_t bytes);
/// Ends the process, with a line that says why.
[[noreturn]] void endWithoutMemory();
void release(void* memory, uint64_t bytes);

} // namespace sx::vm
