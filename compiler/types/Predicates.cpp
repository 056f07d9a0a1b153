#include "types/Predicates.h"

#include <cassert>

namespace sx {

bool isPointerLike(const TypeTable& types, TypeId t) {
    TypeKind k = types.kind(t);
    return k == TypeKind::Pointer || k == TypeKind::ManyPointer || k == TypeKind::CString || k == TypeKind::Function;
}

bool isPlainEnum(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Enum && !types.enumInfo(t).isTagged;
}

bool isTaggedEnum(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Enum && types.enumInfo(t).isTagged;
}

unsigned bitsOf(const TypeTable& types, TypeId t) {
    assert(isNumeric(types, t));
    return static_cast<unsigned>(types.count(t));
}

unsigned scalarBits(const TypeTable& types, TypeId t) {
    switch (types.kind(t)) {
    case TypeKind::Bool: return 8;
    case TypeKind::Int:
    case TypeKind::Float: return bitsOf(types, t);
    case TypeKind::ErrorSet: return 32;
    case TypeKind::CString:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Function: return 64;
    case TypeKind::Optional: return isPointerLike(types, types.elem(t)) ? 64 : 0;
    case TypeKind::Enum: {
        if (!isPlainEnum(types, t)) return 0;
        TypeId backing = types.enumInfo(t).backing;
        return backing == TypeId::None ? 64 : bitsOf(types, backing);
    }
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::String:
    case TypeKind::Any:
    case TypeKind::Slice:
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Tuple:
    case TypeKind::Closure:
    case TypeKind::Struct:
    case TypeKind::Union:
    case TypeKind::Protocol: return 0;
    }
    return 0;
}

} // namespace sx
