// Explicit conversions: `xx e` and `e.(T)` (types.md 16.2, 16.3), user conversions through `Into` (generics.md 4.13).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Converts explicitly: `xx v` (`isAutoCast`) or `v.(T)`.
Value castTo(Body&, const Value&, TypeId to, Span at, bool isAutoCast, ValueId dest = ValueId::None);
/// `castTo` with the operand's own span, for the rules that point there.
Value explicitConversion(Body&, const Value&, TypeId to, Span whole, Span operand, bool isAutoCast,
                         ValueId dest = ValueId::None);
/// Converts by an `impl Into(T)`. False: there is none.
bool userConversion(Body&, const Value&, TypeId to, Span whole, Span operand, ValueId dest, Value& out);
Value lowerXx(Body&, const ast::Unary&, TypeId target, ValueId dest);
Value lowerCast(Body&, const ast::Cast&, TypeId target, ValueId dest);

} // namespace sx::lower
