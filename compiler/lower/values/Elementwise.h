// Operators that work element by element: vectors, and the `+ *` of tuples (types.md 8.1, 12).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Arithmetic on vectors, lane by lane; a scalar operand counts for every lane.
Value vectorArithmetic(Body&, ast::BinaryOp, const Value& lhs, const Value& rhs, Span op);
/// Calls `body` with the index of every lane.
void forEachLane(Body&, uint64_t lanes, llvm::function_ref<void(ValueId index)> body);
/// `t + u` and `t * 3` of tuples. False: not these operands; nothing was reported.
bool tupleArithmetic(Body&, ast::BinaryOp, const Value& lhs, const Value& rhs, Value& out);

} // namespace sx::lower
