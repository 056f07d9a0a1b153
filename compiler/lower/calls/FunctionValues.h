// Function pointers and closures as values: what Closures.cpp and FunctionValues.cpp share.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// `{code, env}` as a value of a closure type.
Value closureOf(Body&, TypeId closure, ValueId code, ValueId env, ValueId dest = ValueId::None);
/// Results that need no code in between: equal, or failables that differ in their set only (a set that fits).
bool sameResult(Body&, TypeId from, TypeId to);
/// What a function of type `from` can end with, values of the bare-`!` type `to` can (shape sets, errors.md 10.1).
void noteShape(Sema&, TypeId from, TypeId to, ErrorNode* errors = nullptr);

/// The type of the function that an expression names, where a type is expected; None, silently: it names none that has
/// one.
TypeId functionTypeNamed(Body&, const ast::Expr*);

} // namespace sx::lower
