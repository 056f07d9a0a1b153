#include "vm/translate/Emit.h"

#include "llvm/Support/MathExtras.h"

namespace sx::vm {

using ir::Op;
using Home = ValuePlan::Home;

namespace {
constexpr Reg NoRegister = UINT16_MAX;
constexpr uint64_t LargestSmallSlot = 4096;    ///< bytes; larger ones live on the far stack
constexpr uint64_t SmallSlotBytes = 64 * 1024; ///< of one frame
constexpr uint32_t FrameAlign = 16;

/// A variable that only compiled code has; "" if the function uses none.
std::string missingVariable(Environment& environment, const ir::Function& fn) {
    ir::Module& module = environment.module();
    if (module.assembly.empty()) return {};
    for (const ir::Instr& i : fn.instrs) {
        if (i.op != Op::GlobalAddr || !module.global(static_cast<ir::GlobalId>(i.imm)).isExtern) continue;
        std::string problem = environment.definedInAssembly(module.global(static_cast<ir::GlobalId>(i.imm)).symbol);
        if (!problem.empty()) return problem;
    }
    return {};
}

} // namespace

Result<std::unique_ptr<FunctionCode>> translate(Environment& environment, ir::FuncId f) {
    const ir::Function& fn = environment.module().fn(f);
    if (std::string problem = missingVariable(environment, fn); !problem.empty()) return Failure{problem};
    Translator::Plan plan;
    for (;;) {
        auto made = std::make_unique<FunctionCode>();
        Translator::Plan better = plan;
        switch (Translator(environment, f, plan).run(*made, better)) {
        case Translator::Attempt::Done: return made;
        case Translator::Attempt::TryAgain: plan = std::move(better); continue;
        case Translator::Attempt::TooLarge:
            return Failure{"the function " + code(fn.name) + " is too large to be interpreted"};
        }
    }
}

Translator::Translator(Environment& environment, ir::FuncId f, const Plan& plan)
    : environment(environment), debugged(environment.isDebugged()), fn(environment.module().fn(f)), func(f),
      types(environment.module().types), analysis(environment.module(), fn, debugged),
      code(plan.wideBranches, debugged), plan(plan) {
    registers.assign(fn.instrs.size(), NoRegister);
    if (debugged) findStatements();
}

Translator::Attempt Translator::run(FunctionCode& out, Plan& better) {
    out.func = func;
    findLoops();
    assignFixed();
    layOutFrame();
    for (size_t i = 0; i < fn.blocks.size(); ++i) blockLabels.push_back(code.newLabel());

    code.setSpan(fn.span);
    if (farBytes != 0) code.emitPool(Opcode::EnterFar, farRegister, {farBytes, farAlign});
    for (size_t i = 0; i < plan.constants.size(); ++i) loadConstant(constantRegisters[i], plan.constants[i]);
    const std::vector<BlockId>& layout = analysis.layout();
    for (size_t i = 0; i < layout.size(); ++i) {
        nextBlock = i + 1 < layout.size() ? layout[i + 1] : BlockId::None;
        code.bind(labelOf(layout[i]));
        blockLoops = inLoop[static_cast<uint32_t>(layout[i])];
        emitBlock(*this, layout[i]);
        if (tooLarge) return Attempt::TooLarge;
    }
    if (plan.constants.empty() && !wanted.empty()) {
        better.constants = wanted;
        return Attempt::TryAgain;
    }
    uint32_t frameWords = static_cast<uint32_t>(llvm::alignTo(maxTemp, FrameAlign / 8));
    if (frameWords >= OutgoingBase - HeaderWords) return Attempt::TooLarge;
    code.finish(out, frameWords);
    out.argumentWords = static_cast<uint32_t>(fn.params.size()) + (ir::returnsInMemory(types, fn.result) ? 1 : 0);
    out.places = places;
    out.statements = std::move(statements);
    out.loopTests = std::move(loopTests);
    out.farBytes = farBytes;
    out.farRegister = farRegister;
    if (!code.overflowed()) return Attempt::Done;
    better.wideBranches = true;
    return Attempt::TryAgain;
}

/// A branch back in the order of the code makes a loop of what lies between.
void Translator::findLoops() {
    inLoop.assign(fn.blocks.size(), 0);
    const std::vector<BlockId>& layout = analysis.layout();
    std::vector<uint32_t> order(fn.blocks.size(), 0);
    for (uint32_t i = 0; i < layout.size(); ++i) order[static_cast<uint32_t>(layout[i])] = i;
    std::vector<int> change(layout.size() + 1, 0); // how many loops begin and end at each place
    for (uint32_t i = 0; i < layout.size(); ++i) {
        const Instr& last = instr(fn.blocks[static_cast<uint32_t>(layout[i])].instrs.back());
        for (const ir::Target& t : fn.targetsOf(last)) {
            uint32_t head = order[static_cast<uint32_t>(t.block)];
            if (head > i) continue;
            ++change[head];
            --change[i + 1];
        }
    }
    int depth = 0;
    for (uint32_t i = 0; i < layout.size(); ++i) {
        depth += change[i];
        inLoop[static_cast<uint32_t>(layout[i])] = depth > 0;
    }
}

// ---- frame

/// Registers that keep one meaning in the whole function: arguments, promoted slots, values of several blocks.
void Translator::assignFixed() {
    uint32_t next = static_cast<uint32_t>(fn.params.size());
    if (ir::returnsInMemory(types, fn.result)) ++next;
    auto take = [&] {
        if (next >= OutgoingBase) tooLarge = true;
        return static_cast<Reg>(next++);
    };
    places.resize(fn.slots.size());
    for (uint32_t s = 0; s < fn.slots.size(); ++s) {
        ir::SlotId slot{s};
        if (!analysis.isPromoted(slot)) continue;
        int32_t param = analysis.sharedParam(slot);
        places[s] = {SlotPlace::Kind::Register, param >= 0 ? static_cast<uint32_t>(param) : take()};
    }
    for (BlockId b : analysis.layout())
        for (ValueId v : fn.blocks[static_cast<uint32_t>(b)].instrs) {
            const ValuePlan& p = analysis.plan(v);
            if (instr(v).op == Op::Param) registers[raw(v)] = static_cast<Reg>(instr(v).imm);
            else if (p.home == Home::Register && p.crossBlock) registers[raw(v)] = take();
        }
    for (size_t i = 0; i < plan.constants.size(); ++i) constantRegisters.push_back(take());
    fixedEnd = next;
}

void Translator::layOutFrame() {
    frameEnd = static_cast<uint32_t>(llvm::alignTo(fixedEnd, FrameAlign / 8));
    for (uint32_t s = 0; s < fn.slots.size(); ++s)
        if (!analysis.isPromoted(ir::SlotId{s})) places[s] = placeSlot(ir::SlotId{s});
    if (farBytes != 0) farRegister = static_cast<Reg>(frameEnd++);
    if (frameEnd >= OutgoingBase) tooLarge = true;
    maxTemp = frameEnd;
}

SlotPlace Translator::placeSlot(ir::SlotId id) {
    const ir::Slot& slot = fn.slots[static_cast<uint32_t>(id)];
    uint64_t end = uint64_t{frameEnd} * 8 + slot.size;
    if (slot.size <= LargestSmallSlot && slot.align <= FrameAlign && end <= uint64_t{fixedEnd} * 8 + SmallSlotBytes) {
        uint64_t offset = llvm::alignTo(uint64_t{frameEnd} * 8, std::max<uint64_t>(slot.align, 8));
        frameEnd = static_cast<uint32_t>(llvm::divideCeil(offset + slot.size, 8));
        return {SlotPlace::Kind::Frame, static_cast<uint32_t>(offset)};
    }
    uint64_t offset = llvm::alignTo(farBytes, slot.align);
    farBytes = offset + slot.size;
    farAlign = std::max(farAlign, slot.align);
    if (farBytes > INT32_MAX) tooLarge = true;
    return {SlotPlace::Kind::Far, static_cast<uint32_t>(offset)};
}

// ---- blocks

void Translator::beginTemps() {
    temps.end = frameEnd;
    temps.free.clear();
    temps.scratch.clear();
    temps.live.clear();
}

void emitBlock(Translator& t, BlockId b) {
    t.beginTemps();
    t.checkedSlots.clear();
    if (t.debugged) t.beginBlock(b);
    for (ValueId v : t.fn.blocks[static_cast<uint32_t>(b)].instrs) {
        const ValuePlan& p = t.analysis.plan(v);
        if (t.debugged) t.placeMarks(v);
        if (p.home == Home::Register) {
            t.code.setSpan(t.instr(v).span);
            emitInstr(t, v);
        }
        t.endInstr(p.position);
    }
    if (t.debugged) t.endStatement();
}

/// Temporaries are free again after the last use of their value.
void Translator::endInstr(uint32_t position) {
    auto& [end, free, scratch, live] = temps;
    free.insert(free.end(), scratch.begin(), scratch.end());
    scratch.clear();
    for (size_t i = 0; i < live.size();) {
        if (live[i].lastUse > position) {
            ++i;
            continue;
        }
        free.push_back(live[i].reg);
        live[i] = live.back();
        live.pop_back();
    }
}

// clang-format off
#define IR_FLOAT_OP(name, ...) case Op::name: return emitFloat(t, i, v, Opcode::name##D, Opcode::name##S);
#define IR_FLOAT_SIGN_OP IR_FLOAT_OP
#define IR_MATH_OP(name, text, function, value) \
    case Op::name: return emitMath(t, i, v, #function, Opcode::name##D, Opcode::name##S);
// clang-format on
void emitInstr(Translator& t, ValueId v) {
    const Instr& i = t.instr(v);
    switch (i.op) {
    case Op::Param:
    case Op::BlockParam: return; // they are where they belong
    case Op::Const:
    case Op::FuncAddr:
    case Op::GlobalAddr:
    case Op::TypeHandle:
    case Op::SlotAddr:
    case Op::Undef:
    case Op::TraceFrame:
    case Op::IsComptime: return; // folded
    case Op::Load: return emitLoad(t, i, v);
    case Op::Store: return emitStore(t, i);
    case Op::Copy: return emitCopy(t, i);
    case Op::Zero: return emitZero(t, i);
    case Op::CopyN:
        if (!rejectGlobalWrite(t, t.operand(i, 0)))
            t.code.emit(Opcode::CopyN, t.use(t.operand(i, 0)), t.use(t.operand(i, 1)), t.use(t.operand(i, 2)));
        return;
    case Op::Offset: return emitOffset(t, i, v);
    case Op::Index: return emitIndex(t, i, v);
    case Op::MemEq: return emitMemEq(t, i, v);
    case Op::NullCheck: return emitNullCheck(t, i);
    case Op::Add:
    case Op::Sub: return emitAddSub(t, i, v);
    case Op::Mul: return emitMul(t, i, v);
    case Op::SDiv:
    case Op::UDiv:
    case Op::SRem:
    case Op::URem: return emitDivision(t, i, v);
    case Op::And:
    case Op::Or:
    case Op::Xor: return emitBitwise(t, i, v);
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: return emitShift(t, i, v);
#include "ir/Ops.def"
    case Op::ICmp:
    case Op::FCmp: return emitCompare(t, i, v);
    case Op::Select: return emitSelect(t, i, v);
    case Op::Trunc:
    case Op::PtrToInt: return emitTruncation(t, i, v);
    case Op::ZExt:
    case Op::IntToPtr: return emitZeroExtension(t, i, v);
    case Op::SExt: return emitSignExtension(t, i, v);
    case Op::IntToBool: return emitIntToBool(t, i, v);
    case Op::SIntToFloat:
    case Op::UIntToFloat: return emitIntToFloat(t, i, v);
    case Op::FloatToSInt:
    case Op::FloatToUInt: return emitFloatToInt(t, i, v);
    case Op::FloatResize: return emitFloatResize(t, i, v);
    case Op::Reinterpret: return emitReinterpret(t, i, v);
    case Op::Call: return emitCall(t, i, v);
    case Op::CallIndirect: return emitIndirectCall(t, i, v);
    case Op::AtomicLoad:
    case Op::AtomicStore:
    case Op::AtomicRmw:
    case Op::AtomicCmpXchg:
    case Op::Fence: return emitAtomic(t, i, v);
    case Op::TraceRaise:
    case Op::TracePush:
    case Op::TraceLink:
    case Op::TraceAbsorb:
    case Op::TraceCapture:
    case Op::TraceFind:
    case Op::TraceResume:
    case Op::TraceCopy:
    case Op::TraceForget:
    case Op::TraceValues:
    case Op::TraceResolve: return emitTrace(t, i, v);
    case Op::InlineAsm: // while compiling, the place is told of every failure
        return t.fail(t.environment.isComptime()
                          ? "assembly cannot be interpreted"
                          : "the assembly at " + t.environment.module().sources.placeOf(i.span.begin) +
                                " cannot be interpreted");
    case Op::Br:
    case Op::CondBr:
    case Op::Switch:
    case Op::Ret:
    case Op::Panic:
    case Op::Unreachable: return emitTerminator(t, i);
    }
}

} // namespace sx::vm
