#include "debugger/evaluate/Machine.h"

#include "debugger/evaluate/Refusals.h"
#include "ir/Folding.h"
#include "ir/Ops.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sx::debugger {

using namespace ir;

namespace {

/// At the clock. A step takes a tenth of a millisecond where it writes the program's memory.
constexpr uint32_t StepsBetweenLooks = 256;
constexpr std::chrono::milliseconds TimeBetweenAsks{20};

uint64_t slotBytes(const TypeTable& types, const Slot& slot) {
    return slot.size != 0 || slot.type == TypeId::None ? slot.size : sizeOf(types, slot.type);
}

} // namespace

// ---- calls

Result<uint64_t> Machine::run(FuncId function, llvm::ArrayRef<uint64_t> args, Rights rights, Limits limits) {
    frames_.clear();
    values_.clear();
    args_.clear();
    failure_.clear();
    refusedWrite_.reset();
    lastWords_.clear();
    rights_ = rights;
    limits_ = limits;
    hasCalled_ = isRefused_ = false;
    settledFrees_ = 0;
    nextAsk_ = std::chrono::steady_clock::now();
    end_ = nextAsk_ + limits.time;
    memory_.keepForUndo(rights.mayWrite);
    Result<uint64_t> result = runToEnd(function, args);
    bool isUndone = !result && (!hasCalled_ || isRefused_);
    if (isUndone) {
        memory_.undo();
        heldFrees_.resize(settledFrees_);
    }
    memory_.keepForUndo(false);
    if (heldFrees_.empty()) return result;
    for (auto [free, block] : std::exchange(heldFrees_, {}))
        (void)rights.host->call(*free, 0, CValue{free->params[0], block}, {});
    memory_.program.forget();
    return result;
}

Result<uint64_t> Machine::runToEnd(FuncId function, llvm::ArrayRef<uint64_t> args) {
    if (!enter(module_.fn(function), args, 0)) return Failure{failure_};
    while (!frames_.empty())
        if (!stepsOn()) return Failure{failure_};
    return result_;
}

Machine::Step Machine::enter(const Function& fn, llvm::ArrayRef<uint64_t> args, uint64_t destination) {
    if (fn.blocks.empty()) return fail(code(fn.name) + " has no code that could be evaluated");
    bool isDeep = frames_.size() >= limits_.frames || values_.size() + fn.instrs.size() > limits_.values;
    if (isDeep) return fail("the calls are nested too deeply");
    Frame frame{&fn, values_.size(), args_.size(), memory_.stackTop(), destination, {}};
    frame.slots.reserve(fn.slots.size());
    for (const Slot& slot : fn.slots) {
        frame.slots.push_back(memory_.push(slotBytes(module_.types, slot)));
        if (frame.slots.back() == 0) return fail("the evaluation needs too much memory");
    }
    args_.insert(args_.end(), args.begin(), args.end());
    values_.resize(values_.size() + fn.instrs.size());
    frames_.push_back(std::move(frame));
    return true;
}

/// Goes back to the caller with the result, after the instruction that called.
Machine::Step Machine::leave(const Instr& ret) {
    Frame& frame = frames_.back();
    uint64_t result = ret.operandCount != 0 ? operand(ret, 0) : 0;
    TypeId type = frame.fn->result;
    if (returnsInMemory(module_.types, type) && !copy(frame.destination, result, sizeOf(module_.types, type)))
        return false;
    values_.resize(frame.values);
    args_.resize(frame.args);
    if (frames_.size() > 1) memory_.popTo(frame.stackTop);
    frames_.pop_back();
    result_ = result;
    if (frames_.empty()) return true;
    Frame& caller = frames_.back();
    ValueId call = caller.fn->blocks[static_cast<uint32_t>(caller.block)].instrs[caller.next - 1];
    values_[caller.values + static_cast<uint32_t>(call)] = result;
    return true;
}

Machine::Step Machine::call(const Instr& i, const Function& fn, unsigned firstArg, uint64_t address) {
    uint64_t destination = 0;
    if (returnsInMemory(module_.types, fn.result)) destination = operand(i, firstArg++);
    llvm::SmallVector<uint64_t, 8> args;
    llvm::SmallVector<TypeId, 8> types;
    for (unsigned k = firstArg; k < i.operandCount; ++k) {
        args.push_back(operand(i, k));
        types.push_back(args.size() <= fn.params.size() ? fn.params[args.size() - 1] : operandType(i, k));
    }
    if (!fn.isExtern && args.size() != fn.params.size())
        return fail("the call of " + code(fn.name) + " does not fit it");
    if (!fn.isExtern) return enter(fn, args, destination);
    uint64_t out = 0;
    bool isDone = address != 0 ? callInProgram(fn, address, args, types, destination, out)
                               : callC(fn, args, types, destination, out);
    if (!isDone) return false;
    if (fn.result == TypeId::Void || destination != 0) return true;
    size_t at = frames_.back().values + static_cast<size_t>(&i - frames_.back().fn->instrs.data());
    values_[at] = lowBits(valueBits(module_.types, i.type), out);
    return true;
}

Machine::Step Machine::callIndirect(const Instr& i) {
    uint64_t address = operand(i, 0);
    if (address == 0) return fail(std::string(infoOf(PanicKind::NullPointer).message));
    std::optional<FuncId> function = addresses_.functionAt(address);
    if (function) return call(i, module_.fn(*function), 1);
    const FunctionInfo& info = module_.types.functionInfo(static_cast<TypeId>(i.imm));
    if (info.conv != CallConv::C || !callsProgram())
        return fail("has side effects: it calls code that is not of the program");
    std::optional<CodeName> name = addresses_.codeAt(address);
    Function ofC;
    ofC.name = ofC.symbol = name ? name->name : hexText(address);
    ofC.params = info.params;
    ofC.result = info.result;
    ofC.cVariadic = info.cVariadic;
    ofC.isExtern = true;
    return call(i, ofC, 1, address);
}

// ---- control

/// Executes up to the end of a block, or to a call.
bool Machine::stepsOn() {
    size_t depth = frames_.size();
    if (!isInTime()) return false;
    for (;;) {
        Frame& frame = frames_.back();
        const Function& fn = *frame.fn;
        ValueId v = fn.blocks[static_cast<uint32_t>(frame.block)].instrs[frame.next++];
        const Instr& i = fn.instr(v);
        if (i.op == Op::Ret) return leave(i);
        if (isTerminator(i.op)) return branch(i);
        uint64_t out = 0;
        if (!execute(i, out)) return false;
        if (frames_.size() != depth) return true;
        bool isCall = i.op == Op::Call || i.op == Op::CallIndirect; // one of C has stored its result
        if (!isCall && i.op != Op::BlockParam) values_[frame.values + static_cast<uint32_t>(v)] = out;
    }
}

/// Now and then, or if it `looks`: at the clock, and whether somebody has cancelled it.
Machine::Step Machine::isInTime(bool looks) {
    if (!looks && ++steps_ % StepsBetweenLooks != 0) return true;
    auto now = std::chrono::steady_clock::now();
    if (limits_.isCancelled && (looks || now >= nextAsk_)) {
        nextAsk_ = now + TimeBetweenAsks;
        if (limits_.isCancelled()) return fail("cancelled");
    }
    if (now < end_) return true;
    return fail("it did not end within " + std::to_string(limits_.time.count()) + " ms");
}

Machine::Step Machine::branch(const Instr& i) {
    const Function& fn = *frames_.back().fn;
    switch (i.op) {
    case Op::Br: return go(fn.targetsOf(i)[0]);
    case Op::CondBr: return go(fn.targetsOf(i)[(operand(i, 0) & 1) != 0 ? 0 : 1]);
    case Op::Switch: {
        const std::vector<uint64_t>& cases = fn.switches[i.imm].values;
        auto taken = std::find(cases.begin(), cases.end(), operand(i, 0));
        return go(fn.targetsOf(i)[taken == cases.end() ? 0 : 1 + (taken - cases.begin())]);
    }
    case Op::Panic: return panic(i);
    default: return fail(std::string(infoOf(PanicKind::Unreachable).message));
    }
}

Machine::Step Machine::go(const Target& target) {
    Frame& frame = frames_.back();
    const Block& block = frame.fn->blocks[static_cast<uint32_t>(target.block)];
    llvm::SmallVector<uint64_t, 8> args;
    for (ValueId v : frame.fn->argsOf(target)) args.push_back(value(v));
    for (size_t k = 0; k < args.size(); ++k) values_[frame.values + static_cast<uint32_t>(block.params[k])] = args[k];
    frame.block = target.block;
    frame.next = 0;
    return true;
}

Machine::Step Machine::panic(const Instr& i) {
    auto kind = static_cast<PanicKind>(i.imm);
    std::string text;
    unsigned k = 0;
    llvm::StringRef rest(infoOf(kind).message);
    while (true) {
        auto [before, after] = rest.split("{}");
        text += before;
        if (before.size() == rest.size()) return fail(text);
        uint64_t word = operand(i, k++);
        TypeId named = kind == PanicKind::TypeAssertion ? addresses_.typeAt(word) : TypeId::None;
        text += named != TypeId::None ? writtenName(module_.types, named) : std::to_string(static_cast<int64_t>(word));
        rest = after;
    }
}

// ---- values

// clang-format off
#define IR_CAST_OP(name, ...) case Op::name: return cast(i, out);
#define IR_INT_OP(name, ...) case Op::name: return arithmetic(i, out);
#define IR_BIT_OP IR_INT_OP
#define IR_FLOAT_OP IR_INT_OP
#define IR_FLOAT_SIGN_OP IR_INT_OP
#define IR_MATH_OP(name, text, function, value) \
    case Op::name: \
        out = floatBits(valueBits(module_.types, i.type), \
                        std::function(floatValue(valueBits(module_.types, i.type), operand(i, 0)))); \
        return true;
// clang-format on
Machine::Step Machine::execute(const Instr& i, uint64_t& out) {
    switch (i.op) {
    case Op::Const: out = i.imm; return true;
    case Op::Param: out = args_[frames_.back().args + i.imm]; return true;
    case Op::FuncAddr:
    case Op::GlobalAddr:
    case Op::TypeHandle:
    case Op::SlotAddr: return address(i, out);
    case Op::BlockParam:
    case Op::Undef:
    case Op::Fence:
    case Op::IsComptime: return true;
    case Op::Call: return call(i, module_.fn(static_cast<FuncId>(i.imm)), 0);
    case Op::CallIndirect: return callIndirect(i);
    case Op::InlineAsm: return fail(refusals::HoldsAssembly);
    // Errors of evaluated code leave no trace.
    case Op::TraceFrame:
    case Op::TraceRaise:
    case Op::TracePush:
    case Op::TraceLink:
    case Op::TraceAbsorb:
    case Op::TraceCapture:
    case Op::TraceFind:
    case Op::TraceResume:
    case Op::TraceCopy:
    case Op::TraceForget:
    case Op::TraceValues: return true;
    case Op::TraceResolve: return fail("an evaluation has no error return trace");
    case Op::Offset: out = operand(i, 0) + i.imm; return true;
    case Op::Index: out = operand(i, 0) + operand(i, 1) * i.imm; return true;
    case Op::Select: out = operand(i, (operand(i, 0) & 1) != 0 ? 1 : 2); return true;
    case Op::ICmp:
        out = foldICmp(static_cast<ICmpPred>(i.pred), valueBits(module_.types, operandType(i, 0)), operand(i, 0),
                       operand(i, 1));
        return true;
    case Op::FCmp:
        out = foldFCmp(static_cast<FCmpPred>(i.pred), valueBits(module_.types, operandType(i, 0)), operand(i, 0),
                       operand(i, 1));
        return true;
#include "ir/Ops.def"
    default: return access(i, out);
    }
}

Machine::Step Machine::arithmetic(const Instr& i, uint64_t& out) {
    unsigned bits = valueBits(module_.types, i.type);
    std::optional<uint64_t> folded = i.operandCount == 1 ? foldUnary(i.op, bits, operand(i, 0))
                                                         : foldBinary(i.op, bits, operand(i, 0), operand(i, 1));
    if (folded) {
        out = *folded;
        return true;
    }
    switch (i.op) {
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: return true; // by too many bits: any value will do
    default: break;
    }
    PanicKind kind = operand(i, 1) == 0 ? PanicKind::DivisionByZero : PanicKind::DivisionOverflow;
    return fail(std::string(infoOf(kind).message));
}

Machine::Step Machine::cast(const Instr& i, uint64_t& out) {
    uint64_t from = operand(i, 0);
    if (i.op == Op::IntToPtr || i.op == Op::PtrToInt) {
        out = from;
        return true;
    }
    unsigned bits = valueBits(module_.types, i.type);
    // A float that no such integer is near to becomes the most negative one, as on the machines.
    out = foldCast(i.op, valueBits(module_.types, operandType(i, 0)), bits, from)
              .value_or(lowBits(bits, uint64_t{1} << 63));
    return true;
}

Machine::Step Machine::address(const Instr& i, uint64_t& out) {
    std::optional<uint64_t> found;
    std::string what;
    switch (i.op) {
    case Op::SlotAddr: found = frames_.back().slots[i.imm]; break;
    case Op::FuncAddr: found = addresses_.addressOf(static_cast<FuncId>(i.imm)); break;
    case Op::TypeHandle:
        found = addresses_.descriptorOf(static_cast<TypeId>(i.imm));
        if (!found) what = "the type " + code(writtenName(module_.types, static_cast<TypeId>(i.imm)));
        break;
    default:
        found = addresses_.addressOf(static_cast<GlobalId>(i.imm));
        if (!found) what = code(module_.global(static_cast<GlobalId>(i.imm)).name);
        break;
    }
    if (!found) return fail("the program that runs does not have " + what);
    out = *found;
    return true;
}

} // namespace sx::debugger
