#include "ir/NullChecks.h"

#include "ir/Dominators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace sx::ir {

namespace {

/// A place in a function.
struct Place {
    uint32_t block, index;
};

bool dominates(const Dominators& dominators, Place a, Place b) {
    return a.block == b.block ? a.index < b.index : dominators.dominates(a.block, b.block);
}

/// What is known of a slot.
struct Variable {
    bool isPlain = true; ///< only read and written as a whole
    uint32_t stores = 0;
    Place store{};
    std::vector<std::pair<ValueId, Place>> checks; ///< in the order of the blocks
};

/// How many of the checks that were kept a check is compared with: so the time is linear.
constexpr size_t Compared = 8;

class Search {
public:
    explicit Search(const Function& fn) : fn_(fn), variables_(fn.slots.size()) {}

    std::vector<bool> run() {
        std::vector<bool> repeated(fn_.instrs.size());
        for (uint32_t b = 0; b < fn_.blocks.size(); ++b)
            for (uint32_t i = 0; i < fn_.blocks[b].instrs.size(); ++i) visit(fn_.blocks[b].instrs[i], {b, i});
        auto isWorthIt = [](const Variable& v) { return v.isPlain && v.stores == 1 && v.checks.size() > 1; };
        if (llvm::none_of(variables_, isWorthIt)) return repeated;
        Dominators dominators(fn_);
        for (const Variable& variable : variables_)
            if (isWorthIt(variable)) markRepeated(variable, dominators, repeated);
        return repeated;
    }

private:
    /// The slot whose address a value is; null for others.
    Variable* variableAt(ValueId v) {
        const Instr& i = fn_.instr(v);
        return i.op == Op::SlotAddr ? &variables_[i.imm] : nullptr;
    }

    void visit(ValueId v, Place at) {
        const Instr& i = fn_.instr(v);
        for (const Target& target : fn_.targetsOf(i))
            for (ValueId argument : fn_.argsOf(target)) escape(argument);
        llvm::ArrayRef<ValueId> operands = fn_.operandsOf(i);
        if (i.op == Op::NullCheck) return visitCheck(v, operands[0], at);
        if (i.op == Op::Load) return;
        if (i.op == Op::Store) {
            escape(operands[1]);
            if (Variable* variable = variableAt(operands[0])) {
                ++variable->stores;
                variable->store = at;
            }
            return;
        }
        for (ValueId operand : operands) escape(operand);
    }

    void visitCheck(ValueId check, ValueId pointer, Place at) {
        const Instr& read = fn_.instr(pointer);
        if (read.op != Op::Load) return;
        if (Variable* variable = variableAt(fn_.operandsOf(read)[0])) variable->checks.push_back({check, at});
    }

    void escape(ValueId v) {
        if (Variable* variable = variableAt(v)) variable->isPlain = false;
    }

    /// A check that comes after the only write and before another check in every way to it has seen the same pointer:
    /// a way from it over the write to the other one would be a way to that without it, too.
    static void markRepeated(const Variable& variable, const Dominators& dominators, std::vector<bool>& repeated) {
        llvm::SmallVector<Place, 8> kept;
        for (auto [check, at] : variable.checks) {
            if (!dominators.isReachable(at.block) || !dominators.isReachable(variable.store.block)) continue;
            if (!dominates(dominators, variable.store, at)) continue;
            auto isBefore = [&, here = at](Place earlier) { return dominates(dominators, earlier, here); };
            if (llvm::any_of(kept, isBefore)) repeated[raw(check)] = true;
            else if (kept.size() < Compared) kept.push_back(at);
        }
    }

    const Function& fn_;
    std::vector<Variable> variables_;
};

} // namespace

std::vector<bool> repeatedNullChecks(const Function& fn) { return Search(fn).run(); }

} // namespace sx::ir
