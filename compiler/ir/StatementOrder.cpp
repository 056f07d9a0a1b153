#include "ir/StatementOrder.h"

#include "ir/Dominators.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::ir {

namespace {

/// Where a statement begins: a block, and how much comes before it there.
struct Beginning {
    uint32_t block = UINT32_MAX; ///< UINT32_MAX: it has no code
    size_t index = 0;
};

Beginning beginningOf(const Function& fn, uint32_t statement) {
    if (statement >= fn.statements.size()) return {};
    for (uint32_t b = 0; b < fn.blocks.size(); ++b) {
        const auto& instrs = fn.blocks[b].instrs;
        auto at = llvm::find(instrs, fn.statements[statement].first);
        if (at != instrs.end()) return {b, static_cast<size_t>(at - instrs.begin())};
    }
    return {};
}

bool isAfter(const Function& fn, uint32_t statement, uint32_t before) {
    Beginning there = beginningOf(fn, statement), first = beginningOf(fn, before);
    if (there.block == UINT32_MAX || first.block == UINT32_MAX) return false;
    if (there.block == first.block) return there.index >= first.index;
    Dominators dominators(fn);
    return dominators.isReachable(there.block) && dominators.isReachable(first.block) &&
           dominators.dominates(first.block, there.block);
}

} // namespace

bool StatementOrder::comesAfter(FuncId func, const Function& fn, uint32_t statement, uint32_t before) {
    auto [at, isNew] = known_.try_emplace({func, statement, before}, false);
    if (isNew) at->second = isAfter(fn, statement, before);
    return at->second;
}

} // namespace sx::ir
