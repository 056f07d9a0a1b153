// Branches, switches and panics.
//
// A phi has one value per predecessor block, a block parameter one per edge: where a terminator reaches a block
// with parameters twice, the second edge gets a block of its own.
#include "codegen/FunctionEmitter.h"

#include "ir/Ops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/MDBuilder.h"

namespace sx::codegen {

void FunctionEmitter::addIncoming(const ir::Target& target, llvm::BasicBlock* from) {
    const ir::Block& block = fn_.blocks[static_cast<uint32_t>(target.block)];
    for (auto [param, arg] : llvm::zip_equal(block.params, fn_.argsOf(target)))
        llvm::cast<llvm::PHINode>(value(param))->addIncoming(value(arg), from);
}

/// Where a terminator at the insertion point has to branch to; `taken` collects its targets with parameters.
llvm::BasicBlock* FunctionEmitter::edge(const ir::Target& target, llvm::SmallVectorImpl<ir::BlockId>& taken) {
    llvm::BasicBlock* block = blocks_[static_cast<uint32_t>(target.block)];
    if (target.argCount == 0) return block;
    if (!llvm::is_contained(taken, target.block)) {
        taken.push_back(target.block);
        addIncoming(target, b_.GetInsertBlock());
        return block;
    }
    llvm::BasicBlock* between = llvm::BasicBlock::Create(module_.context(), "", &out_, block);
    llvm::BranchInst::Create(block, between);
    addIncoming(target, between);
    return between;
}

void FunctionEmitter::emitBr(const ir::Instr& i) {
    llvm::SmallVector<ir::BlockId, 4> taken;
    b_.CreateBr(edge(fn_.targetsOf(i)[0], taken));
}

void FunctionEmitter::emitCondBr(const ir::Instr& i) {
    llvm::SmallVector<ir::BlockId, 4> taken;
    const ir::Target &ifTrue = fn_.targetsOf(i)[0], &ifFalse = fn_.targetsOf(i)[1];
    llvm::BasicBlock* trueBlock = edge(ifTrue, taken);
    llvm::BasicBlock* falseBlock = edge(ifFalse, taken);
    llvm::BranchInst* branch = b_.CreateCondBr(operand(i, 0), trueBlock, falseBlock);
    bool trueIsCold = i.unlikely || isCold(ifTrue.block), falseIsCold = !i.unlikely && isCold(ifFalse.block);
    if (trueIsCold == falseIsCold || module_.options().optLevel == 0) return;
    llvm::MDBuilder metadata(module_.context());
    branch->setMetadata(llvm::LLVMContext::MD_prof,
                        trueIsCold ? metadata.createUnlikelyBranchWeights() : metadata.createLikelyBranchWeights());
}

void FunctionEmitter::emitSwitch(const ir::Instr& i) {
    llvm::SmallVector<ir::BlockId, 8> taken;
    llvm::ArrayRef<ir::Target> targets = fn_.targetsOf(i);
    const std::vector<uint64_t>& values = fn_.switches[i.imm].values;
    llvm::Value* subject = operand(i, 0);
    unsigned bits = subject->getType()->getIntegerBitWidth();
    llvm::SwitchInst* dispatch = b_.CreateSwitch(subject, edge(targets[0], taken), values.size());
    for (auto [bitsOfCase, target] : llvm::zip_equal(values, targets.drop_front()))
        dispatch->addCase(b_.getInt(llvm::APInt(64, bitsOfCase).trunc(bits)), edge(target, taken));
}

// ---- panics

namespace {

PanicCall panicCall(ir::PanicKind kind) {
    switch (kind) {
    case ir::PanicKind::Index: return PanicCall::Index;
    case ir::PanicKind::SliceBounds: return PanicCall::Slice;
    case ir::PanicKind::NullPointer: return PanicCall::Null;
    case ir::PanicKind::NullUnwrap:
    case ir::PanicKind::DivisionByZero:
    case ir::PanicKind::DivisionOverflow:
    case ir::PanicKind::Unreachable:
    case ir::PanicKind::TypeAssertion: break;
    }
    return PanicCall::Message;
}

} // namespace

void FunctionEmitter::emitPanic(const ir::Instr& i) {
    callPanic(static_cast<ir::PanicKind>(i.imm), fn_.operandsOf(i), i.span);
}

/// The failing block goes after the function's other code.
void FunctionEmitter::emitNullCheck(const ir::Instr& i) {
    llvm::Value* isNull = b_.CreateIsNull(operand(i, 0));
    llvm::BasicBlock* failed = llvm::BasicBlock::Create(module_.context(), "", &out_);
    llvm::BasicBlock* next = llvm::BasicBlock::Create(module_.context(), "", &out_, b_.GetInsertBlock()->getNextNode());
    llvm::BranchInst* branch = b_.CreateCondBr(isNull, failed, next);
    if (module_.options().optLevel > 0)
        branch->setMetadata(llvm::LLVMContext::MD_prof,
                            llvm::MDBuilder(module_.context()).createUnlikelyBranchWeights());
    b_.SetInsertPoint(failed);
    callPanic(ir::PanicKind::NullPointer, {}, i.span);
    b_.SetInsertPoint(next);
}

void FunctionEmitter::callPanic(ir::PanicKind kind, Operands operands, Span at) {
    llvm::SmallVector<llvm::Value*, 4> args{module_.frames().position(at)};
    llvm::StringRef text = ir::infoOf(kind).message;
    if (panicCall(kind) == PanicCall::Message) args.append({module_.frames().text(text), b_.getInt64(text.size())});
    for (ir::ValueId v : operands) args.push_back(value(v));
    llvm::CallInst* call = b_.CreateCall(module_.runtime().panic(panicCall(kind)), args);
    call->setDoesNotReturn();
    call->addFnAttr(llvm::Attribute::NoMerge);
    b_.CreateUnreachable();
}

} // namespace sx::codegen
