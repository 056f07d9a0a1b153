// Implicit conversions (types.md 16.1).
//
// `stepFor` names the one thing that turns a value into a type; `convertible` asks whether there is one, `convert`
// does it. So the table of the language reference stands in one place.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Without emitting or reporting.
bool convertible(Body&, const Value&, TypeId to);
Value wrapOptional(Body&, const Value&, TypeId optional, ValueId dest = ValueId::None);
/// Common type of value-if and match arms (types.md 15); None: they do not unify.
TypeId unify(Body&, const Value& a, TypeId other);
/// A scalar as another scalar type: numbers by value (narrowing keeps the low bits), anything else by its bits.
ValueId castScalar(Body&, ValueId, TypeId from, TypeId to);
/// Folds a compile-time float at an integer target, or reports that it is not integral (at its expression).
Value settleFloat(Body&, const Value&, TypeId target, Span at);

} // namespace sx::lower
