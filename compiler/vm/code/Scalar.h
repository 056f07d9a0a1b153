// What a register holds, by type: the canonical form of docs/vm.md.
#pragma once

#include "ir/Ops.h"

namespace sx::vm {

struct ScalarKind {
    ir::ValueClass cls = ir::ValueClass::None; ///< None: void, or an aggregate by address
    uint8_t bits = 0;
    friend bool operator==(ScalarKind, ScalarKind) = default;
};

inline ScalarKind scalarKind(const TypeTable& types, TypeId t) {
    ir::ValueClass cls = ir::classOf(types, t);
    if (cls == ir::ValueClass::None) return {};
    return {cls, static_cast<uint8_t>(ir::valueBits(types, t))};
}

/// The bits of a value, brought into the form that a register of this kind has.
inline uint64_t canonical(ScalarKind k, uint64_t bits) {
    switch (k.cls) {
    case ir::ValueClass::Bool: return bits & 1;
    case ir::ValueClass::Int: return static_cast<uint64_t>(ir::signExtended(k.bits, bits));
    case ir::ValueClass::Float:
    case ir::ValueClass::Pointer:
    case ir::ValueClass::None: return bits;
    }
    return bits;
}

/// Bytes a scalar takes in memory.
inline unsigned storageBytes(ScalarKind k) { return k.bits <= 8 ? 1 : k.bits <= 16 ? 2 : k.bits <= 32 ? 4 : 8; }

} // namespace sx::vm
