// `any`: boxing, assertions, and reading numbers by their tag (types.md 4, generics.md 6).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value boxAny(Body&, const Value&, ValueId dest = ValueId::None);
/// Asserts the type of what an `any` holds: `av.(T)`, `av.(?T)`.
Value assertAny(Body&, const Value& any, TypeId, Span at, bool consumed, bool optionalResult);
/// The same for a `?any`, `o?.(T)`, whose mismatch is consumed.
Value assertPresentAny(Body&, const Value& optional, TypeId, Span at);
/// What an `any` holds, as a value of that type, which is not checked.
Value unboxAny(Body&, const Value& any, TypeId);
/// `xx v` at a numeric target. It goes by the width in the tag, so that it is right in `int` and `float` arms; a value
/// that is no number is read as a `to`.
Value anyToNumber(Body&, const Value& any, TypeId to);

} // namespace sx::lower
