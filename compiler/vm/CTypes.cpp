#include "vm/CTypes.h"

#include "types/CConvention.h"
#include "types/Layout.h"
#include "types/MachineForm.h"
#include "types/Predicates.h"

#include <algorithm>

namespace sx::vm {

namespace {

ffi_type* integerType(uint64_t bytes, bool isSigned) {
    switch (bytes) {
    case 1: return isSigned ? &ffi_type_sint8 : &ffi_type_uint8;
    case 2: return isSigned ? &ffi_type_sint16 : &ffi_type_uint16;
    case 4: return isSigned ? &ffi_type_sint32 : &ffi_type_uint32;
    }
    return isSigned ? &ffi_type_sint64 : &ffi_type_uint64;
}

} // namespace

ffi_type* CTypes::get(TypeId t) {
    auto known = known_.find(t);
    if (known != known_.end()) return known->second;
    ffi_type* type = isScalar(types_, t) ? scalar(t) : aggregate(t);
    known_[t] = type;
    return type;
}

ffi_type* CTypes::scalar(TypeId t) {
    if (isFloat(types_, t)) return bitsOf(types_, t) == 32 ? &ffi_type_float : &ffi_type_double;
    if (isInteger(types_, t)) return integerType(sizeOf(types_, t), types_.isSigned(t));
    if (types_.kind(t) == TypeKind::Enum) return get(types_.enumInfo(t).backing);
    if (types_.kind(t) == TypeKind::Bool) return &ffi_type_uint8;
    if (isErrorSet(types_, t)) return &ffi_type_uint32;
    return &ffi_type_pointer;
}

namespace {

/// A vector, or an aggregate with one in it.
bool holdsVector(const TypeTable& types, TypeId t) {
    switch (types.kind(t)) {
    case TypeKind::Vector: return true;
    case TypeKind::Array: return types.count(t) > 0 && holdsVector(types, types.elem(t));
    case TypeKind::Struct:
        return llvm::any_of(types.structInfo(t).fields,
                            [&](const StructField& f) { return holdsVector(types, f.type); });
    case TypeKind::Union:
        return llvm::any_of(types.unionInfo(t).members,
                            [&](const UnionMember& m) { return holdsVector(types, m.type); });
    case TypeKind::Tuple:
        return llvm::any_of(types.tupleFields(t), [&](const TupleField& f) { return holdsVector(types, f.type); });
    case TypeKind::Optional: return holdsVector(types, types.elem(t));
    default: return alignOf(types, t) > WordSize; // whatever it is
    }
}

} // namespace

/// What matters to a call is the size, the alignment, and which words hold nothing but floats: the members of unions
/// and arrays need not be told. So the members are integers and floats that come to the same.
ffi_type* CTypes::aggregate(TypeId t) {
    TypeKind kind = types_.kind(t);
    if (kind == TypeKind::Void || kind == TypeKind::NoReturn) return &ffi_type_void;
    if (kind == TypeKind::None || kind == TypeKind::Vector) return nullptr;
    uint64_t size = sizeOf(types_, t);
    const uint64_t align = alignOf(types_, t);
    if (size == 0) return &ffi_type_void;
    // libffi has no vectors.
    if (align > LargestInRegisters || (align > WordSize && holdsVector(types_, t))) return nullptr;
    uint64_t unit = std::min({align, size & (~size + 1), WordSize});
    std::vector<ffi_type*> parts;
    if (size > LargestInRegisters && align > WordSize) {
        parts.assign(size / align, &ffi_type_longdouble); // no other type of it is aligned so; all are in memory
        return structOf(std::move(parts));
    }
    if (size > LargestInRegisters) {
        parts.assign(size / unit, integerType(unit, false));
        return structOf(std::move(parts));
    }
    const llvm::SmallVector<WordContents, 3> words = wordsOf(types_, t);
    for (uint64_t at = 0; at < size; at += WordSize) {
        uint64_t rest = std::min(size - at, WordSize);
        const WordContents& word = words[at / WordSize];
        if (word.isEmpty() && align > WordSize) break; // only an alignment made this word
        uint64_t part = !word.isReal() ? std::min(unit, rest) : word.real64 ? 8 : 4;
        ffi_type* type = !word.isReal() ? integerType(part, false) : word.real64 ? &ffi_type_double : &ffi_type_float;
        parts.insert(parts.end(), rest / part, type);
    }
    if (align > WordSize) parts.front() = alignedLike(*parts.front(), align);
    return structOf(std::move(parts));
}

/// A scalar that C would align more than it does others of its type.
ffi_type* CTypes::alignedLike(const ffi_type& scalar, uint64_t align) {
    Struct& s = structs_.emplace_back();
    s.type = scalar;
    s.type.alignment = static_cast<unsigned short>(align);
    return &s.type;
}

ffi_type* CTypes::structOf(std::vector<ffi_type*> parts) {
    Struct& s = structs_.emplace_back();
    s.parts = std::move(parts);
    s.parts.push_back(nullptr);
    s.type.type = FFI_TYPE_STRUCT;
    s.type.elements = s.parts.data();
    return &s.type;
}

} // namespace sx::vm
