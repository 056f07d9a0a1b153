// Which variables have a value where a function stands.
#pragma once

#include "ir/Ir.h"

namespace sx::debugger {

/// Whether the variable may have been given a value, in part or by somebody who has its address, when execution stands
/// in front of `point`, or behind it where `isDone`. A variable is without a value from its declaration on: `x: T =
/// ---`. Parameters have one.
bool mayHaveValue(const ir::Function&, ir::SlotId variable, ir::ValueId point, bool isDone);

} // namespace sx::debugger
