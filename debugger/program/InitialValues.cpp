#include "debugger/program/InitialValues.h"

#include "ir/Ops.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>

namespace sx::debugger {

namespace {

using ir::Op;

/// Only computes an address from another one.
bool isAddressOf(Op op) { return op == Op::Offset || op == Op::Index || op == Op::Reinterpret; }

/// The instructions that know a variable by its address.
class UsesOfSlot {
public:
    UsesOfSlot(const ir::Function& fn, ir::SlotId slot) : fn_(fn) {
        for (const ir::Block& block : fn.blocks)
            for (ir::ValueId v : block.instrs)
                if (fn.instr(v).op == Op::SlotAddr && fn.instr(v).imm == static_cast<uint64_t>(slot))
                    addresses_.insert(v);
        if (!addresses_.empty()) declaration_ = *addresses_.begin();
        // An address is computed after what it is computed from, whatever the order of blocks: a few rounds find all.
        for (size_t before = 0; before != addresses_.size();) {
            before = addresses_.size();
            for (const ir::Block& block : fn.blocks)
                for (ir::ValueId v : block.instrs)
                    if (isAddressOf(fn.instr(v).op) && addresses_.count(fn.operandsOf(fn.instr(v))[0]) != 0)
                        addresses_.insert(v);
        }
    }

    /// Where the variable begins: the first instruction that has its address.
    ir::ValueId declaration() const { return declaration_; }

    /// It gives the variable a value, or its address to somebody who may.
    bool gives(ir::ValueId v) const {
        const ir::Instr& i = fn_.instr(v);
        llvm::ArrayRef<ir::ValueId> operands = fn_.operandsOf(i);
        for (size_t n = 0; n < operands.size(); ++n)
            if (addresses_.count(operands[n]) != 0 && !onlyReads(i.op, n)) return true;
        for (const ir::Target& target : fn_.targetsOf(i))
            for (ir::ValueId arg : fn_.argsOf(target))
                if (addresses_.count(arg) != 0) return true;
        return false;
    }

private:
    static bool onlyReads(Op op, size_t operand) {
        if (isAddressOf(op) || op == Op::Load || op == Op::MemEq || op == Op::NullCheck || op == Op::ICmp) return true;
        return (op == Op::Copy || op == Op::CopyN) && operand == 1;
    }

    const ir::Function& fn_;
    std::set<ir::ValueId> addresses_;
    ir::ValueId declaration_ = ir::ValueId::None;
};

/// Walks back from a point, until the variable begins or is given a value.
class WayBack {
public:
    WayBack(const ir::Function& fn, const UsesOfSlot& uses, llvm::ArrayRef<ir::ValueId> taking)
        : fn_(fn), uses_(uses), taking_(taking), seen_(fn.blocks.size()) {
        before_.resize(fn.blocks.size());
        for (uint32_t b = 0; b < fn.blocks.size(); ++b)
            if (!fn.blocks[b].instrs.empty())
                for (const ir::Target& t : fn.targetsOf(fn.instr(fn.blocks[b].instrs.back())))
                    before_[static_cast<uint32_t>(t.block)].push_back(b);
    }

    /// `count`: so many instructions of the block have run.
    bool findsValue(uint32_t block, size_t count) {
        std::vector<std::pair<uint32_t, size_t>> open{{block, count}};
        while (!open.empty()) {
            auto [at, n] = open.back();
            open.pop_back();
            bool isBegin = false;
            for (; n > 0 && !isBegin; --n) {
                ir::ValueId v = fn_.blocks[at].instrs[n - 1];
                isBegin = v == uses_.declaration() || llvm::is_contained(taking_, v);
                if (!isBegin && uses_.gives(v)) return true;
            }
            if (isBegin) continue;
            for (uint32_t b : before_[at])
                if (!seen_[b]) {
                    seen_[b] = true;
                    open.push_back({b, fn_.blocks[b].instrs.size()});
                }
        }
        return false;
    }

private:
    const ir::Function& fn_;
    const UsesOfSlot& uses_;
    llvm::ArrayRef<ir::ValueId> taking_;
    std::vector<bool> seen_;
    std::vector<std::vector<uint32_t>> before_; ///< blocks that lead to one
};

/// The slot that an address lies in, and how far from its beginning; nothing where it is no part of one.
std::optional<std::pair<ir::SlotId, uint64_t>> placeIn(const ir::Function& fn, ir::ValueId address) {
    for (uint64_t offset = 0;; address = fn.operandsOf(fn.instr(address))[0]) {
        const ir::Instr& i = fn.instr(address);
        if (i.op == Op::SlotAddr) return std::pair(static_cast<ir::SlotId>(i.imm), offset);
        if (i.op == Op::Offset) offset += i.imm;
        else if (i.op != Op::Reinterpret) return std::nullopt;
    }
}

/// What an instruction copies from one slot to the beginning of another.
struct Move {
    ir::SlotId to, from;
    uint64_t offset;
    ir::ValueId write;
};

std::optional<Move> moveOf(const ir::Function& fn, ir::ValueId v) {
    const ir::Instr& i = fn.instr(v);
    if (i.op != Op::Store && i.op != Op::Copy) return std::nullopt;
    ir::ValueId from = fn.operandsOf(i)[1];
    if (i.op == Op::Store) {
        const ir::Instr& load = fn.instr(from);
        if (load.op != Op::Load) return std::nullopt;
        from = fn.operandsOf(load)[0];
    }
    auto target = placeIn(fn, fn.operandsOf(i)[0]), source = placeIn(fn, from);
    if (!target || !source || target->second != 0) return std::nullopt;
    return Move{target->first, source->first, source->second, v};
}

bool isWrittenOnce(const ir::Function& fn, ir::SlotId slot) {
    UsesOfSlot uses(fn, slot);
    size_t count = 0;
    for (const ir::Block& block : fn.blocks)
        count += static_cast<size_t>(
            std::count_if(block.instrs.begin(), block.instrs.end(), [&](ir::ValueId v) { return uses.gives(v); }));
    return count == 1;
}

} // namespace

std::vector<ResultPart> partsOfResults(const ir::Function& fn, ir::SlotId variable) {
    std::vector<ResultPart> parts;
    for (const ir::Block& block : fn.blocks) {
        std::map<ir::SlotId, std::vector<Move>> moves; // by the result
        for (ir::ValueId v : block.instrs)
            if (std::optional<Move> m = moveOf(fn, v))
                if (!fn.slots[static_cast<uint32_t>(m->from)].isVariable) moves[m->from].push_back(*m);
        for (auto& [result, all] : moves) {
            auto last = std::max_element(all.begin(), all.end(),
                                         [](const Move& a, const Move& b) { return a.offset < b.offset; });
            for (const Move& m : all)
                if (m.to == variable && last->to != variable && isWrittenOnce(fn, last->to))
                    parts.push_back({m.write, result, last->to});
        }
    }
    return parts;
}

bool mayHaveValue(const ir::Function& fn, ir::SlotId variable, ir::ValueId point, bool isDone,
                  llvm::ArrayRef<ir::ValueId> taking) {
    if (fn.slots[static_cast<uint32_t>(variable)].paramIndex >= 0 || point == ir::ValueId::None) return true;
    UsesOfSlot uses(fn, variable);
    if (uses.declaration() == ir::ValueId::None) return true; // it lives elsewhere
    for (uint32_t b = 0; b < fn.blocks.size(); ++b) {
        const std::vector<ir::ValueId>& instrs = fn.blocks[b].instrs;
        auto at = std::find(instrs.begin(), instrs.end(), point);
        if (at == instrs.end()) continue;
        return WayBack(fn, uses, taking).findsValue(b, static_cast<size_t>(at - instrs.begin()) + (isDone ? 1 : 0));
    }
    return true;
}

} // namespace sx::debugger
