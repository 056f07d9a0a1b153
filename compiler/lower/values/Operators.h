// Unary and binary operators on values (language 4.3, 4.6; types.md 3.1, 3.2).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerUnary(Body&, const ast::Unary&, TypeId target, ValueId dest);
Value lowerBinary(Body&, const ast::Binary&, TypeId target, ValueId dest);
Value arithmetic(Body&, ast::BinaryOp, Value lhs, Value rhs, const ast::Expr* lhsExpr, const ast::Expr* rhsExpr,
                 Span whole, Span op);
Value negate(Body&, const Value&, Span operand, Span whole);
/// One operation on scalars of one type, with the run-time checks of `/` and `%` (`op`: where they panic).
ValueId emitArithmetic(Body&, ast::BinaryOp, TypeId, ValueId, ValueId, Span op);

} // namespace sx::lower
