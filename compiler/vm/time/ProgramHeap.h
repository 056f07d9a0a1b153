// The heap of a program whose history is kept: the same calls give the same addresses in every run, and all that it
// knows lies in memory whose writes are kept like the program's own. So going back undoes it, and going on again does
// the same again.
//
// Blocks are of fixed sizes, each with a list of free ones, and have a header in front that nothing but the heap
// writes: a freed block holds what it held.
#pragma once

#include "vm/time/WriteLog.h"

namespace sx::vm {

class ProgramHeap {
public:
    ProgramHeap();
    ~ProgramHeap();
    ProgramHeap(const ProgramHeap&) = delete;

    /// The address of `size` bytes, or 0 where there are none left. `align` is a power of two.
    uint64_t allocate(WriteLog&, uint64_t size, uint64_t align = 16);
    /// False: it is no live block of this heap.
    bool release(WriteLog&, uint64_t block);
    /// A block that was handed out and not released.
    bool isLive(uint64_t block) const;
    /// From the first block to the last that there ever were, in bytes.
    uint64_t extent() const;
    bool owns(uint64_t address) const { return address - base_ < bytes_; }
    /// How many bytes were asked for.
    uint64_t sizeOf(uint64_t block) const;

private:
    struct State;
    struct Header;
    State* state() const { return reinterpret_cast<State*>(base_); }
    uint64_t firstBlock() const;
    uint64_t base_ = 0, bytes_ = 0;
};

} // namespace sx::vm
