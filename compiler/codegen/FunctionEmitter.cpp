#include "codegen/FunctionEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

namespace sx::codegen {

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, const ir::Function& fn, llvm::Function& out,
                                 const Signature& signature)
    : module_(module), fn_(fn), out_(out), signature_(signature), b_(module.context()), values_(fn.instrs.size()),
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
    entry_ = llvm::BasicBlock::Create(module_.context(), "entry", &out_);
    order_ = reversePostorder(fn_);
    blocks_.resize(fn_.blocks.size());
    for (bool cold : {false, true})
        for (ir::BlockId id : order_)
            if (isCold(id) == cold)
                blocks_[static_cast<uint32_t>(id)] = llvm::BasicBlock::Create(module_.context(), "", &out_);
    for (ir::BlockId id : order_) {
        b_.SetInsertPoint(blocks_[static_cast<uint32_t>(id)]);
        for (ir::ValueId param : fn_.blocks[static_cast<uint32_t>(id)].params)
            values_[static_cast<uint32_t>(param)] = b_.CreatePHI(scalarType(fn_.instr(param).type), 2);
    }
}

void FunctionEmitter::emit() {
    if (module_.debug()) {
        module_.debug()->beginFunction(out_, fn_, signature_);
        for (const ir::Statement& s : fn_.statements) statements_[static_cast<uint32_t>(s.first)] = s.begin;
    }
    createBlocks();
    b_.SetInsertPoint(entry_);
    b_.CreateBr(blocks_[0]);
    for (ir::BlockId id : order_) {
        b_.SetInsertPoint(blocks_[static_cast<uint32_t>(id)]);
        for (ir::ValueId v : fn_.blocks[static_cast<uint32_t>(id)].instrs) emitInstruction(v);
    }
    if (module_.debug()) declareVariables();
}

void FunctionEmitter::declareVariables() {
    for (auto [slot, storage] : llvm::zip_equal(fn_.slots, slots_))
        if (slot.isVariable && storage) module_.debug()->declareVariable(slot, storage, entry_);
}

void FunctionEmitter::emitInstruction(ir::ValueId v) {
    const ir::Instr& instr = fn_.instr(v);
    if (instr.op == ir::Op::BlockParam) return; // a phi already
    if (module_.debug()) {
        bool isCall = instr.op == ir::Op::Call || instr.op == ir::Op::CallIndirect;
        b_.SetCurrentDebugLocation(module_.debug()->location(shownSpan(v), instr.scope, isCall));
    }
    values_[static_cast<uint32_t>(v)] = emitValue(instr);
}

namespace {
/// Nothing is emitted for it: its users name it.
bool isNamed(ir::Op op) {
    return op == ir::Op::Const || op == ir::Op::FuncAddr || op == ir::Op::GlobalAddr || op == ir::Op::TypeHandle ||
           op == ir::Op::SlotAddr || op == ir::Op::Undef || op == ir::Op::TraceFrame;
}
} // namespace

/// The first code of a statement stands where the statement begins, unless it is a call, which has its own place.
Span FunctionEmitter::shownSpan(ir::ValueId v) {
    const ir::Instr& instr = fn_.instr(v);
    if (auto it = statements_.find(static_cast<uint32_t>(v)); it != statements_.end()) begun_ = it->second;
    if (!begun_.isValid() || isNamed(instr.op)) return instr.span;
    SourcePos begin = std::exchange(begun_, {});
    bool isCall = instr.op == ir::Op::Call || instr.op == ir::Op::CallIndirect;
    return isCall || !instr.span.isValid() ? instr.span : Span{begin, std::max(begin + 1, instr.span.end)};
}

// clang-format off
#define IR_INT_OP(name, ...) case Op::name: return binary(Instruction::name, i);
#define IR_BIT_OP IR_INT_OP
#define IR_FLOAT_OP IR_INT_OP
#define IR_SHIFT_OP(name, ...) case Op::name: return shift(Instruction::name, i);
#define IR_MATH_OP(name, text, function, value) \
    case Op::name: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::function, operand(i, 0));
// clang-format on
llvm::Value* FunctionEmitter::emitValue(const ir::Instr& i) {
    using ir::Op;
    using llvm::Instruction;
    switch (i.op) {
    case Op::Const: return emitConst(i);
    case Op::FuncAddr: return module_.function(ir::FuncId(i.imm));
    case Op::GlobalAddr: return module_.global(ir::GlobalId(i.imm));
    case Op::TypeHandle: return module_.typeHandle(TypeId(i.imm));
    case Op::SlotAddr: return slot(ir::SlotId(i.imm));
    case Op::Param: return emitParam(i);
    case Op::BlockParam: return nullptr;
    case Op::Undef: return llvm::UndefValue::get(scalarType(i.type));

    case Op::Load: return loadScalar(i.type, operand(i, 0));
    case Op::Store: storeScalar(operandType(i, 1), operand(i, 1), operand(i, 0)); return nullptr;
    case Op::Copy: emitCopy(i); return nullptr;
    case Op::Zero: emitZero(i); return nullptr;
    case Op::CopyN: emitCopyN(i); return nullptr;
    case Op::Offset: return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), operand(i, 0), i.imm);
    case Op::Index: return b_.CreateInBoundsGEP(module_.types().bytes(i.imm), operand(i, 0), operand(i, 1));
    case Op::MemEq: return emitMemEq(i);
    case Op::NullCheck: emitNullCheck(i); return nullptr;

    case Op::FNeg: return b_.CreateFNeg(operand(i, 0));
#include "ir/Ops.def"

    case Op::ICmp: return emitICmp(i);
    case Op::FCmp: return emitFCmp(i);
    case Op::Select: return b_.CreateSelect(operand(i, 0), operand(i, 1), operand(i, 2));

    case Op::Trunc: return cast(Instruction::Trunc, i);
    case Op::ZExt: return cast(Instruction::ZExt, i);
    case Op::SExt: return cast(Instruction::SExt, i);
    case Op::IntToBool: return b_.CreateIsNotNull(operand(i, 0));
    case Op::SIntToFloat: return cast(Instruction::SIToFP, i);
    case Op::UIntToFloat: return cast(Instruction::UIToFP, i);
    case Op::FloatToSInt: return floatToInt(i, true);
    case Op::FloatToUInt: return floatToInt(i, false);
    case Op::FloatResize: return b_.CreateFPCast(operand(i, 0), scalarType(i.type));
    case Op::PtrToInt: return cast(Instruction::PtrToInt, i);
    case Op::IntToPtr: return cast(Instruction::IntToPtr, i);
    case Op::Reinterpret: return reinterpret(operand(i, 0), scalarType(i.type));

    case Op::Call: return emitCall(i);
    case Op::CallIndirect: return emitCallIndirect(i);

    case Op::AtomicLoad: return emitAtomicLoad(i);
    case Op::AtomicStore: emitAtomicStore(i); return nullptr;
    case Op::AtomicRmw: return emitAtomicRmw(i);
    case Op::AtomicCmpXchg: return emitCmpXchg(i);
    case Op::Fence: emitFence(i); return nullptr;

    case Op::TraceFrame: return emitTraceFrame(i);
    case Op::TraceRaise:
        return traceCall(TraceCall::Raise, {operand(i, 0), b_.CreateZExtOrTrunc(operand(i, 1), b_.getInt64Ty())});
    case Op::TracePush: return traceCall(TraceCall::Push, {operand(i, 0)});
    case Op::TraceLink: return traceCall(TraceCall::Link, {b_.getInt32(i.imm)});
    case Op::TraceAbsorb: return traceCall(TraceCall::Absorb, {});
    case Op::TraceCapture: return traceCall(TraceCall::Capture, {b_.getInt32(i.imm), operand(i, 0)});
    case Op::TraceResume: return traceCall(TraceCall::Resume, {operand(i, 0)});
    case Op::TraceCopy: return traceCall(TraceCall::Copy, {operand(i, 0), operand(i, 1)});
    case Op::TraceForget: return traceCall(TraceCall::Forget, {operand(i, 0)});
    case Op::TraceValues: emitTraceValues(i); return nullptr;
    case Op::TraceResolve: emitTraceResolve(i); return nullptr;

    case Op::IsComptime: return b_.getFalse();
    case Op::InlineAsm: emitAssembly(i); return nullptr;

    case Op::Br: emitBr(i); return nullptr;
    case Op::CondBr: emitCondBr(i); return nullptr;
    case Op::Switch: emitSwitch(i); return nullptr;
    case Op::Ret: emitRet(i); return nullptr;
    case Op::Panic: emitPanic(i); return nullptr;
    case Op::Unreachable: b_.CreateUnreachable(); return nullptr;
    }
    llvm_unreachable("no such operation");
}

llvm::Value* FunctionEmitter::emitConst(const ir::Instr& i) {
    llvm::Type* type = scalarType(i.type);
    if (type->isPointerTy())
        return i.imm == 0 ? static_cast<llvm::Value*>(llvm::Constant::getNullValue(type))
                          : b_.CreateIntToPtr(b_.getInt64(i.imm), type);
    if (type->isFloatTy())
        return llvm::ConstantFP::get(module_.context(),
                                     llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, i.imm)));
    if (type->isDoubleTy())
        return llvm::ConstantFP::get(module_.context(),
                                     llvm::APFloat(llvm::APFloat::IEEEdouble(), llvm::APInt(64, i.imm)));
    return llvm::ConstantInt::get(type, llvm::APInt(64, i.imm).trunc(type->getIntegerBitWidth()));
}

} // namespace sx::codegen
