// Brace literals `.{ … }`: structs, tuples and everything else that has named parts (types.md 7.3, 7.4, 8.1).
//
// A literal is built in place: each value is lowered straight into the storage of its field. Array and
// bracket literals are in ArrayLiterals.cpp, enum variants in Variants.cpp.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerStructLit(Body&, const ast::StructLit&, TypeId target, ValueId dest);
Value structFromInits(Body&, TypeId, const ast::StructLit&, ValueId dest);
Value lowerTuple(Body&, TypeId tuple, const ast::StructLit&, ValueId dest);

} // namespace sx::lower
