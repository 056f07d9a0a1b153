// Why a value does not become a type: the message, its help, and where it points (types.md 4.4, 10, 11, 13, 16.1).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

void conversionError(Body&, const Value&, TypeId to, Span at);
void reportConversion(Body&, const Value&, TypeId to, Span at);
/// Whether a function stands where a function pointer of the other calling convention is wanted.
bool conventionDiffers(Body&, const Value&, TypeId to);

/// A list, or a pointer to one: a struct whose elements are in a slice `items`.
bool holdsItems(Body&, TypeId);

} // namespace sx::lower
