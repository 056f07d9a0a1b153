// What evaluated code works on: the memory of the program, and beside it memory of its own, at addresses that no
// program has.
#pragma once

#include "debugger/evaluate/PageCache.h"

#include <bitset>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace sx::debugger {

class EvaluationMemory : public Memory {
public:
    /// Neither x86-64 nor AArch64 has such addresses.
    static constexpr uint64_t StackBase = uint64_t{0x5358} << 48, HeapBase = uint64_t{0x5359} << 48,
                              CodeBase = uint64_t{0x535A} << 48;
    static constexpr uint64_t MostBytes = uint64_t{1} << 26; ///< of stack and heap each

    explicit EvaluationMemory(Memory& program) : program(program) {}

    PageCache program;

    size_t read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) override;
    /// Also into the program.
    bool write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) override;
    /// The address belongs to memory of its own.
    static bool isOwn(uint64_t address) { return (address & Mask) == StackBase || (address & Mask) == HeapBase; }
    /// The address stands for a function that the program does not have.
    static bool isOwnCode(uint64_t address) { return (address & Mask) == CodeBase; }
    /// Begin and size of the block that an address of its own lies in; of size 0: in none.
    std::pair<uint64_t, uint64_t> blockAt(uint64_t address) const;
    /// Such bytes as they lie here; null: there are none, or fewer.
    uint8_t* own(uint64_t address, uint64_t size);

    /// Room for a call's variables, which is zero. 0: there is no more.
    uint64_t push(uint64_t bytes) { return take(stack_, StackBase, bytes); }
    uint64_t stackTop() const { return stack_.bytes.size(); }
    void popTo(uint64_t top);
    /// Room that stays until `reset`. `isBlock`: code has asked for it.
    uint64_t allocate(uint64_t bytes, bool isBlock = false);
    /// An address in what code has asked for: a copy of it would not be the same block.
    bool isInBlock(uint64_t address) const;
    void reset();

    /// From now on what is written to the program can be undone, or no more.
    void keepForUndo(bool keeps);
    /// The program's memory is as it was then.
    void undo();

private:
    static constexpr uint64_t Mask = uint64_t{0xFFFF} << 48;
    struct Area {
        std::vector<uint8_t> bytes;
        std::vector<std::pair<uint64_t, uint64_t>> blocks; ///< offset and size, ascending
    };
    static uint64_t take(Area& area, uint64_t base, uint64_t bytes);
    const Area& areaOf(uint64_t address) const { return (address & Mask) == StackBase ? stack_ : heap_; }

    static constexpr uint64_t PageSize = 4096, MostKept = 16384;
    struct KeptPage {
        std::vector<uint8_t> bytes; ///< as they were
        std::bitset<PageSize>
            written; ///< which of them were written from here: others may be written by what is called
    };
    void keepPages(uint64_t address, uint64_t size);

    Area stack_, heap_;
    std::set<uint64_t> asked_; ///< beginnings of blocks of the heap that code has asked for
    bool keeps_ = false;
    std::map<uint64_t, KeptPage> kept_; ///< by the number of the page
};

} // namespace sx::debugger
