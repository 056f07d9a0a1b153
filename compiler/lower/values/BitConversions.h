// The implicit conversions that change nothing but the type (types.md 16.1): a closed list.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Equal after resolving aliases of instances, at any depth: `[]IB` is `[]Box(i64)`.
bool alike(Sema&, TypeId, TypeId);
/// An implicit conversion that changes nothing but the type: a text and its bytes, pointers that may stand for each
/// other, types that are alike.
bool passesBits(Body&, TypeId from, TypeId to);

} // namespace sx::lower
