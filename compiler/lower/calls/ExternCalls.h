// Calls of extern functions: what C takes and gives instead of texts and slices, and C varargs
// (modules-and-comptime 8.1, 8.2).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Emits a call of an extern function. `args`: one value per fixed parameter, of its type; for C
/// varargs the extra values follow one by one, of the variadic's element type (never a slice of them).
Value emitExternCall(Body&, FunctionInstance&, llvm::ArrayRef<Value> args, Span at, ValueId dest);

} // namespace sx::lower
