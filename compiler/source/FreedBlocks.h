// Blocks that a thread keeps when it frees them, for work that makes and frees many of the same size in turns, as LLVM
// does for each function. The C library keeps seven of a size for a thread; what is more goes to a heap that all
// threads share, and is merged there and taken apart again (docs/performance.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sx {

/// While it lives, the blocks that its thread frees with `delete` are kept, up to a number of each size, and `new`
/// takes them. They remain blocks of the C library: another thread may free what this one made. When it ends it frees
/// what it has. One inside of another has no effect; nor has any under a sanitizer, which has a heap of its own.
class FreedBlocks {
public:
    FreedBlocks();
    ~FreedBlocks();
    FreedBlocks(const FreedBlocks&) = delete;
    FreedBlocks& operator=(const FreedBlocks&) = delete;

    /// A block of at least `bytes`, or null.
    void* take(size_t bytes);
    /// False: it is not kept, and still to be freed.
    bool keep(void* block);

private:
    static constexpr size_t Unit = 16, Sizes = 66; ///< blocks of up to about a kilobyte
    static constexpr uint16_t MostOfASize = 200;

    struct Block {
        Block* next;
    };
    std::array<Block*, Sizes> blocks_{}; ///< by size in units, the last one freed first
    std::array<uint16_t, Sizes> counts_{};
    bool isOutermost_;
};

} // namespace sx
