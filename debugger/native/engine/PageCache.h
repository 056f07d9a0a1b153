// The memory of a program that stands still, read by pages.
#pragma once

#include "debugger/inspect/Memory.h"
#include "debugger/native/target/Target.h"

#include <functional>
#include <map>

namespace sx::debugger::native {

class PageCache final : public Memory {
public:
    /// `target` may be null: then nothing can be read.
    explicit PageCache(std::unique_ptr<Target>& target) : target_(target) {}

    bool isLive = true; ///< there is a process; else a core file
    /// Is told what `write` has written where; null: nobody.
    std::function<void(uint64_t address, llvm::ArrayRef<uint8_t>)> written;

    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override;
    /// Past lldb, where it can be: in a microsecond.
    size_t readData(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override;
    bool write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) override;
    /// Nothing when not all of it can be read.
    std::optional<uint64_t> word(uint64_t address, size_t bytes = 8);
    /// The program has run.
    void forget() { pages_.clear(); }

private:
    static constexpr uint64_t PageSize = 4096;
    static constexpr size_t MostPages = 4096;
    const std::vector<uint8_t>& page(uint64_t number);

    std::unique_ptr<Target>& target_;
    std::map<uint64_t, std::vector<uint8_t>> pages_; ///< shorter where the rest cannot be read
};

} // namespace sx::debugger::native
