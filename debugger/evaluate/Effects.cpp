#include "debugger/evaluate/Effects.h"

#include "debugger/evaluate/Refusals.h"
#include "ir/Ops.h"
#include "types/Predicates.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <vector>

namespace sx::debugger {

using namespace ir;

namespace {

/// What the address is an address within.
const Instr& baseOf(const Function& fn, ValueId address) {
    const Instr* base = &fn.instr(address);
    while (base->op == Op::Offset || base->op == Op::Index || base->op == Op::Reinterpret)
        base = &fn.instr(fn.operandsOf(*base)[0]);
    return *base;
}

/// The operand that is the address where the instruction writes; nothing: it writes nowhere.
std::optional<ValueId> written(const Function& fn, const Instr& i) {
    switch (i.op) {
    case Op::Store:
    case Op::Copy:
    case Op::Zero:
    case Op::CopyN:
    case Op::AtomicStore:
    case Op::AtomicRmw:
    case Op::AtomicCmpXchg:
    case Op::TraceCapture:
    case Op::TraceCopy:
    case Op::TraceForget: return fn.operandsOf(i)[0];
    default: return std::nullopt;
    }
}

/// Of a compiled expression's function: where the answer goes. The other one has the addresses of the variables.
constexpr uint64_t AnswerParameter = 1;

class Reached {
public:
    Reached(const Module& module, FuncId expression) : module_(module), expression_(expression) {}

    bool isContained() {
        for (std::vector<FuncId> open{expression_}; !open.empty();) {
            FuncId id = open.back();
            open.pop_back();
            if (!seen_.insert(static_cast<uint32_t>(id)).second) continue;
            const Function& fn = module_.fn(id);
            if (fn.blocks.empty()) return false;
            for (const Block& block : fn.blocks)
                for (ValueId v : block.instrs)
                    if (!isContained(id, fn, fn.instr(v), open)) return false;
        }
        return true;
    }

private:
    bool isOwn(FuncId id, const Function& fn, ValueId address) const {
        const Instr& base = baseOf(fn, address);
        return base.op == Op::SlotAddr || (id == expression_ && base.op == Op::Param && base.imm == AnswerParameter);
    }

    bool isContained(FuncId id, const Function& fn, const Instr& i, std::vector<FuncId>& open) const {
        if (infoOf(i.op).effect != Effect::Acts) return true;
        if (std::optional<ValueId> to = written(fn, i)) return isOwn(id, fn, *to);
        switch (i.op) {
        case Op::NullCheck:
        case Op::AtomicLoad:
        case Op::Fence:
        case Op::TraceRaise:
        case Op::TracePush:
        case Op::TraceLink:
        case Op::TraceAbsorb:
        case Op::TraceFind:
        case Op::TraceResume:
        case Op::TraceValues: return true;
        case Op::Call: break;
        default: return false;
        }
        const auto callee = static_cast<FuncId>(i.imm);
        const Function& called = module_.fn(callee);
        if (called.isExtern) return called.symbol == "memcmp" || called.symbol == "strlen";
        open.push_back(callee);
        return !returnsInMemory(module_.types, called.result) || isOwn(id, fn, fn.operandsOf(i)[0]);
    }

    const Module& module_;
    FuncId expression_;
    llvm::DenseSet<uint32_t> seen_;
};

/// What is known of an address before anything runs.
struct Base {
    enum class Kind : uint8_t { Unknown, Own, Variables, Variable, Program };
    Kind kind = Kind::Unknown; ///< Variables: of the block that has the addresses of the expression's variables
    uint64_t number = 0;       ///< Variable: which of the expression's; Variables: how far into the block
    friend bool operator==(const Base&, const Base&) = default;
};

/// Looks for a way through a function on which nothing is refused. Code that fails of itself has none either.
class Ways {
public:
    Ways(const Module& module, const lower::CompiledExpression& expression)
        : module_(module), expression_(expression) {}

    /// What is refused on all ways; empty: there is one on which nothing is, or it is not known.
    std::string refusal() {
        Base variables, answer;
        variables.kind = Base::Kind::Variables;
        answer.kind = Base::Kind::Own;
        return canPass(expression_.function, {variables, answer}) ? "" : refusal_;
    }

private:
    struct Call {
        const Function& fn;
        llvm::ArrayRef<Base> args;
        llvm::DenseMap<uint32_t, Base> slots{}; ///< what is stored there, if all of it is the same
    };

    bool canPass(FuncId id, llvm::ArrayRef<Base> args) {
        constexpr unsigned MostCalls = 100;
        Call call{module_.fn(id), args};
        if (call.fn.blocks.empty() || ++calls_ > MostCalls || !open_.insert(static_cast<uint32_t>(id)).second)
            return true;
        noteSlots(call);
        bool passes = false;
        llvm::DenseSet<uint32_t> seen{0};
        std::vector<uint32_t> next{0};
        for (size_t n = 0; n < next.size() && !passes; ++n) {
            const Block& block = call.fn.blocks[next[n]];
            if (block.instrs.empty() || !canPass(call, block)) continue;
            const Instr& end = call.fn.instr(block.instrs.back());
            passes = end.op == Op::Ret;
            for (const Target& t : call.fn.targetsOf(end))
                if (seen.insert(static_cast<uint32_t>(t.block)).second) next.push_back(static_cast<uint32_t>(t.block));
        }
        open_.erase(static_cast<uint32_t>(id));
        return passes;
    }

    bool canPass(Call& call, const Block& block) {
        return llvm::all_of(block.instrs, [&](ValueId v) { return canPass(call, call.fn.instr(v)); });
    }

    bool canPass(Call& call, const Instr& i) {
        if (std::optional<ValueId> to = written(call.fn, i)) return mayWrite(baseOf(call, *to));
        if (i.op == Op::InlineAsm) return refuse(refusals::HoldsAssembly);
        if (i.op != Op::Call) return true;
        const Function& called = module_.fn(static_cast<FuncId>(i.imm));
        llvm::ArrayRef<ValueId> operands = call.fn.operandsOf(i);
        if (!called.isExtern) {
            // Where the result goes is no parameter.
            if (returnsInMemory(module_.types, called.result)) operands = operands.drop_front();
            llvm::SmallVector<Base, 8> args;
            for (ValueId v : operands) args.push_back(baseOf(call, v));
            return canPass(static_cast<FuncId>(i.imm), args);
        }
        if (writesToFirst(called)) return operands.empty() || mayWrite(baseOf(call, operands[0]));
        return isKnownFunction(called) || called.comptimeOnly || refuse(refusals::callsC(called.name));
    }

    bool mayWrite(const Base& base) {
        if (base.kind == Base::Kind::Program) return refuse(refusals::WritesToProgram);
        if (base.kind != Base::Kind::Variable || base.number >= expression_.variables.size()) return true;
        return refuse(refusals::changes(module_.types.names().text(expression_.variables[base.number].name)));
    }

    bool refuse(std::string why) {
        if (refusal_.empty()) refusal_ = std::move(why);
        return false;
    }

    /// Stores to the whole of a slot, in any order: what is loaded from it is one of them, if nobody else writes there.
    static void noteSlots(Call& call) {
        llvm::DenseSet<uint32_t> others;
        auto slotOf = [&](ValueId v) {
            const Instr& i = call.fn.instr(v);
            return i.op == Op::SlotAddr ? std::optional(static_cast<uint32_t>(i.imm)) : std::nullopt;
        };
        for (const Block& block : call.fn.blocks)
            for (ValueId v : block.instrs) {
                const Instr& i = call.fn.instr(v);
                llvm::ArrayRef<ValueId> operands = call.fn.operandsOf(i);
                for (size_t k = 0; k < operands.size(); ++k) {
                    std::optional<uint32_t> slot = slotOf(operands[k]);
                    if (!slot || i.op == Op::Load) continue;
                    if (i.op != Op::Store || k != 0) {
                        others.insert(*slot);
                        continue;
                    }
                    Base stored = baseOf(call, operands[1]);
                    auto [known, isNew] = call.slots.try_emplace(*slot, stored);
                    if (!isNew && !(known->second == stored)) others.insert(*slot);
                }
            }
        for (uint32_t slot : others) call.slots.erase(slot);
    }

    static Base baseOf(const Call& call, ValueId v) {
        constexpr unsigned MostSteps = 1000;
        const Instr* i = &call.fn.instr(v);
        uint64_t offset = 0;
        for (unsigned n = 0; n < MostSteps; ++n) {
            if (i->op != Op::Offset && i->op != Op::Index && i->op != Op::Reinterpret) break;
            offset += i->op == Op::Offset ? i->imm : 0;
            i = &call.fn.instr(call.fn.operandsOf(*i)[0]);
        }
        Base base;
        switch (i->op) {
        case Op::SlotAddr: base.kind = Base::Kind::Own; break;
        case Op::GlobalAddr: base.kind = Base::Kind::Program; break;
        case Op::Param:
            if (i->imm < call.args.size()) base = call.args[i->imm];
            if (base.kind == Base::Kind::Variables) base.number += offset;
            break;
        case Op::Load: return loaded(call, *i);
        default: break;
        }
        return base;
    }

    /// The program's memory has addresses of its own memory only.
    static Base loaded(const Call& call, const Instr& load) {
        ValueId from = call.fn.operandsOf(load)[0];
        const Instr& address = call.fn.instr(from);
        if (address.op == Op::SlotAddr) return call.slots.lookup(static_cast<uint32_t>(address.imm));
        Base base = baseOf(call, from);
        switch (base.kind) {
        case Base::Kind::Variables: return {Base::Kind::Variable, base.number / sizeof(uint64_t)};
        case Base::Kind::Variable:
        case Base::Kind::Program: return {Base::Kind::Program, 0};
        case Base::Kind::Own:
        case Base::Kind::Unknown: break;
        }
        return {};
    }

    const Module& module_;
    const lower::CompiledExpression& expression_;
    llvm::DenseSet<uint32_t> open_; ///< functions that the ways are in
    std::string refusal_;
    unsigned calls_ = 0;
};

} // namespace

bool changesOnlyOwnVariables(const Module& module, const lower::CompiledExpression& expression) {
    return expression.function != FuncId::None && Reached(module, expression.function).isContained();
}

std::string certainSideEffect(const Module& module, const lower::CompiledExpression& expression) {
    if (expression.function == FuncId::None) return "";
    return Ways(module, expression).refusal();
}

} // namespace sx::debugger
