// Address space from the system: pages cost memory when they are first touched.
#pragma once

#include <cstdint>

namespace sx::vm {

/// Zeroed memory of `bytes`, or of less where the process may not have as much, then with `bytes` set to that. Ends the
/// process if even a small part is refused. At the address `wanted` if that is not 0 and nothing is there.
void* reserve(uint64_t& bytes, uint64_t wanted = 0);
void release(void* memory, uint64_t bytes);

} // namespace sx::vm
