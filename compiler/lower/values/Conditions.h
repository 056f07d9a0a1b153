// Conditions, `and`/`or`, narrowing facts, and conditions that are decided while compiling (language 4.5, 4.7, 5.6).
#pragma once

#include "lower/body/Body.h"
#include "lower/body/Narrowing.h"

namespace sx::lower {

/// Lowers the logical `and` and `or`.
Value lowerLogic(Body&, const ast::Binary&);
/// A condition (language 4.5) as an i1; None after a report.
ValueId lowerCondition(Body&, const ast::Expr*);
/// The same for a value.
ValueId conditionOf(Body&, const Value&, Span at);
/// Branches on a condition and adds to `Facts` what it proves on either side.
void lowerBranch(Body&, const ast::Expr* cond, BlockId ifTrue, BlockId ifFalse, Facts&);
/// Decides a condition that is constant (language 4.7, modules-and-comptime 4.3) and emits nothing. nullopt: it is
/// known at run time only.
std::optional<bool> foldCondition(Body&, const ast::Expr*, bool inlineIf);

} // namespace sx::lower
