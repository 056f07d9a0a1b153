// Code in a body that runs while compiling: texts of `#insert`, formats, types that are built.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// The string of an `#insert` operand, a `$fmt` argument…: evaluated at compile time. nullopt after a report.
/// A call that yields a type, run while compiling (generics.md 10). None after a report. Once for each place.
TypeId buildType(Body&, const ast::Expr*);
/// It names a variable.
bool needsRunTime(Body&, const ast::Expr*);
std::optional<ConstValue> evaluateComptime(Body&, const ast::Expr*, TypeId target, const std::string& what,
                                           bool isRun = false);

} // namespace sx::lower
