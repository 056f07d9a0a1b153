// Matches over types: on a `Type`, on what an `any` or a protocol value holds, and at compile time
// (language 4.12, types.md 4.4, generics.md 7).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

bool isTypeMatch(Body&, const Value& subject, const ast::Match&);
Value lowerTypeMatch(Body&, const ast::Match&, const Value& subject, TypeId target, ValueId dest, bool valueNeeded);
/// `inline if T == {`.
const ast::Match* inlineTypeMatchArm(Body&, const ast::Match&, const ast::MatchArm*& arm);

} // namespace sx::lower
