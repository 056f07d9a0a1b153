// Memory that every command needs, asked for in two calls before anything else runs. Where a page fault is dear (36
// µs on the virtual machine where this was measured, and a start had 500 to 1,300 of them) they were most of a start;
// asking for a range costs a tenth for each page. See docs/performance.md. What the system refuses is left to faults.
#include "source/Heap.h"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)

namespace {

constexpr size_t FirstHeap = 6 << 20; ///< bytes; what a small program takes, and what a huge page may lose to alignment

/// Before the constructors, which are the first to touch much.
void claimStartMemory(int, char**, char**) {
    sx::mapVariables();
    sx::growHeap(FirstHeap);
}

__attribute__((section(".preinit_array"), used)) void (*const atStart)(int, char**, char**) = claimStartMemory;

} // namespace

#endif
