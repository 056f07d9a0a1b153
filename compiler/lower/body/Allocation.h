// Memory that the language allocates by itself.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Allocates `byteCount` bytes (an i64) from `allocator`, or from the context's, or with malloc where there is no
/// context.
ValueId allocate(Body&, ValueId byteCount, const Value* allocator, Span at);
ValueId mallocBytes(Body&, ValueId byteCount, Span at);
/// Calls a C function by its symbol. It takes and yields scalars only.
Value callC(Body&, const char* symbol, TypeId result, llvm::ArrayRef<Value> args, Span at);

} // namespace sx::lower
