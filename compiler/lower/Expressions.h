// Expressions: the dispatch over their kinds, and what becomes of a value where one is needed.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value dispatchExpr(Body&, const ast::Expr*, TypeId target, ValueId dest);
/// `#run e` inside a body.
Value lowerRun(Body&, const ast::Run&, TypeId target);

} // namespace sx::lower
