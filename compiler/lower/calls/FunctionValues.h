// Function pointers and closures as values: what Closures.cpp and FunctionValues.cpp share.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// A value of a closure type, made of its code and its environment.
Value closureOf(Body&, TypeId closure, ValueId code, ValueId env, ValueId dest = ValueId::None);
/// Whether a result can be passed on as another one without code in between: they are equal, or failables whose sets
/// alone differ, and the set fits.
bool sameResult(Body&, TypeId from, TypeId to);
/// What a function of type `from` can end with, values of the bare-`!` type `to` can (shape sets, errors.md 10.1).
void noteShape(Sema&, TypeId from, TypeId to, ErrorNode* errors = nullptr);

/// The type of the function that an expression names, where a type is expected; None, silently: it names none that has
/// one.
TypeId functionTypeNamed(Body&, const ast::Expr*);

} // namespace sx::lower
