// Statements that do nothing: their value is dropped, and computing it has no effect.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Effects.cpp: `firstInstr`: what it was lowered to begins there.
void warnOfNoEffect(Body&, const ast::Expr*, size_t firstInstr);

} // namespace sx::lower
