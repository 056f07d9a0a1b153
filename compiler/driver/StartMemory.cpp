// Memory that every command needs, asked for in one call before anything else runs: a page of a range that is asked for
// costs less than one that a fault brings. What the system refuses is left to faults. See docs/performance.md.
#include "source/Heap.h"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)

namespace {

constexpr size_t FirstPages = 640 << 10; ///< bytes; what a check of a small program writes, and a little more
constexpr size_t FirstHeap = 6 << 20;    ///< bytes; what a small program takes

/// Before the constructors, which are the first to allocate.
void claimStartMemory(int, char**, char**) { sx::beginHeap(FirstPages, FirstHeap); }

__attribute__((section(".preinit_array"), used)) void (*const atStart)(int, char**, char**) = claimStartMemory;

} // namespace

#endif
