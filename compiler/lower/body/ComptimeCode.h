// Code in a body that runs while compiling: texts of `#insert`, formats, types that are built.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// A value that is known while compiling, with its type.
struct TypedConstant {
    TypeId type{};
    ConstValue value;
};

/// A call that yields a type, run while compiling (generics.md 10). None after a report. Once for each place.
TypeId buildType(Body&, const ast::Expr*);
/// It names a variable.
bool needsRunTime(Body&, const ast::Expr*);
/// Runs an expression while compiling; `what` it is, for messages. nullopt after a report.
std::optional<TypedConstant> evaluateComptime(Body&, const ast::Expr*, TypeId target, const std::string& what,
                                              bool isRun = false);

} // namespace sx::lower
