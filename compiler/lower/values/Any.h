// `any`: boxing, assertions, and reading numbers by their tag (types.md 4, generics.md 6).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value boxAny(Body&, const Value&, ValueId dest = ValueId::None);
/// `av.(T)`, `av.(?T)`.
Value assertAny(Body&, const Value& any, TypeId, Span at, bool consumed, bool optionalResult);
/// `o?.(T)` of a `?any` whose mismatch is consumed.
Value assertPresentAny(Body&, const Value& optional, TypeId, Span at);
/// Unchecked.
Value unboxAny(Body&, const Value& any, TypeId);
/// `xx v` at a numeric target: by the width in the tag, so that it is right in int/float arms; a value that is
/// no number is read as a `to`.
Value anyToNumber(Body&, const Value& any, TypeId to);

} // namespace sx::lower
