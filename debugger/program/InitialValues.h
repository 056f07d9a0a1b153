// Which variables have a value where a function stands.
#pragma once

#include "ir/Ir.h"

namespace sx::debugger {

/// Whether the variable may have been given a value, in part or by somebody who has its address, when execution stands
/// in front of `point`, or behind it where `isDone`. A variable is without a value from its declaration on: `x: T =
/// ---`. Parameters have one. `taking`: instructions that leave it without a value.
bool mayHaveValue(const ir::Function&, ir::SlotId variable, ir::ValueId point, bool isDone,
                  llvm::ArrayRef<ir::ValueId> taking = {});

/// Where a variable takes its part of a result that several take: `v, err := f()`.
struct ResultPart {
    ir::ValueId write; ///< what puts the part there
    ir::SlotId result; ///< what holds the whole
    ir::SlotId last;   ///< the variable of the last part, which nothing else writes: of a failable result, its error
};
std::vector<ResultPart> partsOfResults(const ir::Function&, ir::SlotId variable);

} // namespace sx::debugger
