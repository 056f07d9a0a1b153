// What a Builder emits to end a block.
#pragma once

#include "ir/Builder.h"

#include <utility>

namespace sx::ir {

void emitBr(Builder&, BlockId, llvm::ArrayRef<ValueId> args = {});
void emitCondBr(Builder&, ValueId cond, BlockId ifTrue, BlockId ifFalse, bool trueIsUnlikely = false);
void emitCondBr(Builder&, ValueId cond, BlockId ifTrue, llvm::ArrayRef<ValueId> trueArgs, BlockId ifFalse,
                llvm::ArrayRef<ValueId> falseArgs);
void emitSwitch(Builder&, ValueId, BlockId otherwise, llvm::ArrayRef<std::pair<uint64_t, BlockId>> cases);
void emitRet(Builder&);
void emitRet(Builder&, ValueId); ///< a scalar, or the address of the aggregate
void emitPanic(Builder&, PanicKind, Span at, llvm::ArrayRef<ValueId> operands = {});
void emitUnreachable(Builder&);

} // namespace sx::ir
