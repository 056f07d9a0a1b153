// Statements that do nothing: their value is dropped, and computing it has no effect.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Warns of a statement whose value is dropped if computing it has no effect. `firstInstr`: the first instruction that
/// it was lowered to.
void warnOfNoEffect(Body&, const ast::Expr*, size_t firstInstr);

} // namespace sx::lower
