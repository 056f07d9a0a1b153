#include "debugger/program/InitialValues.h"

#include "ir/Ops.h"

#include <algorithm>
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
    WayBack(const ir::Function& fn, const UsesOfSlot& uses) : fn_(fn), uses_(uses), seen_(fn.blocks.size()) {
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
                if (uses_.gives(v)) return true;
                isBegin = v == uses_.declaration();
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
    std::vector<bool> seen_;
    std::vector<std::vector<uint32_t>> before_; ///< blocks that lead to one
};

} // namespace

bool mayHaveValue(const ir::Function& fn, ir::SlotId variable, ir::ValueId point, bool isDone) {
    if (fn.slots[static_cast<uint32_t>(variable)].paramIndex >= 0 || point == ir::ValueId::None) return true;
    UsesOfSlot uses(fn, variable);
    if (uses.declaration() == ir::ValueId::None) return true; // it lives elsewhere
    for (uint32_t b = 0; b < fn.blocks.size(); ++b) {
        const std::vector<ir::ValueId>& instrs = fn.blocks[b].instrs;
        auto at = std::find(instrs.begin(), instrs.end(), point);
        if (at == instrs.end()) continue;
        return WayBack(fn, uses).findsValue(b, static_cast<size_t>(at - instrs.begin()) + (isDone ? 1 : 0));
    }
    return true;
}

} // namespace sx::debugger
