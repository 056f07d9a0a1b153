// The first heap, begun before anything else allocates: as much of it in small pages as a check of a small program
// writes, which asks for them in one call (mapFirstHeap). See docs/performance.md.
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
