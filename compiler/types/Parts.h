// Parts of composite types, in order.
#pragma once

#include "types/TypeTable.h"

#include <vector>

namespace sx {

/// A field of a tuple or struct, with its offset in bytes.
struct Part {
    Name name = Name::None; ///< None: it has none
    TypeId type{};
    uint64_t offset = 0;
};
std::vector<Part> partsOf(const TypeTable&, TypeId tupleOrStruct);

/// A tuple, or an anonymous struct whose fields have no names: `.{1, 2}`.
bool isTupleLike(const TypeTable&, TypeId);

/// The element of types that hold their elements in a row: arrays, vectors, slices, strings, many-pointers. None:
/// another type.
TypeId elementType(const TypeTable&, TypeId);

} // namespace sx
