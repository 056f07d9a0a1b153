// Comparison operators (language 4.4; types.md 3.1, 3.2, 7.7, 8.1, 11.6): what may be compared with what, and how
// operands of different types meet. Equality of whole values is in Equality.cpp.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerCompareChain(Body&, const ast::CompareChain&);
Value compare(Body&, ast::BinaryOp, Value lhs, Value rhs, Span lhsAt, Span rhsAt, Span whole);
Value lowerComparison(Body&, const ast::Binary&);
/// Lowers `v in t`.
Value lowerMembership(Body&, const ast::Binary&);

} // namespace sx::lower
