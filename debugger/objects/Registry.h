// The registry of a program's blocks (runtime/heap/heap.h), read from outside.
#pragma once

#include "debugger/inspect/Memory.h"
#include "source/Result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sx::debugger::objects {

struct Block {
    uint64_t address = 0, size = 0, serial = 0;
    uint32_t state = 0; ///< SX_HEAP_LIVE, …
    uint32_t site = 0, freedSite = 0;
    uint32_t thread = 0, fiber = 0;
    bool isLive() const;
};

/// An address as the registry sees it.
struct Located {
    const Block* block = nullptr; ///< null: no block is there
    int64_t offset = 0;           ///< from its start; beyond its size it is outside, but belongs to no other block
    bool isInside() const { return block && offset >= 0 && static_cast<uint64_t>(offset) < block->size; }
};

class Registry {
public:
    /// Reads the tables at the address of `sx_heap_registry`. Fails if the heap is not tracked, or they make no sense.
    static Result<Registry> read(Memory&, uint64_t tables);

    bool isPacked() const { return packed_; } ///< frames are pairs of a function and a position
    /// Those that have memory, live and freed, by address.
    const std::vector<Block>& blocks() const { return blocks_; }
    Located locate(uint64_t address) const;
    /// The block with a serial number, if it is remembered.
    const Block* withSerial(uint64_t serial) const;
    /// The frames of a site, innermost first.
    std::vector<uint64_t> frames(Memory&, uint32_t site) const;

private:
    std::vector<Block> blocks_, gone_;
    std::vector<uint32_t> bySerial_;
    uint64_t siteChunks_ = 0, siteCount_ = 0;
    bool packed_ = false;
};

} // namespace sx::debugger::objects
