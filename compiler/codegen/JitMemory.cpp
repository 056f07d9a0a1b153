#include "codegen/JitMemory.h"

#include "source/AddressSpace.h"

#include "llvm/Support/Memory.h"
#include "llvm/Support/Process.h"

#include <sys/mman.h>

namespace sx::codegen {

namespace {

constexpr uint64_t Page = 4096;

int protectionOf(unsigned flags) {
    int protection = PROT_NONE;
    if (flags & llvm::sys::Memory::MF_READ) protection |= PROT_READ;
    if (flags & llvm::sys::Memory::MF_WRITE) protection |= PROT_WRITE;
    if (flags & llvm::sys::Memory::MF_EXEC) protection |= PROT_EXEC;
    return protection;
}

} // namespace

JitMemory::JitMemory() {
    reserved_ = shareOfAddressSpace(ReservedBytes) / Page * Page;
    void* range = mmap(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range != MAP_FAILED) base_ = static_cast<char*>(range);
}

JitMemory::~JitMemory() {
    if (base_) munmap(base_, reserved_);
}

llvm::sys::MemoryBlock JitMemory::allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose, size_t bytes,
                                                       const llvm::sys::MemoryBlock*, unsigned flags,
                                                       std::error_code& error) {
    size_t page = llvm::sys::Process::getPageSizeEstimate();
    size_t rounded = (bytes + page - 1) / page * page;
    char* at = base_ + used_;
    if (!base_ || rounded > reserved_ - used_ || mprotect(at, rounded, protectionOf(flags)) != 0) {
        error = std::make_error_code(std::errc::not_enough_memory);
        return {};
    }
    used_ += rounded;
    error = {};
    return {at, rounded};
}

std::error_code JitMemory::protectMappedMemory(const llvm::sys::MemoryBlock& block, unsigned flags) {
    return llvm::sys::Memory::protectMappedMemory(block, flags);
}

/// Sections go back with the whole range.
std::error_code JitMemory::releaseMappedMemory(llvm::sys::MemoryBlock&) { return {}; }

} // namespace sx::codegen
