// Whole functions: parameters, body, the rules for what a body must yield (language 3.8).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Body of `instance`.
bool lowerFunction(Body&);
/// Copies run-time parameters into slots and declares them.
void bindParameters(Body&);

} // namespace sx::lower
