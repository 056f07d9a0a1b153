// Calls of extern functions: what C takes and gives instead of texts and slices, and C varargs
// (modules-and-comptime 8.1, 8.2).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Emits a call of an extern function. `args`: one value per fixed parameter, of its type; for C
/// varargs the extra values follow one by one, of the variadic's element type (never a slice of them).
Value emitExternCall(Body&, FunctionInstance&, llvm::ArrayRef<Value> args, Span at, ValueId dest);

/// The operand for one argument of C varargs: after C's default promotions, the address of a struct.
ValueId promotedForC(Body&, const Value&);
/// The type to call through. Structs among variable arguments (`args` behind the parameters of `machine`) need one that
/// lists all arguments as parameters, with nothing behind them; else it is `machine` itself.
TypeId listedForC(Body&, TypeId machine, llvm::ArrayRef<Value> args, llvm::ArrayRef<ValueId> operands);

} // namespace sx::lower
