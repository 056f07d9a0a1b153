// What a Builder emits to compute scalars. Constants are folded.
#pragma once

#include "ir/Builder.h"

namespace sx::ir {

ValueId emitBinary(Builder&, Op, ValueId, ValueId);
ValueId emitUnary(Builder&, Op, ValueId); ///< FNeg, FSqrt, …
ValueId emitICmp(Builder&, ICmpPred, ValueId, ValueId);
ValueId emitFCmp(Builder&, FCmpPred, ValueId, ValueId);
ValueId emitSelect(Builder&, ValueId cond, ValueId ifTrue, ValueId ifFalse);
ValueId emitNot(Builder&, ValueId); ///< of a bool
/// Any conversion op. Between equal widths the integer and float ones are a Reinterpret or nothing. A float becomes a
/// narrow integer by way of 64 bits, so that the low bits are kept.
ValueId emitCast(Builder&, Op, ValueId, TypeId);

} // namespace sx::ir
