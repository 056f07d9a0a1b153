// `a[i]`, `a[i..j]`, `p.*` (types.md 9, 10).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerIndex(Body&, const ast::Index&);
Value lowerSlice(Body&, const ast::SliceExpr&);
Value lowerDeref(Body&, const ast::Deref&);

} // namespace sx::lower
