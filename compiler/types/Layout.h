// Sizes, alignments and offsets of complete types.
#pragma once

#include "types/TypeTable.h"

namespace sx {

/// No type is larger: what a 64-bit process can address.
constexpr uint64_t LargestTypeSize = uint64_t{1} << 47;

inline uint64_t sizeOf(const TypeTable& types, TypeId t) { return types.extent(t).size; }
inline uint64_t alignOf(const TypeTable& types, TypeId t) { return types.extent(t).align; }
/// Computes all layouts that are not known yet. After this, and until a type is made or completed, several threads may
/// ask for what is known of types.
void settleLayouts(const TypeTable&);
uint64_t fieldOffset(const TypeTable&, TypeId structOrTuple, unsigned index);

/// How an optional marks absence.
enum class Absence : uint8_t { NullWord, Flag };
/// NullWord: absent iff the 8-byte word at offset 0 is zero (pointer-likes, closures, protocols).
Absence absence(const TypeTable&, TypeId optional);
/// Where the flag of a flag-carrying optional is.
uint64_t optionalFlagOffset(const TypeTable&, TypeId optional);

} // namespace sx
