// Which variables have a value where a function stands.
#pragma once

#include "ir/Ir.h"

#include <array>
#include <map>
#include <vector>

namespace sx::debugger {

/// Where a variable takes its part of a result that several take: `v, err := f()`.
struct ResultPart {
    ir::ValueId write; ///< what puts the part there
    ir::SlotId result; ///< what holds the whole
    ir::SlotId last;   ///< the variable of the last part, which nothing else writes: of a failable result, its error
};

/// What a body does with its variables, found in one walk over it. The function is given again with each question and
/// has to be as it was: it is not held, as the module may move it.
class InitialValues {
public:
    explicit InitialValues(const ir::Function&);

    /// Whether the variable may have been given a value, in part or by somebody who has its address, when execution
    /// stands in front of `point`, or behind it where `isDone`. A variable is without a value from its declaration on:
    /// `x: T = ---`. Parameters have one. `taking`: instructions that leave it without a value. Cheapest for variables
    /// in the order of their slots.
    bool mayHaveValue(const ir::Function&, ir::SlotId variable, ir::ValueId point, bool isDone,
                      llvm::ArrayRef<ir::ValueId> taking = {});
    /// Whether something gives the variable a value between `from`, which is done, and `point`, on any way.
    bool mayGetValue(const ir::Function&, ir::SlotId variable, ir::ValueId from, ir::ValueId point, bool isDone) const;
    /// The parts of results that a variable takes.
    llvm::ArrayRef<ResultPart> partsOf(ir::SlotId variable) const;
    /// The instructions whose text begins at `at`, in the order of blocks.
    std::vector<ir::ValueId> instructionsAt(SourcePos at) const;

private:
    /// Something that happens to a variable.
    struct Event {
        uint32_t slot, block, index; ///< `index` of the instruction in its block
        bool gives;                  ///< it gets a value; false: it begins without one
    };
    /// Whether 64 variables that follow each other may have a value, bit by bit.
    using Bits = uint64_t;

    void findRoots(const ir::Function&);
    void findEvents(const ir::Function&);
    void findParts(const ir::Function&);
    void findOrder(const ir::Function&);
    bool isWrittenOnce(ir::SlotId) const;
    llvm::ArrayRef<Event> eventsOf(uint32_t slot) const;
    llvm::ArrayRef<Event> eventsOf(uint32_t slot, uint32_t block) const;
    std::optional<bool> lastOf(uint32_t slot, uint32_t block, uint32_t count, llvm::ArrayRef<ir::ValueId> taking) const;
    std::vector<bool> blocksAfter(const ir::Function&, uint32_t block) const;
    bool walkBack(uint32_t slot, uint32_t block, llvm::ArrayRef<ir::ValueId> taking) const;
    void solve(uint32_t group);

    std::vector<uint32_t> root_;                            ///< by value: the slot that it is an address in
    std::vector<std::pair<uint32_t, uint32_t>> places_;     ///< by value: block, and index there
    std::vector<Event> events_;                             ///< by slot, block and index
    std::vector<uint32_t> firstEvent_;                      ///< by slot, into `events_`
    std::vector<std::vector<uint32_t>> before_;             ///< by block: those that lead to it
    std::vector<uint32_t> order_;                           ///< blocks, those that lead to one before it but for loops
    std::map<ir::SlotId, std::vector<ResultPart>> parts_;   ///< by the variable
    std::vector<std::pair<SourcePos, ir::ValueId>> bySpan_; ///< by position
    std::optional<uint32_t> group_;                         ///< the 64 variables that `entry_` is about
    std::vector<Bits> entry_;                               ///< by block: where it begins
};

} // namespace sx::debugger
