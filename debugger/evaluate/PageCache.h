// The memory of a program that is stopped, read by pages and kept until it goes on.
#pragma once

#include "debugger/inspect/Memory.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace sx::debugger {

class PageCache : public Memory {
public:
    explicit PageCache(Memory& program) : program_(program) {}

    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override;
    size_t readData(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override {
        return program_.readData(address, into);
    }
    /// Writes to the program, and forgets the pages.
    bool write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) override;
    /// The same where the program has nothing: in memory that it was asked for. It is no change of the program.
    bool writeApart(uint64_t address, llvm::ArrayRef<uint8_t> bytes);
    /// The program may have more in its memory than it had; what was there has not changed.
    void readAgain() { pages_.clear(); }
    /// The program may have changed its memory.
    void forget() {
        pages_.clear();
        changes_.any = true;
    }

    /// What was written here, and whether anything may have changed.
    struct Changes {
        static constexpr size_t MostRanges = 32; ///< what is written beyond these is not kept
        bool any = false;
        std::vector<std::pair<uint64_t, uint64_t>> ranges; ///< address and size in bytes, in the order of writing
    };
    /// Those since the last call.
    Changes takeChanges() { return std::exchange(changes_, {}); }

private:
    static constexpr uint64_t PageSize = 4096, MostPages = 4096;
    using Page = std::array<uint8_t, PageSize>;
    /// Null: it cannot be read as a whole.
    const Page* page(uint64_t number);

    Memory& program_;
    Changes changes_;
    llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages_;
};

} // namespace sx::debugger
