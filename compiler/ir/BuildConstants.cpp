#include "ir/BuildConstants.h"

#include "ir/Folding.h"
#include "ir/Ops.h"
#include "types/Derived.h"
#include "types/Predicates.h"

namespace sx::ir {

ValueId constInt(Builder& b, TypeId type, uint64_t bits) {
    return b.emit(Op::Const, type, {}, lowBits(valueBits(b.module().types, type), bits));
}

ValueId constFloat(Builder& b, TypeId type, double value) {
    return b.emit(Op::Const, type, {}, floatBits(bitsOf(b.module().types, type), value));
}

ValueId constBool(Builder& b, bool value) { return b.emit(Op::Const, TypeId::Bool, {}, value); }
ValueId nullOf(Builder& b, TypeId pointer) { return b.emit(Op::Const, pointer, {}, 0); }
ValueId undefOf(Builder& b, TypeId type) { return b.emit(Op::Undef, type, {}); }

ValueId funcAddr(Builder& b, FuncId f, TypeId type) { return b.emit(Op::FuncAddr, type, {}, static_cast<uint32_t>(f)); }

ValueId globalAddr(Builder& b, GlobalId g, TypeId type) {
    return b.emit(Op::GlobalAddr, type, {}, static_cast<uint32_t>(g));
}

ValueId typeHandle(Builder& b, TypeId t) { return b.emit(Op::TypeHandle, TypeId::Type, {}, static_cast<uint32_t>(t)); }

ValueId slotAddr(Builder& b, SlotId s) {
    uint32_t number = static_cast<uint32_t>(s);
    TypeId type = b.function().slots[number].type;
    TypeId pointer = pointerTo(b.module().types, type == TypeId::None ? TypeId::U8 : type);
    return b.emit(Op::SlotAddr, pointer, {}, number);
}

} // namespace sx::ir
