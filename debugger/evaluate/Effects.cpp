#include "debugger/evaluate/Effects.h"

#include "debugger/evaluate/Refusals.h"
#include "ir/Ops.h"
#include "types/Predicates.h"

#include "llvm/ADT/DenseSet.h"

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

/// Parameters of a compiled expression's function: the addresses of the variables, and where the answer goes.
constexpr uint64_t VariablesParameter = 0, AnswerParameter = 1;

/// The number of the expression's variable whose address is loaded; nothing: another one is.
std::optional<uint64_t> loadedVariable(const Function& fn, const Instr& load) {
    if (load.op != Op::Load) return std::nullopt;
    const Instr* from = &fn.instr(fn.operandsOf(load)[0]);
    uint64_t offset = 0;
    for (; from->op == Op::Offset || from->op == Op::Reinterpret; from = &fn.instr(fn.operandsOf(*from)[0]))
        offset += from->op == Op::Offset ? from->imm : 0;
    if (from->op != Op::Param || from->imm != VariablesParameter) return std::nullopt;
    return offset / sizeof(uint64_t);
}

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

/// Follows what is executed whatever the values are, from the beginning of a function to the first choice.
class Path {
public:
    Path(const Module& module, const lower::CompiledExpression& expression)
        : module_(module), expression_(expression) {}

    std::string refusal() const { return refusal_; }

    /// Whether the end of the function is reached.
    bool follow(FuncId id) {
        constexpr unsigned MostCalls = 100;
        const Function& fn = module_.fn(id);
        if (fn.blocks.empty() || ++calls_ > MostCalls) return false;
        llvm::DenseSet<uint32_t> seen;
        for (BlockId block{0}; seen.insert(static_cast<uint32_t>(block)).second;) {
            for (ValueId v : fn.blocks[static_cast<uint32_t>(block)].instrs) {
                const Instr& i = fn.instr(v);
                if (i.op == Op::Ret) return true;
                if (i.op == Op::Br) block = fn.targetsOf(i)[0].block;
                else if (isTerminator(i.op) || !pass(id, fn, i)) return false;
            }
        }
        return false;
    }

private:
    /// Whether execution goes on after the instruction.
    bool pass(FuncId id, const Function& fn, const Instr& i) {
        if (std::optional<ValueId> to = written(fn, i)) {
            const Instr& base = baseOf(fn, *to);
            if (base.op == Op::GlobalAddr) refusal_ = refusals::WritesToProgram;
            std::optional<uint64_t> variable;
            if (id == expression_.function) variable = loadedVariable(fn, base);
            if (variable && *variable < expression_.variables.size())
                refusal_ = refusals::changes(module_.types.names().text(expression_.variables[*variable].name));
            return refusal_.empty();
        }
        if (i.op == Op::InlineAsm) refusal_ = refusals::HoldsAssembly;
        if (i.op != Op::Call) return refusal_.empty() && i.op != Op::CallIndirect;
        const Function& called = module_.fn(static_cast<FuncId>(i.imm));
        if (!called.isExtern) return follow(static_cast<FuncId>(i.imm));
        if (!isKnownFunction(called) && !called.comptimeOnly) refusal_ = refusals::callsC(called.name);
        return refusal_.empty();
    }

    const Module& module_;
    const lower::CompiledExpression& expression_;
    std::string refusal_;
    unsigned calls_ = 0;
};

} // namespace

bool changesOnlyOwnVariables(const Module& module, const lower::CompiledExpression& expression) {
    return expression.function != FuncId::None && Reached(module, expression.function).isContained();
}

std::string certainSideEffect(const Module& module, const lower::CompiledExpression& expression) {
    if (expression.function == FuncId::None) return "";
    Path path(module, expression);
    path.follow(expression.function);
    return path.refusal();
}

} // namespace sx::debugger
