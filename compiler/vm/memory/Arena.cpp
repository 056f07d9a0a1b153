#include "vm/memory/Arena.h"

#include "vm/memory/Reserve.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace sx::vm {

namespace {

constexpr uint8_t ReadOnly = static_cast<uint8_t>(Access::Read);
constexpr uint8_t ReadWrite = ReadOnly | static_cast<uint8_t>(Access::Write);
constexpr uint8_t FreedMark = 4; ///< no rights, but known

} // namespace

Arena::Arena(uint64_t staticBytes, uint64_t heapBytes, uint64_t wanted) {
    const uint64_t asked = staticBytes + heapBytes;
    uint64_t size = asked;
    base_ = reinterpret_cast<uint64_t>(reserve(size, wanted));
    // With less than wanted, both parts shrink alike.
    heapSize_ = size >= asked ? llvm::alignTo(heapBytes, 4096) : size / 2 / 4096 * 4096;
    staticSize_ = size - heapSize_;
    shadowSize_ = size / Granule;
    shadow_ = static_cast<uint8_t*>(reserve(shadowSize_));
    if (shadowSize_ >= size / Granule) return;
    staticSize_ = heapSize_ = shadowSize_ * Granule / 2 / 4096 * 4096;
}

Arena::~Arena() {
    sx::vm::release(reinterpret_cast<void*>(base_), staticSize_ + heapSize_);
    sx::vm::release(shadow_, shadowSize_);
    for (auto [memory, size] : outside_) sx::vm::release(memory, size);
}

void Arena::mark(uint64_t address, uint64_t size, uint8_t rights) {
    uint64_t first = (address - base_) / Granule, last = llvm::divideCeil(address + size - base_, Granule);
    std::memset(shadow_ + first, rights, last - first);
}

void* Arena::allocateStatic(uint64_t size, uint64_t align, bool writable) {
    uint64_t start = llvm::alignTo(base_ + staticUsed_, std::max(align, Granule));
    uint64_t taken = std::max<uint64_t>(size, 1);
    if (taken > staticSize_ || start + taken > heapBase()) {
        void* memory = reserveAll(taken);
        outside_.push_back({memory, taken});
        return memory;
    }
    // A granule between two objects belongs to neither, so that running over the end is noticed.
    staticUsed_ = llvm::alignTo(start + taken, Granule) + Granule - base_;
    mark(start, taken, writable ? ReadWrite : ReadOnly);
    return reinterpret_cast<void*>(start);
}

// ---- heap

Arena::Header* Arena::headerOf(void* block) {
    return reinterpret_cast<Header*>(static_cast<std::byte*>(block) - Granule);
}

void* Arena::allocate(uint64_t size) {
    if (size > heapSize_) {
        limitReached_ = true;
        return nullptr;
    }
    uint64_t rounded = llvm::alignTo(std::max<uint64_t>(size, 1), Granule);
    void* block = nullptr;
    auto reusable = freeBlocks_.find(rounded);
    if (heapUsed_ > Quarantine && reusable != freeBlocks_.end() && !reusable->second.empty()) {
        block = reusable->second.back();
        reusable->second.pop_back();
    } else {
        if (heapUsed_ + Granule + rounded > heapSize_) {
            limitReached_ = true;
            return nullptr;
        }
        block = reinterpret_cast<void*>(heapBase() + heapUsed_ + Granule);
        heapUsed_ += Granule + rounded;
    }
    *headerOf(block) = {size, Live};
    mark(reinterpret_cast<uint64_t>(block), rounded, ReadWrite);
    return block;
}

void* Arena::reallocate(void* block, uint64_t size) {
    void* bigger = allocate(size);
    if (!bigger) return nullptr;
    std::memcpy(bigger, block, std::min(size, headerOf(block)->size));
    release(block);
    return bigger;
}

Arena::FreeResult Arena::release(void* block) {
    uint64_t address = reinterpret_cast<uint64_t>(block);
    if (!ownsHeap(address)) return FreeResult::Foreign;
    if (address % Granule != 0 || address - heapBase() < Granule) return FreeResult::NotABlock;
    Header* header = headerOf(block);
    if (header->state == Dead) return FreeResult::AlreadyFreed;
    if (header->state != Live) return FreeResult::NotABlock;
    uint64_t rounded = llvm::alignTo(std::max<uint64_t>(header->size, 1), Granule);
    header->state = Dead;
    mark(address, rounded, FreedMark);
    freeBlocks_[rounded].push_back(block);
    return FreeResult::Freed;
}

void Arena::resetHeap() {
    if (heapUsed_ == 0) return;
    uint64_t used = llvm::alignTo(heapUsed_, 4096);
    madvise(reinterpret_cast<void*>(heapBase()), used, MADV_DONTNEED);
    std::memset(shadow_ + staticSize_ / Granule, 0, used / Granule);
    heapUsed_ = 0;
    limitReached_ = false;
    freeBlocks_.clear();
}

// ---- asking

bool Arena::allows(uint64_t address, uint64_t size, Access access) const {
    uint64_t offset = address - base_, total = staticSize_ + heapSize_;
    if (offset >= total || size == 0) return true;
    if (size > total - offset) return false;
    const uint8_t* first = shadow_ + offset / Granule;
    const uint8_t* last = shadow_ + llvm::divideCeil(offset + size, Granule);
    return std::all_of(first, last, [&](uint8_t rights) { return rights & static_cast<uint8_t>(access); });
}

bool Arena::isFreed(uint64_t address) const {
    return ownsHeap(address) && shadow_[(address - base_) / Granule] == FreedMark;
}

} // namespace sx::vm
