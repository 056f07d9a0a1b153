#include "vm/memory/ConstantMemory.h"

#include "vm/memory/Reserve.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <sys/mman.h>

namespace sx::vm {

namespace {
constexpr uint64_t Page = 4096;
constexpr uint64_t MostReserved = uint64_t{1} << 30; ///< of address space
} // namespace

ConstantMemory::~ConstantMemory() {
    if (base_ != 0) release(reinterpret_cast<void*>(base_), reserved_);
}

void* ConstantMemory::allocate(uint64_t size, uint64_t align) {
    if (base_ == 0) {
        reserved_ = MostReserved;
        base_ = reinterpret_cast<uint64_t>(reserve(reserved_, wanted_));
    }
    uint64_t start = llvm::alignTo(used_, std::clamp<uint64_t>(align, 1, Page));
    uint64_t bytes = std::max<uint64_t>(size, 1);
    if (bytes > reserved_ || start > reserved_ - bytes) return nullptr;
    if (start < sealed_) { // the last page is shared with what came before
        sealed_ = start / Page * Page;
        mprotect(reinterpret_cast<void*>(base_ + sealed_), Page, PROT_READ | PROT_WRITE);
    }
    used_ = start + bytes;
    return reinterpret_cast<void*>(base_ + start);
}

void ConstantMemory::seal() {
    uint64_t end = llvm::alignTo(used_, Page);
    if (end <= sealed_) return;
    mprotect(reinterpret_cast<void*>(base_ + sealed_), end - sealed_, PROT_READ);
    sealed_ = end;
}

} // namespace sx::vm
