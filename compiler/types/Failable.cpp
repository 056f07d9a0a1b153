#include "types/Failable.h"

#include "types/Predicates.h"

#include <cassert>

namespace sx {

bool isFailable(const TypeTable& types, TypeId t) {
    if (isErrorSet(types, t)) return true;
    if (types.kind(t) != TypeKind::Tuple) return false;
    llvm::ArrayRef<TupleField> fields = types.tupleFields(t);
    return !fields.empty() && isErrorSet(types, fields.back().type);
}

TypeId errorSetOf(const TypeTable& types, TypeId failable) {
    assert(isFailable(types, failable));
    return isErrorSet(types, failable) ? failable : types.tupleFields(failable).back().type;
}

TypeId successType(TypeTable& types, TypeId failable) {
    assert(isFailable(types, failable));
    if (isErrorSet(types, failable)) return TypeId::Void;
    llvm::ArrayRef<TupleField> values = types.tupleFields(failable).drop_back();
    if (values.empty()) return TypeId::Void;
    return values.size() == 1 ? values.front().type : types.tupleOf(values);
}

TypeId failableType(TypeTable& types, llvm::ArrayRef<TupleField> values, TypeId errorSet) {
    if (values.empty()) return errorSet;
    llvm::SmallVector<TupleField, 8> slots(values);
    slots.push_back({Name::None, errorSet});
    return types.tupleOf(slots);
}

} // namespace sx
