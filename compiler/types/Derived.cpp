#include "types/Derived.h"

#include <cassert>

namespace sx {

TypeId integerType(unsigned bits, bool isSigned) {
    assert(bits >= 1 && bits <= 64);
    return static_cast<TypeId>(static_cast<uint32_t>(TypeId::FirstInt) + (isSigned ? 0 : 64) + bits - 1);
}

TypeId pointerTo(TypeTable& types, TypeId pointee) { return types.derived(TypeKind::Pointer, pointee); }
TypeId manyPointerTo(TypeTable& types, TypeId pointee) { return types.derived(TypeKind::ManyPointer, pointee); }
TypeId sliceOf(TypeTable& types, TypeId elem) { return types.derived(TypeKind::Slice, elem); }
TypeId arrayOf(TypeTable& types, uint64_t count, TypeId elem) { return types.derived(TypeKind::Array, elem, count); }
TypeId vectorOf(TypeTable& types, uint64_t lanes, TypeId elem) { return types.derived(TypeKind::Vector, elem, lanes); }
TypeId optionalOf(TypeTable& types, TypeId payload) { return types.derived(TypeKind::Optional, payload); }

TypeId functionTypeOf(TypeTable& types, llvm::ArrayRef<TypeId> params, TypeId result, CallConv conv, bool cVariadic) {
    return types.signature(TypeKind::Function, {params.vec(), result, conv, cVariadic});
}

TypeId closureTypeOf(TypeTable& types, llvm::ArrayRef<TypeId> params, TypeId result) {
    return types.signature(TypeKind::Closure, {params.vec(), result, CallConv::Sx, false});
}

} // namespace sx
