// Loads, stores, copies, addresses and atomic operations.
#include "codegen/FunctionEmitter.h"

#include "llvm/IR/Constants.h"

namespace sx::codegen {

llvm::AllocaInst* FunctionEmitter::storage(uint64_t size, uint64_t align) {
    llvm::IRBuilder<>::InsertPointGuard guard(b_);
    b_.SetInsertPoint(entry_, entry_->begin());
    b_.SetCurrentDebugLocation({});
    llvm::AllocaInst* bytes = b_.CreateAlloca(module_.types().bytes(std::max<uint64_t>(size, 1)));
    bytes->setAlignment(llvm::Align(std::max<uint64_t>(align, 1)));
    return bytes;
}

llvm::Value* FunctionEmitter::slot(ir::SlotId id) {
    llvm::AllocaInst*& made = slots_[static_cast<uint32_t>(id)];
    const ir::Slot& slot = fn_.slots[static_cast<uint32_t>(id)];
    if (made) return made;
    made = storage(slot.size, slot.align);
    if (slot.name != Name::None) made->setName(module_.ir().types.names().text(slot.name));
    return made;
}

// ---- scalars

llvm::Value* FunctionEmitter::toStored(TypeId t, llvm::Value* v) {
    llvm::Type* type = module_.types().stored(t);
    if (v->getType() == type) return v;
    return module_.types().isSigned(t) ? b_.CreateSExt(v, type) : b_.CreateZExt(v, type);
}

llvm::Value* FunctionEmitter::fromStored(TypeId t, llvm::Value* v) {
    llvm::Type* type = scalarType(t);
    return v->getType() == type ? v : b_.CreateTrunc(v, type);
}

llvm::Value* FunctionEmitter::loadScalar(TypeId t, llvm::Value* ptr) {
    return fromStored(t, b_.CreateLoad(module_.types().stored(t), ptr));
}

void FunctionEmitter::storeScalar(TypeId t, llvm::Value* v, llvm::Value* ptr) { b_.CreateStore(toStored(t, v), ptr); }

// ---- plain memory

// Copies claim no alignment: an address may come from anywhere, and the processor does not mind.
static const llvm::MaybeAlign AnyAlign(1);

void FunctionEmitter::emitCopy(const ir::Instr& i) {
    b_.CreateMemCpy(operand(i, 0), AnyAlign, operand(i, 1), AnyAlign, i.imm);
}

void FunctionEmitter::emitZero(const ir::Instr& i) { b_.CreateMemSet(operand(i, 0), b_.getInt8(0), i.imm, AnyAlign); }

void FunctionEmitter::emitCopyN(const ir::Instr& i) {
    b_.CreateMemMove(operand(i, 0), AnyAlign, operand(i, 1), AnyAlign, operand(i, 2));
}

llvm::Value* FunctionEmitter::emitMemEq(const ir::Instr& i) {
    llvm::CallInst* order = b_.CreateCall(module_.runtime().memcmp(), {operand(i, 0), operand(i, 1), operand(i, 2)});
    order->setDoesNotThrow();
    return b_.CreateICmpEQ(order, b_.getInt32(0));
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

llvm::Value* FunctionEmitter::emitAtomicLoad(const ir::Instr& i) {
    llvm::LoadInst* load = b_.CreateLoad(module_.types().stored(i.type), operand(i, 0));
    load->setAtomic(loadOrdering(i));
    return fromStored(i.type, load);
}

void FunctionEmitter::emitAtomicStore(const ir::Instr& i) {
    b_.CreateStore(toStored(operandType(i, 1), operand(i, 1)), operand(i, 0))->setAtomic(storeOrdering(i));
}

/// A relaxed fence orders nothing, and LLVM has none.
void FunctionEmitter::emitFence(const ir::Instr& i) {
    if (ordering(i) != llvm::AtomicOrdering::Monotonic) b_.CreateFence(ordering(i));
}

/// The result is the value before.
llvm::Value* FunctionEmitter::emitAtomicRmw(const ir::Instr& i) {
    TypeId t = operandType(i, 1);
    auto operation = rmwOperation(static_cast<ir::AtomicOp>(i.imm), module_.types().isSigned(t));
    return fromStored(
        t, b_.CreateAtomicRMW(operation, operand(i, 0), toStored(t, operand(i, 1)), llvm::MaybeAlign(), ordering(i)));
}

/// [ptr, expected, desired]: the result is the value found.
llvm::Value* FunctionEmitter::emitCmpXchg(const ir::Instr& i) {
    TypeId t = operandType(i, 1);
    llvm::Value* pair = b_.CreateAtomicCmpXchg(operand(i, 0), toStored(t, operand(i, 1)), toStored(t, operand(i, 2)),
                                               llvm::MaybeAlign(), ordering(i), loadOrdering(i));
    return fromStored(t, b_.CreateExtractValue(pair, 0));
}

} // namespace sx::codegen
