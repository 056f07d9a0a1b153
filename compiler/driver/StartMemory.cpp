// Memory that every command needs, asked for in three calls before anything else runs. Where a page fault is dear (36
// µs on the virtual machine where this was measured, and a start had 500 to 1,300 of them) they were most of a start;
// asking for a range costs a tenth for each page. See docs/performance.md. What the system refuses is left to faults.
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

// Under a sanitizer the heap is not the C library's.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)

extern "C" char edata, end; // of the linker: where the parts of the executable are

namespace {

constexpr uintptr_t Page = 4096, HugePage = 2 << 20;
constexpr int FirstHeap = 6 << 20; ///< bytes; what a small program takes, and what a huge page may lose to alignment

uintptr_t down(uintptr_t address, uintptr_t unit) { return address & ~(unit - 1); }
uintptr_t up(uintptr_t address, uintptr_t unit) { return down(address + unit - 1, unit); }

void advise(uintptr_t begin, uintptr_t end, int advice) {
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

/// Grows the heap once. Small pages up to the first boundary of huge ones, which the rest may be made of.
void growHeap() {
    mallopt(M_TOP_PAD, FirstHeap);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    void* first = std::malloc(1);
    uintptr_t begin = down(reinterpret_cast<uintptr_t>(first), Page),
              end = down(reinterpret_cast<uintptr_t>(sbrk(0)), Page);
    std::free(first);
    if (begin >= end || end - begin > 2 * FirstHeap) return; // no heap of this kind
    uintptr_t boundary = up(begin, HugePage);
#ifdef MADV_POPULATE_WRITE // Linux 5.14
    advise(begin, boundary < end ? boundary : end, MADV_POPULATE_WRITE);
#endif
    advise(boundary, end, MADV_HUGEPAGE);
}

/// Before the constructors, which are the first to touch much.
void claimStartMemory(int, char**, char**) {
#ifdef MADV_POPULATE_WRITE
    auto address = [](char& symbol) { return reinterpret_cast<uintptr_t>(&symbol); };
    advise(down(address(edata), Page), up(address(end), Page), MADV_POPULATE_WRITE);
#endif
    growHeap();
}

__attribute__((section(".preinit_array"), used)) void (*const atStart)(int, char**, char**) = claimStartMemory;

} // namespace

#endif
