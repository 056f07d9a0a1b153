// What kind of type it is: the questions that several kinds answer with yes.
#pragma once

#include "types/TypeTable.h"

namespace sx {

inline bool isInteger(const TypeTable& types, TypeId t) { return types.kind(t) == TypeKind::Int; }
inline bool isFloat(const TypeTable& types, TypeId t) { return types.kind(t) == TypeKind::Float; }
inline bool isNumeric(const TypeTable& types, TypeId t) { return isInteger(types, t) || isFloat(types, t); }
inline bool isErrorSet(const TypeTable& types, TypeId t) { return types.kind(t) == TypeKind::ErrorSet; }
/// One of these kinds.
template <typename... Kinds> bool isOneOf(const TypeTable& types, TypeId t, Kinds... kinds) {
    TypeKind kind = types.kind(t);
    return ((kind == kinds) || ...);
}

/// Pointer, ManyPointer, CString, Function: one word, null = absent.
bool isPointerLike(const TypeTable&, TypeId);
/// An enum without payloads.
bool isPlainEnum(const TypeTable&, TypeId);
/// An enum with payloads.
bool isTaggedEnum(const TypeTable&, TypeId);

/// The width of an Int or Float.
unsigned bitsOf(const TypeTable&, TypeId);
/// The integer that stands for a scalar in memory and registers: bitsOf an Int, 8 for Bool, 32 for an
/// error value, the backing width for a plain enum, 64 for Type and pointers. 0: the type is no scalar.
unsigned scalarBits(const TypeTable&, TypeId);
/// A value of this type is one SSA value (integer, float or pointer); everything else lives in memory.
inline bool isScalar(const TypeTable& types, TypeId t) { return scalarBits(types, t) != 0; }

} // namespace sx
