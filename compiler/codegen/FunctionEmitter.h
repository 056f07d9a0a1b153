// Emits the body of one function.
//
// Blocks become blocks, block parameters phis, slots allocas of the entry block. Blocks are visited in reverse
// postorder, so a value is emitted before its uses; they are laid out in that order too, the cold ones last.
// Every instruction passes `emitInstruction`, which is the place that knows its span and scope.
#pragma once

#include "codegen/ModuleEmitter.h"

#include "llvm/IR/IRBuilder.h"

namespace sx::codegen {

class FunctionEmitter {
public:
    FunctionEmitter(ModuleEmitter&, const ir::Function&, llvm::Function&, const Signature&);
    void emit();

private:
    using Operands = llvm::ArrayRef<ir::ValueId>;

    // ---- FunctionEmitter.cpp: blocks and dispatch
    void createBlocks();
    void emitInstruction(ir::ValueId);
    Span shownSpan(ir::ValueId);
    void declareVariables();
    llvm::Value* emitValue(const ir::Instr&);
    llvm::Value* value(ir::ValueId v) { return values_[static_cast<uint32_t>(v)]; }
    llvm::Value* operand(const ir::Instr& i, unsigned n) { return value(fn_.operandsOf(i)[n]); }
    TypeId operandType(const ir::Instr& i, unsigned n) const { return fn_.instr(fn_.operandsOf(i)[n]).type; }
    llvm::Value* emitConst(const ir::Instr&);

    // ---- EmitControl.cpp
    void emitBr(const ir::Instr&);
    void emitCondBr(const ir::Instr&);
    void emitSwitch(const ir::Instr&);
    void emitNullCheck(const ir::Instr&);
    void emitPanic(const ir::Instr&);
    void callPanic(ir::PanicKind, Operands, Span at); ///< ends the block
    llvm::BasicBlock* edge(const ir::Target&, llvm::SmallVectorImpl<ir::BlockId>& taken);
    void addIncoming(const ir::Target&, llvm::BasicBlock* from);
    bool isCold(ir::BlockId b) const { return fn_.blocks[static_cast<uint32_t>(b)].cold; }

    // ---- EmitValues.cpp: arithmetic, comparison, conversion
    llvm::Value* binary(llvm::Instruction::BinaryOps, const ir::Instr&);
    llvm::Value* shift(llvm::Instruction::BinaryOps, const ir::Instr&);
    llvm::Value* cast(llvm::Instruction::CastOps, const ir::Instr&);
    llvm::Value* emitICmp(const ir::Instr&);
    llvm::Value* emitFCmp(const ir::Instr&);
    llvm::Value* floatToInt(const ir::Instr&, bool isSigned);
    llvm::Value* reinterpret(llvm::Value*, llvm::Type* to);

    // ---- EmitMemory.cpp
    llvm::AllocaInst* storage(uint64_t size, uint64_t align); ///< in the entry block
    llvm::Value* slot(ir::SlotId);
    llvm::Value* loadScalar(TypeId, llvm::Value* ptr);
    void storeScalar(TypeId, llvm::Value*, llvm::Value* ptr);
    llvm::Value* toStored(TypeId, llvm::Value*); ///< widened as memory has it
    llvm::Value* fromStored(TypeId, llvm::Value*);
    void emitCopy(const ir::Instr&);
    void emitZero(const ir::Instr&);
    void emitCopyN(const ir::Instr&);
    llvm::Value* emitMemEq(const ir::Instr&);
    llvm::Value* emitAtomicLoad(const ir::Instr&);
    void emitAtomicStore(const ir::Instr&);
    llvm::Value* emitAtomicRmw(const ir::Instr&);
    llvm::Value* emitCmpXchg(const ir::Instr&);
    void emitFence(const ir::Instr&);

    // ---- EmitCalls.cpp
    llvm::Value* emitParam(const ir::Instr&);
    llvm::Value* emitCall(const ir::Instr&);
    llvm::Value* emitCallIndirect(const ir::Instr&);
    llvm::Value* finishCall(const ir::Instr&, const Signature&, llvm::Value* callee, Operands destAndArgs);
    void passArgument(ir::ValueId, const Passing&, llvm::SmallVectorImpl<llvm::Value*>& arguments);
    llvm::Value* variadicArgument(ir::ValueId);
    llvm::Value* receiveResult(const Passing&, llvm::Value* result, llvm::Value* dest);
    void emitRet(const ir::Instr&);
    llvm::Value* toAbi(const Passing&, llvm::Value*);
    llvm::Value* fromAbi(const Passing&, llvm::Value*);
    void loadPieces(const Passing&, llvm::Value* from, llvm::SmallVectorImpl<llvm::Value*>& pieces);
    void storePieces(const Passing&, llvm::ArrayRef<llvm::Value*> pieces, llvm::Value* to);

    // ---- EmitAsm.cpp
    struct Assembly;
    void emitAssembly(const ir::Instr&);
    void describeOperands(const ir::AsmBlock&, Operands values, Assembly& out);

    // ---- EmitTraces.cpp
    llvm::Value* emitTraceFrame(const ir::Instr&);
    llvm::Value* traceCall(TraceCall, llvm::ArrayRef<llvm::Value*> args);
    void emitTraceResolve(const ir::Instr&);
    void emitTraceValues(const ir::Instr&);
    llvm::Value* asWord(llvm::Value*);
    llvm::Value* wordsInMemory(llvm::ArrayRef<llvm::Value*> words);

    llvm::Type* scalarType(TypeId t) const { return module_.types().scalar(t); }

    ModuleEmitter& module_;
    const ir::Function& fn_;
    llvm::Function& out_;
    const Signature& signature_;
    llvm::IRBuilder<> b_;
    llvm::BasicBlock* entry_ = nullptr;              // allocas, then a branch to block 0
    std::vector<ir::BlockId> order_;                 // reachable blocks, in reverse postorder
    std::vector<llvm::BasicBlock*> blocks_;          // by BlockId; null: unreachable
    std::vector<llvm::Value*> values_;               // by ValueId
    std::vector<llvm::AllocaInst*> slots_;           // by SlotId, made at first use
    llvm::DenseMap<uint32_t, SourcePos> statements_; // by ValueId, where debug information is wanted
    SourcePos begun_;                                // a statement that has no code yet
};

} // namespace sx::codegen
