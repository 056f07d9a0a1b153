// Numbers of some bits within bytes of memory: bit fields of C.
#pragma once

#include "debugger/inspect/Datum.h"
#include "source/Result.h"

#include <array>

namespace sx::debugger {

/// The `count` bits (1 to 64) of `raw` from bit `shift` on, with zeros or their sign in front, little-endian.
std::array<uint8_t, 8> bitsOf(llvm::ArrayRef<uint8_t> raw, unsigned shift, unsigned count, bool isSigned);

/// Gives a bit field that was read from memory (Datum::bits) the value of a number as wide as the field's type; `field`
/// holds it then. Fails where the bits cannot hold it.
Result<void> assignBits(Memory&, Datum& field, llvm::ArrayRef<uint8_t> value, bool isSigned);

/// The value of a bit field of a record of C. Where the record is in memory, it can be assigned.
Datum bitField(const TypeTable&, Memory&, const Datum& record, const BitField&);

/// A member of a record of C stands between others, aligns it or gives a union room for a bit field: no code of C has
/// it. `isInUnion`: it is one of a union without a name in the record, or the record is a union.
bool isFilling(const TypeTable&, TypeId record, Name, TypeId, bool isInUnion);

} // namespace sx::debugger
