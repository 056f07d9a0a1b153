#include "source/FreedBlocks.h"

#include <cstdlib>
#include <malloc.h>
#include <new>

namespace sx {

namespace {

thread_local FreedBlocks* current = nullptr; ///< of the thread; null: nothing is kept

} // namespace

FreedBlocks::FreedBlocks() : isOutermost_(!current) {
    if (isOutermost_) current = this;
}

FreedBlocks::~FreedBlocks() {
    if (!isOutermost_) return;
    current = nullptr;
    for (Block* first : blocks_)
        while (Block* block = first) {
            first = block->next;
            std::free(block);
        }
}

void* FreedBlocks::take(size_t bytes) {
    // Blocks of a size have room for so many times 16 bytes and 8 more, as the C library makes them: for 24 at least.
    size_t size = bytes < Unit ? 1 : (bytes + Unit / 2 - 1) / Unit;
    if (size >= Sizes || !blocks_[size]) return nullptr;
    Block* block = blocks_[size];
    blocks_[size] = block->next;
    --counts_[size];
    return block;
}

bool FreedBlocks::keep(void* block) {
    size_t room = malloc_usable_size(block), size = room < Unit ? 0 : (room - Unit / 2) / Unit;
    if (size == 0 || size >= Sizes || counts_[size] == MostOfASize) return false;
    blocks_[size] = new (block) Block{blocks_[size]};
    ++counts_[size];
    return true;
}

} // namespace sx

#if defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

// These replace the ones of the C++ library in each executable that uses the class.

void* operator new(size_t bytes) {
    if (sx::current)
        if (void* block = sx::current->take(bytes)) return block;
    for (;;) {
        if (void* block = std::malloc(bytes)) return block;
        std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* block) noexcept {
    if (block && sx::current && sx::current->keep(block)) return;
    std::free(block);
}

void operator delete(void* block, size_t) noexcept { operator delete(block); }

#endif
