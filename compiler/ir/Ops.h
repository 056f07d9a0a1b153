// Facts about single operations and values that builder, printer, verifier and machines share.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// As the text form spells it: `icmp`, `slot_addr`.
const char* opName(Op);
const char* predName(ICmpPred);
const char* predName(FCmpPred);
const char* atomicName(AtomicOp);
const char* orderName(MemoryOrder);
const char* panicName(PanicKind);

bool isTerminator(Op);

/// Scalars that machines treat alike: values of one class and width may stand for each other.
enum class ValueClass : uint8_t {
    None, ///< not a scalar: no SSA value
    Bool,
    Int, ///< integers, plain enums, error values
    Float,
    Pointer, ///< one word: pointers of any pointee, functions, cstring, Type, null, optionals of pointer-likes
};
ValueClass classOf(const TypeTable&, TypeId);

/// Width of an SSA value: 1 for a bool, else TypeTable::scalarBits. 0 if it is not a scalar.
unsigned valueBits(const TypeTable&, TypeId);

/// Same class and width.
bool interchangeable(const TypeTable&, TypeId, TypeId);

/// The call returns through an address that its caller passes: neither void nor a scalar.
bool returnsInMemory(const TypeTable&, TypeId result);

constexpr uint64_t lowBits(unsigned bits, uint64_t value) {
    return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}
constexpr int64_t signExtended(unsigned bits, uint64_t value) {
    unsigned unused = 64 - bits;
    return static_cast<int64_t>(value << unused) >> unused;
}

} // namespace sx::ir
