#include "debugger/vm/KeptMemory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace sx::debugger {

uint64_t KeptMemory::allocate(uint64_t bytes) {
    auto at = reinterpret_cast<uint64_t>(std::calloc(1, bytes));
    if (at != 0) blocks_[at] = {bytes};
    return at;
}

KeptMemory::Block* KeptMemory::blockAt(uint64_t address, uint64_t& offset) {
    auto next = blocks_.upper_bound(address);
    if (next == blocks_.begin()) return nullptr;
    auto found = std::prev(next);
    offset = address - found->first;
    return offset < found->second.size ? &found->second : nullptr;
}

bool KeptMemory::noteWrite(uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    uint64_t offset = 0;
    if (Block* block = blockAt(address, offset); block && bytes.size() <= block->size - offset) {
        block->written = std::max(block->written, offset + bytes.size());
        if (offset >= block->shared) return false;
    }
    for (size_t at = 0; !blocks_.empty() && at + sizeof(uint64_t) <= bytes.size(); ++at) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        if (!blockAt(word, offset)) continue;
        share();
        break;
    }
    return true;
}

void KeptMemory::share() {
    for (auto& [address, block] : blocks_) block.shared = block.written;
}

} // namespace sx::debugger
