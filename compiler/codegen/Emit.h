// What emits the code of a function: free functions over its FunctionEmitter, by the source that defines them.
#pragma once

#include "codegen/FunctionEmitter.h"

namespace sx::codegen {

// ---- FunctionEmitter.cpp

/// The dispatch: null for what has no value.
llvm::Value* emitValue(FunctionEmitter&, const ir::Instr&);

// ---- EmitControl.cpp

void emitBr(FunctionEmitter&, const ir::Instr&);
void emitCondBr(FunctionEmitter&, const ir::Instr&);
void emitSwitch(FunctionEmitter&, const ir::Instr&);
void emitPanic(FunctionEmitter&, const ir::Instr&);
void emitNullCheck(FunctionEmitter&, const ir::Instr&);

// ---- EmitValues.cpp

llvm::Value* emitConst(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitBinary(FunctionEmitter&, llvm::Instruction::BinaryOps, const ir::Instr&);
llvm::Value* emitShift(FunctionEmitter&, llvm::Instruction::BinaryOps, const ir::Instr&);
llvm::Value* emitCast(FunctionEmitter&, llvm::Instruction::CastOps, const ir::Instr&);
llvm::Value* emitICmp(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitFCmp(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitFloatToInt(FunctionEmitter&, const ir::Instr&, bool isSigned);
llvm::Value* emitReinterpret(FunctionEmitter&, llvm::Value*, llvm::Type* to);

// ---- EmitMemory.cpp

/// Widened as memory has it.
llvm::Value* toStored(FunctionEmitter&, TypeId, llvm::Value*);
llvm::Value* fromStored(FunctionEmitter&, TypeId, llvm::Value*);
llvm::Value* loadScalar(FunctionEmitter&, TypeId, llvm::Value* ptr);
void storeScalar(FunctionEmitter&, TypeId, llvm::Value*, llvm::Value* ptr);
void emitCopy(FunctionEmitter&, const ir::Instr&);
void emitZero(FunctionEmitter&, const ir::Instr&);
void emitCopyN(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitMemEq(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitAtomicLoad(FunctionEmitter&, const ir::Instr&);
void emitAtomicStore(FunctionEmitter&, const ir::Instr&);
void emitFence(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitAtomicRmw(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitCmpXchg(FunctionEmitter&, const ir::Instr&);

// ---- EmitCalls.cpp

llvm::Value* emitParam(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitCall(FunctionEmitter&, const ir::Instr&);
llvm::Value* emitCallIndirect(FunctionEmitter&, const ir::Instr&);
void emitRet(FunctionEmitter&, const ir::Instr&);

// ---- EmitAsm.cpp

void emitAssembly(FunctionEmitter&, const ir::Instr&);

// ---- EmitTraces.cpp

llvm::Value* emitTraceFrame(FunctionEmitter&, const ir::Instr&);
llvm::Value* traceCall(FunctionEmitter&, TraceCall, llvm::ArrayRef<llvm::Value*> args);
void emitTraceValues(FunctionEmitter&, const ir::Instr&);
void emitTraceResolve(FunctionEmitter&, const ir::Instr&);

} // namespace sx::codegen
