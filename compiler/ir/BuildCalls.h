// What a Builder emits for calls.
#pragma once

#include "ir/Builder.h"

namespace sx::ir {

ValueId emitCall(Builder&, FuncId, llvm::ArrayRef<ValueId> args);                ///< scalar or void result
void emitCallInto(Builder&, FuncId, ValueId dest, llvm::ArrayRef<ValueId> args); ///< aggregate result
ValueId emitCallIndirect(Builder&, ValueId callee, TypeId fnType, llvm::ArrayRef<ValueId> args,
                         ValueId dest = ValueId::None);
/// The frame of `at` in a trace; the other trace instructions use the current span.
ValueId emitTraceFrame(Builder&, Span at);

} // namespace sx::ir
