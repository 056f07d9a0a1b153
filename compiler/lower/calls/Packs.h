// Packs in bodies: elements, slices of them, spreads, and `inline for` (generics.md 8.3, modules-and-comptime 4.4).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

void lowerInlineFor(Body&, const ast::For&);
/// The parts of a tuple, anonymous struct or fixed array; false if the value is none of these. (Packs.cpp)
bool spreadParts(Body&, const Value&, llvm::SmallVectorImpl<Value>& out);

} // namespace sx::lower
