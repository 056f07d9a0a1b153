// Equality of whole values of one type: field by field, payload by payload (types.md 7.7, 11.6).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Compares two values of one type, part by part. Yields a bool.
ValueId equalValues(Body&, const Value&, const Value&, Span lhsAt, Span rhsAt);

} // namespace sx::lower
