// `while` and `for` (language 5.4, 5.5). `inline for` is in calls/Packs.cpp.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

void lowerWhile(Body&, const ast::While&);
void lowerFor(Body&, const ast::For&);
/// Panics with the position `at`, whatever the options.
void checkIndexAt(Body&, ValueId index, ValueId length, Span at);

} // namespace sx::lower
