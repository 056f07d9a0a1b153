// The result of the function being lowered: its slots, and the instructions that leave with a value or an error.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Address of the aggregate result under construction.
ValueId resultAddress(Body&);
/// Whether both values are the address of one slot.
bool sameSlot(const Body&, ValueId a, ValueId c);
/// Leaves the function with success and `v`, which has the success type (ignored if that is void).
void emitReturn(Body&, const Value& v, Span at);
/// Sets the error slot and returns. Runs no cleanups.
void emitErrorReturn(Body&, ValueId tag);

} // namespace sx::lower
