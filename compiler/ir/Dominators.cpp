#include "ir/Dominators.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace sx::ir {

namespace {

llvm::ArrayRef<Target> successors(const Function& fn, uint32_t block) {
    llvm::ArrayRef<ValueId> instrs = fn.blocks[block].instrs;
    return instrs.empty() ? llvm::ArrayRef<Target>{} : fn.targetsOf(fn.instr(instrs.back()));
}

} // namespace

Dominators::Dominators(const Function& fn) {
    size_t n = fn.blocks.size();
    order_.assign(n, Unreached);
    parent_.assign(n, Unreached);
    enter_.assign(n, 0);
    leave_.assign(n, 0);
    if (n == 0) return;
    numberBlocks(fn);
    findParents(fn);
    numberTree();
}

void Dominators::numberBlocks(const Function& fn) {
    struct Visit {
        uint32_t block;
        size_t next;
    };
    std::vector<Visit> path{{0, 0}};
    std::vector<bool> seen(fn.blocks.size());
    seen[0] = true;
    while (!path.empty()) {
        Visit& top = path.back();
        llvm::ArrayRef<Target> next = successors(fn, top.block);
        if (top.next == next.size()) {
            reversePostorder_.push_back(top.block);
            path.pop_back();
            continue;
        }
        uint32_t to = static_cast<uint32_t>(next[top.next++].block);
        if (seen[to]) continue;
        seen[to] = true;
        path.push_back({to, 0});
    }
    std::reverse(reversePostorder_.begin(), reversePostorder_.end());
    for (uint32_t i = 0; i < reversePostorder_.size(); ++i) order_[reversePostorder_[i]] = i;
}

uint32_t Dominators::commonParent(uint32_t a, uint32_t b) const {
    while (a != b) {
        while (order_[a] > order_[b]) a = parent_[a];
        while (order_[b] > order_[a]) b = parent_[b];
    }
    return a;
}

void Dominators::findParents(const Function& fn) {
    parent_[0] = 0;
    // Information flows along edges from a block to its successors until nothing changes.
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t block : reversePostorder_)
            for (const Target& t : successors(fn, block)) {
                uint32_t to = static_cast<uint32_t>(t.block);
                if (to == 0) continue;
                uint32_t parent = parent_[to] == Unreached ? block : commonParent(parent_[to], block);
                changed |= parent != parent_[to];
                parent_[to] = parent;
            }
    }
}

void Dominators::numberTree() {
    std::vector<std::vector<uint32_t>> children(order_.size());
    for (uint32_t block : reversePostorder_)
        if (block != 0) children[parent_[block]].push_back(block);
    struct Visit {
        uint32_t block;
        size_t next;
    };
    std::vector<Visit> path{{0, 0}};
    uint32_t time = 0;
    enter_[0] = time++;
    while (!path.empty()) {
        Visit& top = path.back();
        if (top.next == children[top.block].size()) {
            leave_[top.block] = time++;
            path.pop_back();
            continue;
        }
        uint32_t child = children[top.block][top.next++];
        enter_[child] = time++;
        path.push_back({child, 0});
    }
}

// ---- statements

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
