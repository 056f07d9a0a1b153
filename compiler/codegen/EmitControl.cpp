// Branches, switches and panics.
//
// A phi has one value per predecessor block, a block parameter one per edge: where a terminator reaches a block
// with parameters twice, the second edge gets a block of its own.
#include "codegen/Emit.h"

#include "ir/Ops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/MDBuilder.h"

namespace sx::codegen {

namespace {

void addIncoming(FunctionEmitter& f, const ir::Target& target, llvm::BasicBlock* from) {
    const ir::Block& block = f.fn.blocks[static_cast<uint32_t>(target.block)];
    for (auto [param, arg] : llvm::zip_equal(block.params, f.fn.argsOf(target)))
        llvm::cast<llvm::PHINode>(f.value(param))->addIncoming(f.value(arg), from);
}

/// Where a terminator at the insertion point has to branch to; `taken` collects its targets with parameters.
llvm::BasicBlock* edge(FunctionEmitter& f, const ir::Target& target, llvm::SmallVectorImpl<ir::BlockId>& taken) {
    llvm::BasicBlock* block = f.block(target.block);
    if (target.argCount == 0) return block;
    if (!llvm::is_contained(taken, target.block)) {
        taken.push_back(target.block);
        addIncoming(f, target, f.b.GetInsertBlock());
        return block;
    }
    llvm::BasicBlock* between = llvm::BasicBlock::Create(f.module.context(), "", &f.out, block);
    llvm::BranchInst::Create(block, between);
    addIncoming(f, target, between);
    return between;
}

} // namespace

/// A jump that is a part of a statement belongs to what was done before it: to the end of a handler, and not to the
/// statement that the handler is a part of, at which one would stop again. The optimizer may leave nothing but the
/// jump, behind what it says of a variable that was given a value: then it is no place of the statement any more.
static llvm::DebugLoc jumpBehind(FunctionEmitter& f, const llvm::DebugLoc& before) {
    if (f.module.options().optLevel == 0 || !before) return before;
    llvm::DILocalScope* scope = before->getScope()->getNonLexicalBlockFileScope();
    return llvm::DILocation::get(f.module.context(), 0, 0, scope);
}

void emitBr(FunctionEmitter& f, const ir::Instr& i) {
    llvm::SmallVector<ir::BlockId, 4> taken;
    llvm::BasicBlock* block = f.b.GetInsertBlock();
    if (!block->empty() && !f.hasStatementToShow() && !f.module.options().originMarks)
        f.b.SetCurrentDebugLocation(jumpBehind(f, block->back().getDebugLoc()));
    f.b.CreateBr(edge(f, f.fn.targetsOf(i)[0], taken));
}

void emitCondBr(FunctionEmitter& f, const ir::Instr& i) {
    llvm::SmallVector<ir::BlockId, 4> taken;
    const ir::Target &ifTrue = f.fn.targetsOf(i)[0], &ifFalse = f.fn.targetsOf(i)[1];
    llvm::BasicBlock* trueBlock = edge(f, ifTrue, taken);
    llvm::BasicBlock* falseBlock = edge(f, ifFalse, taken);
    llvm::BranchInst* branch = f.b.CreateCondBr(f.operand(i, 0), trueBlock, falseBlock);
    bool trueIsCold = i.unlikely || f.isCold(ifTrue.block), falseIsCold = !i.unlikely && f.isCold(ifFalse.block);
    if (trueIsCold == falseIsCold || f.module.options().optLevel == 0) return;
    llvm::MDBuilder metadata(f.module.context());
    branch->setMetadata(llvm::LLVMContext::MD_prof,
                        trueIsCold ? metadata.createUnlikelyBranchWeights() : metadata.createLikelyBranchWeights());
}

void emitSwitch(FunctionEmitter& f, const ir::Instr& i) {
    llvm::SmallVector<ir::BlockId, 8> taken;
    llvm::ArrayRef<ir::Target> targets = f.fn.targetsOf(i);
    const std::vector<uint64_t>& values = f.fn.switches[i.imm].values;
    llvm::Value* subject = f.operand(i, 0);
    unsigned bits = subject->getType()->getIntegerBitWidth();
    f.setTerminatorApart();
    llvm::SwitchInst* dispatch = f.b.CreateSwitch(subject, edge(f, targets[0], taken), values.size());
    for (auto [bitsOfCase, target] : llvm::zip_equal(values, targets.drop_front()))
        dispatch->addCase(f.b.getInt(llvm::APInt(64, bitsOfCase).trunc(bits)), edge(f, target, taken));
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

/// Ends the block.
void callPanic(FunctionEmitter& f, ir::PanicKind kind, llvm::ArrayRef<ir::ValueId> operands, Span at) {
    llvm::SmallVector<llvm::Value*, 4> args{f.module.frames().position(at)};
    llvm::StringRef text = ir::infoOf(kind).message;
    if (panicCall(kind) == PanicCall::Message) args.append({f.module.frames().text(text), f.b.getInt64(text.size())});
    for (ir::ValueId v : operands) args.push_back(f.value(v));
    llvm::CallInst* call = f.b.CreateCall(f.module.runtime().panic(panicCall(kind)), args);
    call->setDoesNotReturn();
    call->addFnAttr(llvm::Attribute::NoMerge);
    f.b.CreateUnreachable();
}

} // namespace

void emitPanic(FunctionEmitter& f, const ir::Instr& i) {
    callPanic(f, static_cast<ir::PanicKind>(i.imm), f.fn.operandsOf(i), i.span);
}

/// The failing block goes after the function's other code.
void emitNullCheck(FunctionEmitter& f, const ir::Instr& i) {
    if (f.isRepeatedCheck(i)) return;
    llvm::Value* isNull = f.b.CreateIsNull(f.operand(i, 0));
    llvm::BasicBlock* failed = llvm::BasicBlock::Create(f.module.context(), "", &f.out);
    llvm::BasicBlock* next =
        llvm::BasicBlock::Create(f.module.context(), "", &f.out, f.b.GetInsertBlock()->getNextNode());
    llvm::BranchInst* branch = f.b.CreateCondBr(isNull, failed, next);
    if (f.module.options().optLevel > 0)
        branch->setMetadata(llvm::LLVMContext::MD_prof,
                            llvm::MDBuilder(f.module.context()).createUnlikelyBranchWeights());
    f.b.SetInsertPoint(failed);
    callPanic(f, ir::PanicKind::NullPointer, {}, i.span);
    f.b.SetInsertPoint(next);
}

} // namespace sx::codegen
