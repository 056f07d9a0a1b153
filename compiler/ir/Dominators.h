// Which blocks every path from the entry to a block goes through.
#pragma once

#include "ir/Ir.h"

#include <map>
#include <tuple>

namespace sx::ir {

/// Of a function whose branch targets are in range and whose blocks end in terminators. The algorithm is
/// that of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm").
class Dominators {
public:
    explicit Dominators(const Function&);

    bool isReachable(uint32_t block) const { return order_[block] != Unreached; }
    /// `a` dominates `b`; every block dominates itself. Both are reachable. Constant time.
    bool dominates(uint32_t a, uint32_t b) const { return enter_[a] <= enter_[b] && leave_[b] <= leave_[a]; }
    /// The last block that every way to `b` goes through before it; of the entry: itself. `b` is reachable.
    uint32_t immediateDominator(uint32_t b) const { return parent_[b]; }
    const std::vector<uint32_t>& reversePostorder() const { return reversePostorder_; }

private:
    static constexpr uint32_t Unreached = UINT32_MAX;

    void numberBlocks(const Function&);
    void findParents(const Function&);
    void numberTree();
    uint32_t commonParent(uint32_t a, uint32_t b) const;

    std::vector<uint32_t> reversePostorder_; ///< reachable blocks, entry first
    std::vector<uint32_t> order_;            ///< block to its place there
    std::vector<uint32_t> parent_;           ///< immediate dominator; of the entry: itself
    std::vector<uint32_t> enter_, leave_;    ///< times of a walk over the dominator tree
};

/// Which statements have begun whenever another one begins: of the functions of one module. Remembers its answers.
class StatementOrder {
public:
    /// Every way to `statement` leads through `before`, or both are one. So code that leads from the one to the other
    /// makes another round of a loop.
    bool comesAfter(FuncId, const Function&, uint32_t statement, uint32_t before);

private:
    std::map<std::tuple<FuncId, uint32_t, uint32_t>, bool> known_;
};

} // namespace sx::ir
