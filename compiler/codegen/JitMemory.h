// Memory for JIT code: one reserved range, from which all sections are cut.
//
// Code reaches its constants and globals through 32-bit relative offsets, so they must lie within 2 GB of each other.
// The default mapper asks the system for each section near the last one and takes what it gets, which a crowded address
// space puts further away; the linker then writes a truncated offset without a word.
#pragma once

#include "llvm/ExecutionEngine/SectionMemoryManager.h"

namespace sx::codegen {

class JitMemory : public llvm::SectionMemoryManager::MemoryMapper {
public:
    /// Address space only: pages are committed as sections take them. Below 2 GB, so that every offset fits. Less where
    /// the process may not have as much.
    static constexpr uint64_t ReservedBytes = uint64_t(1536) << 20;

    JitMemory();
    ~JitMemory() override;
    JitMemory(const JitMemory&) = delete;

    llvm::sys::MemoryBlock allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose, size_t bytes,
                                                const llvm::sys::MemoryBlock* near, unsigned flags,
                                                std::error_code&) override;
    std::error_code protectMappedMemory(const llvm::sys::MemoryBlock&, unsigned flags) override;
    std::error_code releaseMappedMemory(llvm::sys::MemoryBlock&) override;

private:
    char* base_ = nullptr;
    size_t reserved_ = 0, used_ = 0;
};

} // namespace sx::codegen
