// Parts of composite types, in order.
#pragma once

#include "types/TypeTable.h"

#include <optional>
#include <vector>

namespace sx {

/// A field of a tuple or struct, with its offset in bytes.
struct Part {
    Name name = Name::None; ///< None: it has none
    TypeId type{};
    uint64_t offset = 0;
};
std::vector<Part> partsOf(const TypeTable&, TypeId tupleOrStruct);

/// Among the arms of a union it says that the union is one of C: aligned as its members, and of a size that is a
/// multiple of that.
constexpr uint32_t ArmOfC = uint32_t{1} << 31;
inline bool isUnionOfC(const UnionInfo& info) { return !info.members.empty() && (info.members.front().arm & ArmOfC); }

/// A member of a union that has no name in the struct around it, so that the member counts as the struct's.
struct PromotedMember {
    unsigned field = 0; ///< index of the union among the fields of the struct
    UnionMember member; ///< with its offset in the union
};
/// A field of this type is such a union. Only headers of C declare them.
bool isNamelessUnion(const TypeTable&, TypeId);
std::optional<PromotedMember> promotedMember(const TypeTable&, TypeId structType, Name);

/// A tuple, or an anonymous struct whose fields have no names: `.{1, 2}`.
bool isTupleLike(const TypeTable&, TypeId);

/// The element of types that hold their elements in a row: arrays, vectors, slices, strings, many-pointers. None:
/// another type.
TypeId elementType(const TypeTable&, TypeId);

} // namespace sx
