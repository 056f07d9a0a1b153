// Memory that the language allocates by itself, and small functions that the compiler makes.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// `byteCount` bytes (i64) from `allocator`, or from the context's, or from malloc where there is no context.
ValueId allocate(Body&, ValueId byteCount, const Value* allocator, Span at);
ValueId mallocBytes(Body&, ValueId byteCount, Span at);
/// Calls a C function by its symbol; scalars only.
Value callC(Body&, const char* symbol, TypeId result, llvm::ArrayRef<Value> args, Span at);

} // namespace sx::lower
