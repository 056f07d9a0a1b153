#include "vm/CTypes.h"

#include "types/Layout.h"
#include "types/Predicates.h"

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

ffi_type* CTypes::aggregate(TypeId t) {
    TypeKind kind = types_.kind(t);
    if (kind == TypeKind::Void || kind == TypeKind::NoReturn) return &ffi_type_void;
    if (kind == TypeKind::None || sizeOf(types_, t) == 0) return nullptr; // libffi has no empty structs
    std::vector<ffi_type*> parts;
    return addParts(t, parts) && !parts.empty() ? structOf(std::move(parts)) : nullptr;
}

ffi_type* CTypes::structOf(std::vector<ffi_type*> parts) {
    Struct& s = structs_.emplace_back();
    s.parts = std::move(parts);
    s.parts.push_back(nullptr);
    s.type.type = FFI_TYPE_STRUCT;
    s.type.elements = s.parts.data();
    return &s.type;
}

/// Appends the members of a struct with the layout of `t`. libffi places them as C does, which is how the types are
/// laid out.
bool CTypes::addParts(TypeId t, std::vector<ffi_type*>& parts) {
    auto add = [&](TypeId part) {
        if (sizeOf(types_, part) == 0) return true;
        ffi_type* type = get(part);
        if (type) parts.push_back(type);
        return type != nullptr;
    };
    auto words = [&](uint64_t count) { parts.insert(parts.end(), count, &ffi_type_uint64); };
    switch (types_.kind(t)) {
    case TypeKind::String:
    case TypeKind::Slice: parts = {&ffi_type_pointer, &ffi_type_sint64}; return true;
    case TypeKind::Any:
    case TypeKind::Closure:
    case TypeKind::Protocol: words(sizeOf(types_, t) / 8); return true;
    case TypeKind::Array:
        for (uint64_t i = 0; i < types_.count(t); ++i)
            if (!add(types_.elem(t))) return false;
        return true;
    case TypeKind::Optional:
        if (!add(types_.elem(t))) return false;
        if (absence(types_, t) == Absence::Flag) parts.push_back(&ffi_type_uint8);
        return true;
    case TypeKind::Tuple:
        for (const TupleField& f : types_.tupleFields(t))
            if (!add(f.type)) return false;
        return true;
    case TypeKind::Struct:
        for (const StructField& f : types_.structInfo(t).fields)
            if (!add(f.type)) return false;
        return true;
    case TypeKind::Enum: words(sizeOf(types_, t) / 8); return sizeOf(types_, t) % 8 == 0;
    case TypeKind::Union:
        if (sizeOf(types_, t) % 8 == 0) words(sizeOf(types_, t) / 8);
        else parts.insert(parts.end(), sizeOf(types_, t), &ffi_type_uint8);
        return true;
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::CString:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Vector:
    case TypeKind::Function:
    case TypeKind::ErrorSet: return false;
    }
    return false;
}

} // namespace sx::vm
