// What is done before anything else allocates. The end of the process where there is no memory, which may be as soon as
// the constructors run. Then the first heap: as much of it in small pages as a check of a small program writes, which
// asks for them in one call (mapFirstHeap). See docs/performance.md.
#include "driver/LastResort.h"
#include "source/Heap.h"

namespace {

constexpr size_t FirstPages = 640 << 10; ///< bytes; what a check of a small program writes, and a little more
constexpr size_t FirstHeap = 6 << 20;    ///< bytes; what a small program takes

void claimStartMemory(int, char**, char**) {
    sx::driver::endWhereMemoryEnds();
    sx::beginHeap(FirstPages, FirstHeap);
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
/// Before the constructors, which are the first to allocate.
__attribute__((section(".preinit_array"), used)) void (*const atStart)(int, char**, char**) = claimStartMemory;
#else
/// Before the constructors of the rest.
__attribute__((constructor(101))) void atStart() { claimStartMemory(0, nullptr, nullptr); }
#endif

} // namespace
