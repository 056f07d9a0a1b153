// Learning what code is by lowering it into blocks that are thrown away.
//
// Nothing of it stays in the body; errors are reported, and come again, to no effect, when the code is lowered for
// good.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// What `lower` yields. Of the value only kind, type and flags count.
Value probe(Body&, llvm::function_ref<Value()> lower);

/// What an expression is that is evaluated later.
Value probeExpr(Body&, const ast::Expr*, TypeId target = TypeId::None);

} // namespace sx::lower
