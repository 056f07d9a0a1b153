// The memory of a program that is stopped, read by pages and kept until it goes on.
#pragma once

#include "debugger/inspect/Memory.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <memory>

namespace sx::debugger {

class PageCache : public Memory {
public:
    explicit PageCache(Memory& program) : program_(program) {}

    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override;
    /// Writes to the program, and forgets the pages.
    bool write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) override;
    /// The program may have changed its memory.
    void forget() { pages_.clear(); }

private:
    static constexpr uint64_t PageSize = 4096, MostPages = 4096;
    using Page = std::array<uint8_t, PageSize>;
    /// Null: it cannot be read as a whole.
    const Page* page(uint64_t number);

    Memory& program_;
    llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages_;
};

} // namespace sx::debugger
