// The memory that compile-time code may touch through pointers: one reserved range of addresses that holds globals,
// type descriptors and the heap, with a shadow byte for every 16 bytes that says what is allowed.
//
// Pages are taken from the system as they are used. Outside the range lie the frames and whatever C functions
// return; accesses there are not checked here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sx::vm {

/// The part that the dispatch loop needs at every checked access.
struct ArenaView {
    uint64_t base = 0, size = 0;
    const uint8_t* shadow = nullptr;
};

enum class Access : uint8_t { Read = 1, Write = 2 };

class Arena {
public:
    static constexpr uint64_t Granule = 16;
    /// Reserves `staticBytes` for what lives as long as the program and `heapBytes` for the heap.
    /// At the address `wanted`, if that is not 0 and nothing is there.
    Arena(uint64_t staticBytes, uint64_t heapBytes, uint64_t wanted = 0);
    ~Arena();
    Arena(const Arena&) = delete;

    ArenaView view() const { return {base_, staticSize_ + heapSize_, shadow_}; }

    /// Zeroed memory for a global or a descriptor. What does not fit into the range is mapped outside it, unchecked.
    void* allocateStatic(uint64_t size, uint64_t align, bool writable);

    // ---- the heap of an evaluation
    void* allocate(uint64_t size); ///< null: the limit is reached
    void* reallocate(void* block, uint64_t size);
    enum class FreeResult : uint8_t { Freed, Foreign, AlreadyFreed, NotABlock };
    FreeResult release(void* block); ///< Foreign: not of this heap
    bool ownsHeap(uint64_t address) const { return address - heapBase() < heapSize_; }
    bool limitReached() const { return limitReached_; }
    void resetHeap(); ///< frees everything, at the end of the outermost evaluation

    /// The whole range may be accessed: addresses outside the arena always may.
    bool allows(uint64_t address, uint64_t size, Access) const;
    /// It is heap memory that was freed.
    bool isFreed(uint64_t address) const;

private:
    struct Header {
        uint64_t size, state;
    }; ///< in the granule in front of each block
    static constexpr uint64_t Live = 0x6c6976652d737821, Dead = 0x646561642d737821;
    static constexpr uint64_t Quarantine = uint64_t{64} << 20; ///< bytes of heap before freed blocks are used again

    uint64_t heapBase() const { return base_ + staticSize_; }
    void mark(uint64_t address, uint64_t size, uint8_t rights);
    Header* headerOf(void* block);

    uint64_t base_ = 0, staticSize_ = 0, heapSize_ = 0, shadowSize_ = 0;
    uint8_t* shadow_ = nullptr;
    uint64_t staticUsed_ = 0, heapUsed_ = 0;
    bool limitReached_ = false;
    std::unordered_map<uint64_t, std::vector<void*>> freeBlocks_; ///< by rounded size
    std::vector<std::pair<void*, uint64_t>> outside_;
};

} // namespace sx::vm
