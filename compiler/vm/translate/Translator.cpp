#include "vm/translate/Translator.h"

#include "llvm/Support/MathExtras.h"

namespace sx::vm {

using ir::Op;
using Home = ValuePlan::Home;

namespace {
constexpr Reg NoRegister = UINT16_MAX;
constexpr uint64_t LargestSmallSlot = 4096;    ///< bytes; larger ones live on the far stack
constexpr uint64_t SmallSlotBytes = 64 * 1024; ///< of one frame
constexpr uint32_t FrameAlign = 16;
constexpr uint32_t raw(ir::ValueId v) { return static_cast<uint32_t>(v); }

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
    : environment_(environment), fn_(environment.module().fn(f)), func_(f), types_(environment.module().types),
      analysis_(environment.module(), fn_), code_(plan.wideBranches), plan_(plan) {
    registers_.assign(fn_.instrs.size(), NoRegister);
}

Translator::Attempt Translator::run(FunctionCode& out, Plan& better) {
    out.func = func_;
    findLoops();
    assignFixed();
    layOutFrame();
    for (size_t i = 0; i < fn_.blocks.size(); ++i) blockLabels_.push_back(code_.newLabel());

    code_.setSpan(fn_.span);
    if (farBytes_ != 0) code_.emitPool(Opcode::EnterFar, farRegister_, {farBytes_, farAlign_});
    for (size_t i = 0; i < plan_.constants.size(); ++i) loadConstant(constantRegisters_[i], plan_.constants[i]);
    const std::vector<BlockId>& layout = analysis_.layout();
    for (size_t i = 0; i < layout.size(); ++i) {
        nextBlock_ = i + 1 < layout.size() ? layout[i + 1] : BlockId::None;
        code_.bind(labelOf(layout[i]));
        blockLoops_ = inLoop_[static_cast<uint32_t>(layout[i])];
        emitBlock(layout[i]);
        if (tooLarge_) return Attempt::TooLarge;
    }
    if (plan_.constants.empty() && !wanted_.empty()) {
        better.constants = wanted_;
        return Attempt::TryAgain;
    }
    uint32_t frameWords = static_cast<uint32_t>(llvm::alignTo(maxTemp_, FrameAlign / 8));
    if (frameWords >= OutgoingBase - HeaderWords) return Attempt::TooLarge;
    code_.finish(out, frameWords);
    out.places = places_;
    out.farBytes = farBytes_;
    out.farRegister = farRegister_;
    if (!code_.overflowed()) return Attempt::Done;
    better.wideBranches = true;
    return Attempt::TryAgain;
}

/// A branch back in the order of the code makes a loop of what lies between.
void Translator::findLoops() {
    inLoop_.assign(fn_.blocks.size(), 0);
    const std::vector<BlockId>& layout = analysis_.layout();
    std::vector<uint32_t> order(fn_.blocks.size(), 0);
    for (uint32_t i = 0; i < layout.size(); ++i) order[static_cast<uint32_t>(layout[i])] = i;
    std::vector<int> change(layout.size() + 1, 0); // how many loops begin and end at each place
    for (uint32_t i = 0; i < layout.size(); ++i) {
        const Instr& last = instr(fn_.blocks[static_cast<uint32_t>(layout[i])].instrs.back());
        for (const ir::Target& t : fn_.targetsOf(last)) {
            uint32_t head = order[static_cast<uint32_t>(t.block)];
            if (head > i) continue;
            ++change[head];
            --change[i + 1];
        }
    }
    int depth = 0;
    for (uint32_t i = 0; i < layout.size(); ++i) {
        depth += change[i];
        inLoop_[static_cast<uint32_t>(layout[i])] = depth > 0;
    }
}

// ---- frame

/// Registers that keep one meaning in the whole function: arguments, promoted slots, values of several blocks.
void Translator::assignFixed() {
    uint32_t next = static_cast<uint32_t>(fn_.params.size());
    if (ir::returnsInMemory(types_, fn_.result)) ++next;
    auto take = [&] {
        if (next >= OutgoingBase) tooLarge_ = true;
        return static_cast<Reg>(next++);
    };
    places_.resize(fn_.slots.size());
    for (uint32_t s = 0; s < fn_.slots.size(); ++s) {
        ir::SlotId slot{s};
        if (!analysis_.isPromoted(slot)) continue;
        int32_t param = analysis_.sharedParam(slot);
        places_[s] = {SlotPlace::Kind::Register, param >= 0 ? static_cast<uint32_t>(param) : take()};
    }
    for (BlockId b : analysis_.layout())
        for (ValueId v : fn_.blocks[static_cast<uint32_t>(b)].instrs) {
            const ValuePlan& p = analysis_.plan(v);
            if (instr(v).op == Op::Param) registers_[raw(v)] = static_cast<Reg>(instr(v).imm);
            else if (p.home == Home::Register && p.crossBlock) registers_[raw(v)] = take();
        }
    for (size_t i = 0; i < plan_.constants.size(); ++i) constantRegisters_.push_back(take());
    fixedEnd_ = next;
}

void Translator::layOutFrame() {
    frameEnd_ = static_cast<uint32_t>(llvm::alignTo(fixedEnd_, FrameAlign / 8));
    for (uint32_t s = 0; s < fn_.slots.size(); ++s)
        if (!analysis_.isPromoted(ir::SlotId{s})) places_[s] = placeSlot(ir::SlotId{s});
    if (farBytes_ != 0) farRegister_ = static_cast<Reg>(frameEnd_++);
    if (frameEnd_ >= OutgoingBase) tooLarge_ = true;
    maxTemp_ = frameEnd_;
}

SlotPlace Translator::placeSlot(ir::SlotId id) {
    const ir::Slot& slot = fn_.slots[static_cast<uint32_t>(id)];
    uint64_t end = uint64_t{frameEnd_} * 8 + slot.size;
    if (slot.size <= LargestSmallSlot && slot.align <= FrameAlign && end <= uint64_t{fixedEnd_} * 8 + SmallSlotBytes) {
        uint64_t offset = llvm::alignTo(uint64_t{frameEnd_} * 8, std::max<uint64_t>(slot.align, 8));
        frameEnd_ = static_cast<uint32_t>(llvm::divideCeil(offset + slot.size, 8));
        return {SlotPlace::Kind::Frame, static_cast<uint32_t>(offset)};
    }
    uint64_t offset = llvm::alignTo(farBytes_, slot.align);
    farBytes_ = offset + slot.size;
    farAlign_ = std::max(farAlign_, slot.align);
    if (farBytes_ > INT32_MAX) tooLarge_ = true;
    return {SlotPlace::Kind::Far, static_cast<uint32_t>(offset)};
}

// ---- blocks

void Translator::beginTemps() {
    temps_.end = frameEnd_;
    temps_.free.clear();
    temps_.scratch.clear();
    temps_.live.clear();
}

void Translator::emitBlock(BlockId b) {
    beginTemps();
    checkedSlots_.clear();
    for (ValueId v : fn_.blocks[static_cast<uint32_t>(b)].instrs) {
        const ValuePlan& p = analysis_.plan(v);
        if (p.home == Home::Register) {
            code_.setSpan(instr(v).span);
            emitInstr(v);
        }
        endInstr(p.position);
    }
}

/// Temporaries are free again after the last use of their value.
void Translator::endInstr(uint32_t position) {
    auto& [end, free, scratch, live] = temps_;
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
#define IR_FLOAT_OP(name, ...) case Op::name: return emitFloat(i, v, Opcode::name##D, Opcode::name##S);
#define IR_FLOAT_SIGN_OP IR_FLOAT_OP
#define IR_MATH_OP(name, text, function, value) \
    case Op::name: return emitMath(i, v, #function, Opcode::name##D, Opcode::name##S);
// clang-format on
void Translator::emitInstr(ValueId v) {
    const Instr& i = instr(v);
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
    case Op::Load: return emitLoad(i, v);
    case Op::Store: return emitStore(i);
    case Op::Copy: return emitCopy(i);
    case Op::Zero: return emitZero(i);
    case Op::CopyN:
        if (!rejectGlobalWrite(operand(i, 0)))
            code_.emit(Opcode::CopyN, use(operand(i, 0)), use(operand(i, 1)), use(operand(i, 2)));
        return;
    case Op::Offset: return emitOffset(i, v);
    case Op::Index: return emitIndex(i, v);
    case Op::MemEq: return emitMemEq(i, v);
    case Op::NullCheck: return emitNullCheck(i);
    case Op::Add:
    case Op::Sub: return emitAddSub(i, v);
    case Op::Mul: return emitMul(i, v);
    case Op::SDiv:
    case Op::UDiv:
    case Op::SRem:
    case Op::URem: return emitDivision(i, v);
    case Op::And:
    case Op::Or:
    case Op::Xor: return emitBitwise(i, v);
    case Op::Shl:
    case Op::LShr:
    case Op::AShr: return emitShift(i, v);
#include "ir/Ops.def"
    case Op::ICmp:
    case Op::FCmp: return emitCompare(i, v);
    case Op::Select: return emitSelect(i, v);
    case Op::Trunc:
    case Op::PtrToInt: return emitTruncation(i, v);
    case Op::ZExt:
    case Op::IntToPtr: return emitZeroExtension(i, v);
    case Op::SExt: return emitSignExtension(i, v);
    case Op::IntToBool: return emitIntToBool(i, v);
    case Op::SIntToFloat:
    case Op::UIntToFloat: return emitIntToFloat(i, v);
    case Op::FloatToSInt:
    case Op::FloatToUInt: return emitFloatToInt(i, v);
    case Op::FloatResize: return emitFloatResize(i, v);
    case Op::Reinterpret: return emitReinterpret(i, v);
    case Op::Call: return emitCall(i, v);
    case Op::CallIndirect: return emitIndirectCall(i, v);
    case Op::AtomicLoad:
    case Op::AtomicStore:
    case Op::AtomicRmw:
    case Op::AtomicCmpXchg:
    case Op::Fence: return emitAtomic(i, v);
    case Op::TraceRaise:
    case Op::TracePush:
    case Op::TraceLink:
    case Op::TraceAbsorb:
    case Op::TraceCapture:
    case Op::TraceResume:
    case Op::TraceCopy:
    case Op::TraceForget:
    case Op::TraceValues:
    case Op::TraceResolve: return emitTrace(i, v);
    case Op::InlineAsm: // while compiling, the place is told of every failure
        return fail(environment_.isComptime()
                        ? "assembly cannot be interpreted"
                        : "the assembly at " + environment_.module().sources.placeOf(i.span.begin) +
                              " cannot be interpreted");
    case Op::Br:
    case Op::CondBr:
    case Op::Switch:
    case Op::Ret:
    case Op::Panic:
    case Op::Unreachable: return emitTerminator(i);
    }
}

} // namespace sx::vm
