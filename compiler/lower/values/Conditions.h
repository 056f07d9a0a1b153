// Conditions, `and`/`or`, narrowing facts, and conditions that are decided while compiling (language 4.5, 4.7, 5.6).
#pragma once

#include "lower/body/Body.h"
#include "lower/body/Narrowing.h"

namespace sx::lower {

/// And, or (logical).
Value lowerLogic(Body&, const ast::Binary&);
/// A condition (language 4.5) as an i1; None after a report.
ValueId lowerCondition(Body&, const ast::Expr*);
ValueId conditionOf(Body&, const Value&, Span at);
void lowerBranch(Body&, const ast::Expr* cond, BlockId ifTrue, BlockId ifFalse, Facts&);
/// Decides a constant condition without emitting (4.7, modules-and-comptime 4.3). nullopt: run time.
std::optional<bool> foldCondition(Body&, const ast::Expr*, bool inlineIf);

} // namespace sx::lower
