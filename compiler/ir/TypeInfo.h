// What `type_info` yields: a constant of the library's type `TypeInfo` that describes one type (generics.md 9.4).
//
// A description is constant data like a descriptor is. That of a type known while compiling is named directly; that of
// a run-time `Type` is found through the descriptor, which refers to it once some code asks for it.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// The type has the variants that describeInfo fills in, with payloads of the names and kinds that it expects.
bool isTypeInfo(const TypeTable&, TypeId);

/// The description of `t`, made on first use. Before: Module::typeInfo is set. A type without a known layout is
/// described without members.
GlobalId describeInfo(Module&, TypeId t);

/// From now on every descriptor refers to the description of its type, also those that are there already.
void referToInfos(Module&);

} // namespace sx::ir
