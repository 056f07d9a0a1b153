// Implicit conversions (types.md 16.1).
//
// `stepFor` names the one thing that turns a value into a type; `convertible` asks whether there is one, `convert`
// does it. So the table of the language reference stands in one place.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Whether `convert` would succeed. Emits and reports nothing.
bool convertible(Body&, const Value&, TypeId to);
Value wrapOptional(Body&, const Value&, TypeId optional, ValueId dest = ValueId::None);
/// The common type of the branches of an `if` or match (types.md 15). None: they have none.
TypeId unify(Body&, const Value& a, TypeId other);
/// Casts a scalar to another scalar type: numbers by value (narrowing keeps the low bits), anything else by its bits.
ValueId castScalar(Body&, ValueId, TypeId from, TypeId to);
/// A compile-time float as the integer that the target asks for; an error value after a report if it is not whole or
/// out of range. Any other value, or target, as it is.
Value foldFloatForTarget(Body&, const Value&, TypeId target, Span at);

} // namespace sx::lower
