// The memory of a process, asked for in large pieces. Where a page fault is dear (36 µs on the virtual machine where
// this was measured) the faults of a check that asks page by page take as long as its work (docs/performance.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace sx {

/// `growHeap` for a process that has allocated nothing yet. Its first `smallPages` bytes are made of small pages, and
/// large ones begin behind them, which a process that needs no more never takes. Up to 2 MB of addresses are left out
/// for that. The small pages are mapped by `mapFirstHeap`, or when they are written.
void beginHeap(size_t smallPages, size_t bytes);

/// Maps what `beginHeap` has left, for work that will write all of it. Without an effect elsewhere.
void mapFirstHeap();

/// Sees to it that `bytes` are free at the end of the heap: it grows in one piece, of large pages where the system has
/// them. A page is used when it is first written. While this runs no other thread may allocate. Without an effect where
/// the C library has no such heap.
void growHeap(size_t bytes);

/// The same for work that takes `bytesEach` for each byte of a text, or for each of other things. Where address space
/// is limited it takes a part of that; for little work nothing, since a process has a first heap.
void growHeapFor(uint64_t count, unsigned bytesEach);

/// `growHeap` for a process that was just forked: what the heap had left stays unused, since each of its pages would
/// have to be copied.
void growForkedHeap(size_t bytes);

/// What is freed stays with the process, up to some hundred megabytes: for one that makes large answers one after the
/// other, which would find each page unmapped again.
void keepFreedMemory();

/// Maps the code of the executable, which a process finds unmapped when it begins and after a fork.
void mapCode();

/// Maps the variables of the executable that begin as zero.
void mapVariables();
/// Maps `bytes` of the calling thread's stack below the caller's frame; the stack must be longer.
void mapStack(size_t bytes);

} // namespace sx
