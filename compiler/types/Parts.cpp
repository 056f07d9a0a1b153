// Parts of composite types, in order.
#include "types/Parts.h"

#include "types/Layout.h"

namespace sx {

std::vector<Part> partsOf(const TypeTable& types, TypeId t) {
    std::vector<Part> parts;
    if (types.kind(t) == TypeKind::Struct) {
        for (const StructField& field : types.structInfo(t).fields)
            parts.push_back({field.name, field.type, field.offset});
        return parts;
    }
    unsigned i = 0;
    for (const TupleField& field : types.tupleFields(t))
        parts.push_back({field.name, field.type, fieldOffset(types, t, i++)});
    return parts;
}

bool isTupleLike(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Tuple || (types.kind(t) == TypeKind::Struct && types.structInfo(t).positional);
}

TypeId elementType(const TypeTable& types, TypeId t) {
    switch (types.kind(t)) {
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Slice:
    case TypeKind::ManyPointer: return types.elem(t);
    case TypeKind::String: return TypeId::U8;
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::CString:
    case TypeKind::Any:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::Optional:
    case TypeKind::Tuple:
    case TypeKind::Function:
    case TypeKind::Closure:
    case TypeKind::Struct:
    case TypeKind::Enum:
    case TypeKind::Union:
    case TypeKind::ErrorSet:
    case TypeKind::Protocol: break;
    }
    return TypeId::None;
}

} // namespace sx
