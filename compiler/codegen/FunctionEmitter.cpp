#include "codegen/Emit.h"

#include "ir/NullChecks.h"
#include "ir/Ops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"

namespace sx::codegen {

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, const ir::Function& fn, llvm::Function& out,
                                 const Signature& signature)
    : module(module), fn(fn), out(out), signature(signature), b(module.context()), values_(fn.instrs.size()),
      slots_(fn.slots.size()) {}

namespace {

/// The blocks that can be reached, in reverse postorder.
std::vector<ir::BlockId> reversePostorder(const ir::Function& fn) {
    struct Visit {
        ir::BlockId block;
        uint32_t nextTarget;
    };
    std::vector<ir::BlockId> order;
    std::vector<bool> seen(fn.blocks.size());
    std::vector<Visit> stack{{ir::BlockId(0), 0}};
    seen[0] = true;
    while (!stack.empty()) {
        Visit& top = stack.back();
        const ir::Block& block = fn.blocks[static_cast<uint32_t>(top.block)];
        llvm::ArrayRef<ir::Target> targets = fn.targetsOf(fn.instr(block.instrs.back()));
        if (top.nextTarget == targets.size()) {
            order.push_back(top.block);
            stack.pop_back();
            continue;
        }
        // From the last target to the first: then the first follows its block, as it does in the source.
        ir::BlockId next = targets[targets.size() - 1 - top.nextTarget++].block;
        if (seen[static_cast<uint32_t>(next)]) continue;
        seen[static_cast<uint32_t>(next)] = true;
        stack.push_back({next, 0});
    }
    std::reverse(order.begin(), order.end());
    return order;
}

} // namespace

void FunctionEmitter::createBlocks() {
    entry_ = llvm::BasicBlock::Create(module.context(), "entry", &out);
    order_ = reversePostorder(fn);
    blocks_.resize(fn.blocks.size());
    for (bool cold : {false, true})
        for (ir::BlockId id : order_)
            if (isCold(id) == cold)
                blocks_[static_cast<uint32_t>(id)] = llvm::BasicBlock::Create(module.context(), "", &out);
    for (ir::BlockId id : order_) {
        b.SetInsertPoint(blocks_[static_cast<uint32_t>(id)]);
        for (ir::ValueId param : fn.blocks[static_cast<uint32_t>(id)].params)
            values_[static_cast<uint32_t>(param)] = b.CreatePHI(scalarType(fn.instr(param).type), 2);
    }
}

void FunctionEmitter::emit() {
    if (module.debug()) module.debug()->beginFunction(out, fn, signature);
    if (module.debug() || module.options().statementCode) collectMarks();
    if (module.options().optLevel == 0) repeatedChecks_ = ir::repeatedNullChecks(fn);
    createBlocks();
    b.SetInsertPoint(entry_);
    b.CreateBr(blocks_[0]);
    for (ir::BlockId id : order_) {
        b.SetInsertPoint(blocks_[static_cast<uint32_t>(id)]);
        for (ir::ValueId v : fn.blocks[static_cast<uint32_t>(id)].instrs) emitInstruction(v);
    }
    if (module.debug()) declareVariables();
}

void FunctionEmitter::setTerminatorApart() {
    if (module.options().optLevel > 0) return;
    llvm::BasicBlock* apart = llvm::BasicBlock::Create(b.getContext(), "", &out, b.GetInsertBlock()->getNextNode());
    b.CreateBr(apart);
    b.SetInsertPoint(apart);
}

bool FunctionEmitter::beginReturnOf(llvm::Value* result) {
    if (module.options().optLevel > 0) return true;
    llvm::BasicBlock*& known = returns_[result];
    if (!known) {
        setTerminatorApart();
        known = b.GetInsertBlock();
        return true;
    }
    b.CreateBr(known);
    // It is a part of no statement any more.
    llvm::DILocation* nowhere =
        out.getSubprogram() ? llvm::DILocation::get(module.context(), 0, 0, out.getSubprogram()) : nullptr;
    for (llvm::Instruction& i : *known) i.setDebugLoc(nowhere);
    return false;
}

llvm::AllocaInst* FunctionEmitter::storage(uint64_t size, uint64_t align) {
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(entry_, entry_->begin());
    b.SetCurrentDebugLocation({});
    llvm::AllocaInst* bytes = b.CreateAlloca(module.types().bytes(std::max<uint64_t>(size, 1)));
    bytes->setAlignment(llvm::Align(std::max<uint64_t>(align, 1)));
    return bytes;
}

llvm::AllocaInst* FunctionEmitter::slot(ir::SlotId id) {
    llvm::AllocaInst*& made = slots_[static_cast<uint32_t>(id)];
    const ir::Slot& slot = fn.slots[static_cast<uint32_t>(id)];
    if (made) return made;
    made = storage(slot.size, slot.align);
    if (slot.name != Name::None) made->setName(module.ir().types.names().text(slot.name));
    return made;
}

void FunctionEmitter::declareVariables() {
    for (uint32_t i = 0; i < fn.slots.size(); ++i) {
        const ir::Slot& slot = fn.slots[i];
        if (!slots_[i]) continue;
        if (slot.isVariable) module.debug()->declareVariable(slot, slots_[i], entry_);
        else if (slot.type == TypeId::None) module.debug()->declareTrace(i, slots_[i], entry_);
    }
}

/// A jump to what follows, as that of a `break` or of an `if` that is decided while compiling.
static bool mayHaveNoCode(FunctionEmitter& f, const ir::Instr& instr) {
    if (!f.module.options().statementCode) return false;
    return instr.op == ir::Op::Br || (instr.op == ir::Op::CondBr && llvm::isa<llvm::Constant>(f.operand(instr, 0)));
}

/// An instruction that does nothing, for debuggers to stop at.
static void emitPlace(FunctionEmitter& f) {
    auto* type = llvm::FunctionType::get(f.b.getVoidTy(), false);
    f.b.CreateCall(type, llvm::InlineAsm::get(type, "nop", "", /*hasSideEffects=*/true));
}

static const llvm::Instruction* lastOf(const llvm::BasicBlock* block) {
    return block->empty() ? nullptr : &block->back();
}

void FunctionEmitter::emitInstruction(ir::ValueId v) {
    const ir::Instr& instr = fn.instr(v);
    if (instr.op == ir::Op::BlockParam) return; // a phi already
    if (module.debug() || module.options().statementCode) begin(v);
    if (module.debug()) {
        bool isCall = instr.op == ir::Op::Call || instr.op == ir::Op::CallIndirect;
        uint32_t marks = module.options().statementMarks ? ir::CodeMarks{statement_, errorEvent_}.encode(fn) + 1 : 0;
        b.SetCurrentDebugLocation(module.options().originMarks
                                      ? module.debug()->origin(v)
                                      : module.debug()->location(shownSpan(instr), instr.scope, isCall, marks));
    }
    bool isMarked = statement_ != ir::CodeMarks::None || errorEvent_ != ir::CodeMarks::None;
    if (isMarked && mayHaveNoCode(*this, instr)) emitPlace(*this);
    const llvm::Instruction* before = lastOf(b.GetInsertBlock());
    values_[static_cast<uint32_t>(v)] = emitValue(*this, instr);
    // What acts may need no code, as a check that came before already.
    if (ir::hasEffect(instr.op) && lastOf(b.GetInsertBlock()) != before) statement_ = errorEvent_ = ir::CodeMarks::None;
}

/// The first of the statements that begin at an instruction, and its first event.
void FunctionEmitter::collectMarks() {
    for (uint32_t i = 0; i < fn.statements.size(); ++i)
        statements_.try_emplace(static_cast<uint32_t>(fn.statements[i].first), i);
    for (uint32_t i = 0; i < fn.errorEvents.size(); ++i)
        errorEvents_.try_emplace(static_cast<uint32_t>(ir::codeOfErrorEvent(fn, fn.errorEvents[i])), i);
}

/// A mark holds until something acts: what only computes may be a part of what uses it, or have no code at all.
void FunctionEmitter::begin(ir::ValueId v) {
    if (auto it = statements_.find(static_cast<uint32_t>(v)); it != statements_.end()) {
        statement_ = it->second;
        uint32_t last = statement_; // of those that begin here
        while (last + 1 < fn.statements.size() && fn.statements[last + 1].first == v) ++last;
        begun_ = fn.statements[last].begin;
    }
    if (auto it = errorEvents_.find(static_cast<uint32_t>(v)); it != errorEvents_.end()) errorEvent_ = it->second;
}

namespace {
/// Nothing is emitted for it: its users name it.
bool isNamed(ir::Op op) {
    return op == ir::Op::Const || op == ir::Op::FuncAddr || op == ir::Op::GlobalAddr || op == ir::Op::TypeHandle ||
           op == ir::Op::SlotAddr || op == ir::Op::Undef || op == ir::Op::TraceFrame;
}
} // namespace

/// The first code of a statement stands where the statement begins, unless it is a call, which has its own place.
Span FunctionEmitter::shownSpan(const ir::Instr& instr) {
    if (!begun_.isValid() || isNamed(instr.op)) return instr.span;
    SourcePos begin = std::exchange(begun_, {});
    bool isCall = instr.op == ir::Op::Call || instr.op == ir::Op::CallIndirect;
    bool isShown = !isCall && (instr.span.isValid() || module.options().statementMarks);
    return isShown ? Span{begin, std::max(begin + 1, instr.span.end)} : instr.span;
}

// clang-format off
#define IR_INT_OP(name, ...) case Op::name: return emitBinary(f, Instruction::name, i);
#define IR_BIT_OP IR_INT_OP
#define IR_FLOAT_OP IR_INT_OP
#define IR_SHIFT_OP(name, ...) case Op::name: return emitShift(f, Instruction::name, i);
#define IR_MATH_OP(name, text, function, value) \
    case Op::name: return f.b.CreateUnaryIntrinsic(llvm::Intrinsic::function, f.operand(i, 0));
// clang-format on
llvm::Value* emitValue(FunctionEmitter& f, const ir::Instr& i) {
    using ir::Op;
    using llvm::Instruction;
    switch (i.op) {
    case Op::Const: return emitConst(f, i);
    case Op::FuncAddr: return f.module.function(ir::FuncId(i.imm));
    case Op::GlobalAddr: return f.module.global(ir::GlobalId(i.imm));
    case Op::TypeHandle: return f.module.typeHandle(TypeId(i.imm));
    case Op::SlotAddr: return f.slot(ir::SlotId(i.imm));
    case Op::Param: return emitParam(f, i);
    case Op::BlockParam: return nullptr;
    case Op::Undef: return llvm::UndefValue::get(f.scalarType(i.type));

    case Op::Load: return loadScalar(f, i.type, f.operand(i, 0));
    case Op::Store: storeScalar(f, f.operandType(i, 1), f.operand(i, 1), f.operand(i, 0)); return nullptr;
    case Op::Copy: emitCopy(f, i); return nullptr;
    case Op::Zero: emitZero(f, i); return nullptr;
    case Op::CopyN: emitCopyN(f, i); return nullptr;
    case Op::Offset: return f.b.CreateConstInBoundsGEP1_64(f.b.getInt8Ty(), f.operand(i, 0), i.imm);
    case Op::Index: return f.b.CreateInBoundsGEP(f.module.types().bytes(i.imm), f.operand(i, 0), f.operand(i, 1));
    case Op::MemEq: return emitMemEq(f, i);
    case Op::NullCheck: emitNullCheck(f, i); return nullptr;

    case Op::FNeg: return f.b.CreateFNeg(f.operand(i, 0));
#include "ir/Ops.def"

    case Op::ICmp: return emitICmp(f, i);
    case Op::FCmp: return emitFCmp(f, i);
    case Op::Select: return f.b.CreateSelect(f.operand(i, 0), f.operand(i, 1), f.operand(i, 2));

    case Op::Trunc: return emitCast(f, Instruction::Trunc, i);
    case Op::ZExt: return emitCast(f, Instruction::ZExt, i);
    case Op::SExt: return emitCast(f, Instruction::SExt, i);
    case Op::IntToBool: return f.b.CreateIsNotNull(f.operand(i, 0));
    case Op::SIntToFloat: return emitCast(f, Instruction::SIToFP, i);
    case Op::UIntToFloat: return emitCast(f, Instruction::UIToFP, i);
    case Op::FloatToSInt: return emitFloatToInt(f, i, true);
    case Op::FloatToUInt: return emitFloatToInt(f, i, false);
    case Op::FloatResize: return f.b.CreateFPCast(f.operand(i, 0), f.scalarType(i.type));
    case Op::PtrToInt: return emitCast(f, Instruction::PtrToInt, i);
    case Op::IntToPtr: return emitCast(f, Instruction::IntToPtr, i);
    case Op::Reinterpret: return emitReinterpret(f, f.operand(i, 0), f.scalarType(i.type));

    case Op::Call: return emitCall(f, i);
    case Op::CallIndirect: return emitCallIndirect(f, i);

    case Op::AtomicLoad: return emitAtomicLoad(f, i);
    case Op::AtomicStore: emitAtomicStore(f, i); return nullptr;
    case Op::AtomicRmw: return emitAtomicRmw(f, i);
    case Op::AtomicCmpXchg: return emitCmpXchg(f, i);
    case Op::Fence: emitFence(f, i); return nullptr;

    case Op::TraceFrame: return emitTraceFrame(f, i);
    case Op::TraceRaise:
        return traceCall(f, TraceCall::Raise,
                         {f.operand(i, 0), f.b.CreateZExtOrTrunc(f.operand(i, 1), f.b.getInt64Ty())});
    case Op::TracePush: return traceCall(f, TraceCall::Push, {f.operand(i, 0)});
    case Op::TraceLink: return traceCall(f, TraceCall::Link, {f.b.getInt32(i.imm)});
    case Op::TraceAbsorb: return traceCall(f, TraceCall::Absorb, {});
    case Op::TraceCapture: return traceCall(f, TraceCall::Capture, {f.b.getInt32(i.imm), f.operand(i, 0)});
    case Op::TraceFind:
    case Op::TraceResume:
        return traceCall(f, i.op == Op::TraceFind ? TraceCall::Find : TraceCall::Resume,
                         {f.operand(i, 0), f.b.CreateZExtOrTrunc(f.operand(i, 1), f.b.getInt64Ty())});
    case Op::TraceCopy: return traceCall(f, TraceCall::Copy, {f.operand(i, 0), f.operand(i, 1)});
    case Op::TraceForget: return traceCall(f, TraceCall::Forget, {f.operand(i, 0)});
    case Op::TraceValues: emitTraceValues(f, i); return nullptr;
    case Op::TraceResolve: emitTraceResolve(f, i); return nullptr;

    case Op::IsComptime: return f.b.getFalse();
    case Op::InlineAsm: emitAssembly(f, i); return nullptr;

    case Op::Br: emitBr(f, i); return nullptr;
    case Op::CondBr: emitCondBr(f, i); return nullptr;
    case Op::Switch: emitSwitch(f, i); return nullptr;
    case Op::Ret: emitRet(f, i); return nullptr;
    case Op::Panic: emitPanic(f, i); return nullptr;
    case Op::Unreachable: f.b.CreateUnreachable(); return nullptr;
    }
    llvm_unreachable("no such operation");
}

} // namespace sx::codegen
