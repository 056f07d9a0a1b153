#include "source/Heap.h"

#include "source/AddressSpace.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

// Under a sanitizer the heap is not the C library's.
#if defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

extern "C" {
// Of the linker: where the parts of the executable are.
extern char __executable_start, etext, edata, end;
}

namespace sx {

namespace {

constexpr uintptr_t PageBytes = 4096, HugePageBytes = 2 << 20;
constexpr int LargestInHeap = 32 << 20; ///< bytes; the most that the C library takes as a threshold
constexpr int LargestBlock = 4 << 20;   ///< bytes; larger ones are given back to the system
constexpr int NextPiece = 6 << 20;      ///< bytes; by which the heap grows when it is used up
constexpr int LargestPiece = 1 << 30;   ///< bytes; what a setting may be

uintptr_t down(uintptr_t address, uintptr_t unit) { return address & ~(unit - 1); }
uintptr_t up(uintptr_t address, uintptr_t unit) { return down(address + unit - 1, unit); }
uintptr_t address(char& symbol) { return reinterpret_cast<uintptr_t>(&symbol); }
uintptr_t heapEnd() { return reinterpret_cast<uintptr_t>(sbrk(0)); }

void advise(uintptr_t begin, uintptr_t end, int advice) {
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

/// For the compiler the block is used: it may not drop the call.
void keep(void* block) { asm volatile("" : : "r"(block) : "memory"); }

struct Piece {
    uintptr_t begin = 0, end = 0;
};

/// The small pages of a piece: those up to the first boundary of large ones, which the rest may be made of.
Piece smallPagesOf(Piece piece) { return {piece.begin, std::min(up(piece.begin, HugePageBytes), piece.end)}; }

void mapForWriting(Piece piece) {
#ifdef MADV_POPULATE_WRITE // Linux 5.14
    advise(piece.begin, piece.end, MADV_POPULATE_WRITE);
#endif
}

Piece firstSmallPages; ///< of a process that has begun with beginHeap

/// Grows the heap until `bytes` are free at its end. Returns the piece by which it grew, in whole pages; the large ones
/// of it are asked for. Empty where nothing grew, or not in one piece.
Piece extendHeap(size_t bytes) {
    size_t left = mallinfo2().keepcost;
    if (left >= bytes) return {};
    mallopt(M_ARENA_MAX, 1); // threads share it: heaps of their own would grow by faults
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, LargestInHeap);
    mallopt(M_TOP_PAD, static_cast<int>(std::min<size_t>(bytes, LargestPiece)));
    uintptr_t before = heapEnd();
    // More than is left at the end of the heap, and larger than what was given back.
    void* first = std::malloc(std::min<size_t>(std::max(bytes, left + 1), LargestInHeap - PageBytes));
    keep(first);
    uintptr_t after = heapEnd();
    std::free(first);
    mallopt(M_TOP_PAD, NextPiece);
    mallopt(M_MMAP_THRESHOLD, LargestBlock);
    if (before >= after || after - before > 2 * (bytes + LargestInHeap)) return {};
    Piece piece{down(before, PageBytes), down(after, PageBytes)};
    advise(smallPagesOf(piece).end, piece.end, MADV_HUGEPAGE);
    return piece;
}

} // namespace

void growHeap(size_t bytes) { mapForWriting(smallPagesOf(extendHeap(bytes))); }

void beginHeap(size_t smallPages, size_t bytes) {
    uintptr_t begin = heapEnd();
    sbrk(static_cast<intptr_t>(up(begin + smallPages, HugePageBytes) - smallPages - begin));
    firstSmallPages = smallPagesOf(extendHeap(bytes));
}

void mapFirstHeap() { mapForWriting(firstSmallPages); }

void growHeapFor(uint64_t count, unsigned bytesEach) {
    uint64_t bytes = count * bytesEach;
    if (bytes > NextPiece) growHeap(shareOfAddressSpace(bytes));
}

void growForkedHeap(size_t bytes) {
    constexpr size_t Head = 64; ///< bytes; more than the C library writes before a block
    mallopt(M_MMAP_THRESHOLD, LargestInHeap);
    size_t left = mallinfo2().keepcost;
    if (left > 2 * Head) keep(std::malloc(left - Head)); // never freed, and touched at its ends only
    growHeap(bytes);
}

void keepFreedMemory() {
    constexpr int MostKept = 256 << 20;
    mallopt(M_TRIM_THRESHOLD, MostKept);
    mallopt(M_MMAP_THRESHOLD, LargestInHeap);
}

void mapCode() {
#ifdef MADV_POPULATE_READ // Linux 5.14
    advise(down(address(__executable_start), PageBytes), up(address(etext), PageBytes), MADV_POPULATE_READ);
#endif
}

void mapVariables() { mapForWriting({down(address(edata), PageBytes), up(address(end), PageBytes)}); }

void mapStack(size_t bytes) {
    uintptr_t frame = down(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), PageBytes);
    mapForWriting({frame - down(bytes, PageBytes), frame});
}

} // namespace sx

#else

namespace sx {

void beginHeap(size_t, size_t) {}
void mapFirstHeap() {}
void growHeap(size_t) {}
void growHeapFor(uint64_t, unsigned) {}
void growForkedHeap(size_t) {}
void keepFreedMemory() {}
void mapCode() {}
void mapVariables() {}
void mapStack(size_t) {}

} // namespace sx

#endif
