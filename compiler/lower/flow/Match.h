// `if subject == { case … }` over values (language 4.8). Matches over types: TypeSwitch.cpp.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerMatch(Body&, const ast::Match&, TypeId target, ValueId dest, bool valueNeeded);

} // namespace sx::lower
