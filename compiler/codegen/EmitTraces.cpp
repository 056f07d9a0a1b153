// Error return traces: calls of the runtime on failing paths.
#include "codegen/FunctionEmitter.h"

namespace sx::codegen {

/// The frame is the address of its record; it depends on nothing but the place of the instruction.
llvm::Value* FunctionEmitter::emitTraceFrame(const ir::Instr& i) {
    return b_.CreatePtrToInt(module_.frames().frame(i.span, fn_), b_.getInt64Ty());
}

llvm::Value* FunctionEmitter::traceCall(TraceCall call, llvm::ArrayRef<llvm::Value*> args) {
    return b_.CreateCall(module_.runtime().trace(call), args);
}

void FunctionEmitter::emitTraceResolve(const ir::Instr& i) {
    llvm::Value* record = b_.CreateIntToPtr(operand(i, 1), b_.getPtrTy());
    b_.CreateMemCpy(operand(i, 0), llvm::MaybeAlign(8), record, llvm::MaybeAlign(8), FrameTable::RecordSize);
}

} // namespace sx::codegen
