// What a Builder emits for values that are known: constants and addresses of what the module holds.
#pragma once

#include "ir/Builder.h"

namespace sx::ir {

ValueId constInt(Builder&, TypeId, uint64_t bits); ///< truncated to the type's width
ValueId constFloat(Builder&, TypeId, double);
ValueId constBool(Builder&, bool);
ValueId nullOf(Builder&, TypeId pointer);
ValueId undefOf(Builder&, TypeId);
ValueId funcAddr(Builder&, FuncId, TypeId functionType);
ValueId globalAddr(Builder&, GlobalId, TypeId pointer);
ValueId typeHandle(Builder&, TypeId);
ValueId slotAddr(Builder&, SlotId); ///< a pointer to the slot's type (to u8 for raw slots)

} // namespace sx::ir
