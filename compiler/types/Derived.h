// The types that are made of others: pointers, arrays, functions and their like. Equal parts make equal types.
#pragma once

#include "types/TypeTable.h"

namespace sx {

/// The integer type of that width, 1 to 64 bits.
TypeId integerType(unsigned bits, bool isSigned);

TypeId pointerTo(TypeTable&, TypeId pointee);
TypeId manyPointerTo(TypeTable&, TypeId pointee);
/// What a pointer type points at; any other type as it is.
inline TypeId pointeeOrSelf(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Pointer ? types.elem(t) : t;
}
TypeId sliceOf(TypeTable&, TypeId elem);
TypeId arrayOf(TypeTable&, uint64_t count, TypeId elem);
TypeId vectorOf(TypeTable&, uint64_t lanes, TypeId elem);
TypeId optionalOf(TypeTable&, TypeId payload);
TypeId functionTypeOf(TypeTable&, llvm::ArrayRef<TypeId> params, TypeId result, CallConv = CallConv::Sx,
                      bool cVariadic = false);
TypeId closureTypeOf(TypeTable&, llvm::ArrayRef<TypeId> params, TypeId result);

} // namespace sx
