// Loads, stores, copies, addresses and atomic operations.
#include "codegen/Emit.h"

#include "llvm/IR/Constants.h"

namespace sx::codegen {

// ---- scalars

llvm::Value* toStored(FunctionEmitter& f, TypeId t, llvm::Value* v) {
    llvm::Type* type = f.module.types().stored(t);
    if (v->getType() == type) return v;
    return f.module.types().isSigned(t) ? f.b.CreateSExt(v, type) : f.b.CreateZExt(v, type);
}

llvm::Value* fromStored(FunctionEmitter& f, TypeId t, llvm::Value* v) {
    llvm::Type* type = f.scalarType(t);
    return v->getType() == type ? v : f.b.CreateTrunc(v, type);
}

llvm::Value* loadScalar(FunctionEmitter& f, TypeId t, llvm::Value* ptr) {
    return fromStored(f, t, f.b.CreateLoad(f.module.types().stored(t), ptr));
}

void storeScalar(FunctionEmitter& f, TypeId t, llvm::Value* v, llvm::Value* ptr) {
    f.b.CreateStore(toStored(f, t, v), ptr);
}

// ---- plain memory

// Copies claim no alignment: an address may come from anywhere, and the processor does not mind.
static const llvm::MaybeAlign AnyAlign(1);

void emitCopy(FunctionEmitter& f, const ir::Instr& i) {
    f.b.CreateMemCpy(f.operand(i, 0), AnyAlign, f.operand(i, 1), AnyAlign, i.imm);
}

void emitZero(FunctionEmitter& f, const ir::Instr& i) {
    f.b.CreateMemSet(f.operand(i, 0), f.b.getInt8(0), i.imm, AnyAlign);
}

void emitCopyN(FunctionEmitter& f, const ir::Instr& i) {
    f.b.CreateMemMove(f.operand(i, 0), AnyAlign, f.operand(i, 1), AnyAlign, f.operand(i, 2));
}

llvm::Value* emitMemEq(FunctionEmitter& f, const ir::Instr& i) {
    llvm::CallInst* order =
        f.b.CreateCall(f.module.runtime().memcmp(), {f.operand(i, 0), f.operand(i, 1), f.operand(i, 2)});
    order->setDoesNotThrow();
    return f.b.CreateICmpEQ(order, f.b.getInt32(0));
}

// ---- atomics

namespace {

llvm::AtomicOrdering ordering(const ir::Instr& i) {
    switch (static_cast<ir::MemoryOrder>(i.pred)) {
    case ir::MemoryOrder::Relaxed: return llvm::AtomicOrdering::Monotonic;
    case ir::MemoryOrder::Acquire: return llvm::AtomicOrdering::Acquire;
    case ir::MemoryOrder::Release: return llvm::AtomicOrdering::Release;
    case ir::MemoryOrder::AcqRel: return llvm::AtomicOrdering::AcquireRelease;
    case ir::MemoryOrder::SeqCst: return llvm::AtomicOrdering::SequentiallyConsistent;
    }
    llvm_unreachable("no such memory order");
}

/// Loads cannot release and stores cannot acquire: they take the nearest order that they can have.
llvm::AtomicOrdering loadOrdering(const ir::Instr& i) {
    llvm::AtomicOrdering order = ordering(i);
    if (order == llvm::AtomicOrdering::Release) return llvm::AtomicOrdering::Monotonic;
    return order == llvm::AtomicOrdering::AcquireRelease ? llvm::AtomicOrdering::Acquire : order;
}

llvm::AtomicOrdering storeOrdering(const ir::Instr& i) {
    llvm::AtomicOrdering order = ordering(i);
    if (order == llvm::AtomicOrdering::Acquire) return llvm::AtomicOrdering::Monotonic;
    return order == llvm::AtomicOrdering::AcquireRelease ? llvm::AtomicOrdering::Release : order;
}

llvm::AtomicRMWInst::BinOp rmwOperation(ir::AtomicOp op, bool isSigned) {
    switch (op) {
    case ir::AtomicOp::Add: return llvm::AtomicRMWInst::Add;
    case ir::AtomicOp::Sub: return llvm::AtomicRMWInst::Sub;
    case ir::AtomicOp::And: return llvm::AtomicRMWInst::And;
    case ir::AtomicOp::Or: return llvm::AtomicRMWInst::Or;
    case ir::AtomicOp::Xor: return llvm::AtomicRMWInst::Xor;
    case ir::AtomicOp::Min: return isSigned ? llvm::AtomicRMWInst::Min : llvm::AtomicRMWInst::UMin;
    case ir::AtomicOp::Max: return isSigned ? llvm::AtomicRMWInst::Max : llvm::AtomicRMWInst::UMax;
    case ir::AtomicOp::Swap: return llvm::AtomicRMWInst::Xchg;
    }
    llvm_unreachable("no such atomic operation");
}

} // namespace

llvm::Value* emitAtomicLoad(FunctionEmitter& f, const ir::Instr& i) {
    llvm::LoadInst* load = f.b.CreateLoad(f.module.types().stored(i.type), f.operand(i, 0));
    load->setAtomic(loadOrdering(i));
    return fromStored(f, i.type, load);
}

void emitAtomicStore(FunctionEmitter& f, const ir::Instr& i) {
    f.b.CreateStore(toStored(f, f.operandType(i, 1), f.operand(i, 1)), f.operand(i, 0))->setAtomic(storeOrdering(i));
}

/// A relaxed fence orders nothing, and LLVM has none.
void emitFence(FunctionEmitter& f, const ir::Instr& i) {
    if (ordering(i) != llvm::AtomicOrdering::Monotonic) f.b.CreateFence(ordering(i));
}

/// The result is the value before.
llvm::Value* emitAtomicRmw(FunctionEmitter& f, const ir::Instr& i) {
    TypeId t = f.operandType(i, 1);
    auto operation = rmwOperation(static_cast<ir::AtomicOp>(i.imm), f.module.types().isSigned(t));
    return fromStored(f, t,
                      f.b.CreateAtomicRMW(operation, f.operand(i, 0), toStored(f, t, f.operand(i, 1)),
                                          llvm::MaybeAlign(), ordering(i)));
}

/// [ptr, expected, desired]: the result is the value found.
llvm::Value* emitCmpXchg(FunctionEmitter& f, const ir::Instr& i) {
    TypeId t = f.operandType(i, 1);
    llvm::Value* pair =
        f.b.CreateAtomicCmpXchg(f.operand(i, 0), toStored(f, t, f.operand(i, 1)), toStored(f, t, f.operand(i, 2)),
                                llvm::MaybeAlign(), ordering(i), loadOrdering(i));
    return fromStored(f, t, f.b.CreateExtractValue(pair, 0));
}

} // namespace sx::codegen
