// Failable results: an error set, or a tuple whose last field is one.
#pragma once

#include "types/TypeTable.h"

namespace sx {

bool isFailable(const TypeTable&, TypeId);
TypeId errorSetOf(const TypeTable&, TypeId failable);
/// Void, the single value type, or the tuple of value slots (names kept).
TypeId successType(TypeTable&, TypeId failable);
/// The result type of a function with these value slots and this error set.
TypeId failableType(TypeTable&, llvm::ArrayRef<TupleField> values, TypeId errorSet);

} // namespace sx
