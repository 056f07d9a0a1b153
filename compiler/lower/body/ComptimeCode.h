// Code in a body that runs while compiling: texts of `#insert`, formats, types that are built.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// A value that is known while compiling, with its type.
struct TypedConstant {
    TypeId type{};
    ConstValue value;
};

/// Runs a call that yields a type while compiling (generics.md 10), once for each place. None after a report.
TypeId buildType(Body&, const ast::Expr*);
/// Whether an expression names a variable, so that nothing can be known of it while compiling.
bool needsRunTime(Body&, const ast::Expr*);
/// Who wants a value while compiling.
enum class Wants : uint8_t {
    Argument, ///< of a `$` parameter: what the running program may have changed is none
    Insert,   ///< the operand of `#insert`
    Run,      ///< `#run`
};
/// The value of an expression that must be known while compiling. nullopt after a report, which calls it `what`.
std::optional<TypedConstant> evaluateComptime(Body&, const ast::Expr*, TypeId target, const std::string& what, Wants);

} // namespace sx::lower
