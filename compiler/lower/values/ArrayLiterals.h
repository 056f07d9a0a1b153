// Bracket literals `.[ … ]` and brace literals of arrays and vectors (types.md 9, 10.1, 12).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerArrayLit(Body&, const ast::ArrayLit&, TypeId target, ValueId dest);

} // namespace sx::lower
