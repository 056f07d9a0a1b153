// Parts of composite types, in order.
#include "types/Parts.h"

#include "types/Layout.h"
#include "types/Predicates.h"

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

bool isNamelessUnion(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Union && types.unionInfo(t).name.empty() && isUnionOfC(types.unionInfo(t));
}

std::optional<PromotedMember> promotedMember(const TypeTable& types, TypeId t, Name name) {
    unsigned i = 0;
    for (const StructField& field : types.structInfo(t).fields) {
        const unsigned index = i++;
        if (!isNamelessUnion(types, field.type)) continue;
        for (const UnionMember& m : types.unionInfo(field.type).members)
            if (m.name == name) return PromotedMember{index, m};
    }
    return std::nullopt;
}

bool isTupleLike(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Tuple || (types.kind(t) == TypeKind::Struct && types.structInfo(t).positional);
}

TypeId elementType(const TypeTable& types, TypeId t) {
    if (types.kind(t) == TypeKind::String) return TypeId::U8;
    bool hasElements = isOneOf(types, t, TypeKind::Array, TypeKind::Vector, TypeKind::Slice, TypeKind::ManyPointer);
    return hasElements ? types.elem(t) : TypeId::None;
}

} // namespace sx
