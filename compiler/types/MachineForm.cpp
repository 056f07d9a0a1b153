#include "types/MachineForm.h"

#include "types/CConvention.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace sx {

namespace {

/// Walks the parts of one value; a member per kind of aggregate.
class ScalarWalk {
public:
    using Visit = llvm::function_ref<void(uint64_t, TypeId)>;
    ScalarWalk(const TypeTable& types, Visit visit) : types_(types), visit_(visit) {}

    void walk(TypeId t, uint64_t at) {
        if (isScalar(types_, t)) return visit_(at, t);
        switch (types_.kind(t)) {
        case TypeKind::String:
        case TypeKind::Slice: return words(at, {TypeId::CString, TypeId::I64});
        case TypeKind::Any:
        case TypeKind::Closure: return words(at, {TypeId::CString, TypeId::CString});
        case TypeKind::Protocol: return protocol(t, at);
        case TypeKind::Array:
        case TypeKind::Vector: return elements(t, at);
        case TypeKind::Optional: return optional(t, at);
        case TypeKind::Tuple: return tuple(t, at);
        case TypeKind::Struct: return structure(t, at);
        case TypeKind::Union: return unionMembers(t, at);
        case TypeKind::Enum: return taggedEnum(t, at);
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
        case TypeKind::Function:
        case TypeKind::ErrorSet: return;
        }
    }

private:
    void words(uint64_t at, std::initializer_list<TypeId> scalars) {
        for (TypeId scalar : scalars) {
            visit_(at, scalar);
            at += 8;
        }
    }
    void protocol(TypeId t, uint64_t at) {
        for (uint64_t word = 0; word < sizeOf(types_, t); word += 8) visit_(at + word, TypeId::CString);
    }
    void elements(TypeId t, uint64_t at) {
        TypeId elem = types_.elem(t);
        for (uint64_t i = 0; i < types_.count(t); ++i) walk(elem, at + i * sizeOf(types_, elem));
    }
    void optional(TypeId t, uint64_t at) {
        walk(types_.elem(t), at);
        if (absence(types_, t) == Absence::Flag) visit_(at + optionalFlagOffset(types_, t), TypeId::U8);
    }
    void tuple(TypeId t, uint64_t at) {
        unsigned index = 0;
        for (const TupleField& field : types_.tupleFields(t)) walk(field.type, at + fieldOffset(types_, t, index++));
    }
    void structure(TypeId t, uint64_t at) {
        unsigned index = 0;
        for (const StructField& field : types_.structInfo(t).fields)
            walk(field.type, at + fieldOffset(types_, t, index++));
    }
    void unionMembers(TypeId t, uint64_t at) {
        for (const UnionMember& member : types_.unionInfo(t).members) walk(member.type, at + member.offset);
    }
    void taggedEnum(TypeId t, uint64_t at) {
        const EnumInfo& info = types_.enumInfo(t);
        if (info.layoutStruct != TypeId::None) return structure(info.layoutStruct, at);
        visit_(at, info.backing);
        for (const Variant& variant : info.variants)
            if (variant.payload != TypeId::None) walk(variant.payload, at + info.payloadOffset);
    }

    const TypeTable& types_;
    Visit visit_;
};

} // namespace

void forEachScalar(const TypeTable& types, TypeId t, uint64_t offset,
                   llvm::function_ref<void(uint64_t, TypeId)> visit) {
    ScalarWalk(types, visit).walk(t, offset);
}

namespace {

/// One value on its way through a function of C.
struct Form {
    enum class Kind : uint8_t { Nothing, Scalar, Vector, Registers, Memory } kind = Kind::Nothing;
    uint64_t size = 0, align = 0;
    uint8_t floatWords = 0;   ///< a bit a word: it holds floats only
    bool extendsSign = false; ///< of integers narrower than 32 bits: who passes one fills the rest of those

    friend bool operator==(const Form&, const Form&) = default;
};

bool isAnyFloat(const TypeTable& types, TypeId t) { return types.kind(t) == TypeKind::Float; }

bool isSignedInteger(const TypeTable& types, TypeId t) {
    if (types.kind(t) == TypeKind::Enum) t = types.enumInfo(t).backing;
    return isInteger(types, t) && types.isSigned(t);
}

Form formOf(const TypeTable& types, TypeId t) {
    TypeKind kind = types.kind(t);
    if (kind == TypeKind::None || kind == TypeKind::Void || kind == TypeKind::NoReturn) return {};
    uint64_t size = sizeOf(types, t);
    if (size == 0) return {};
    if (isScalar(types, t))
        return {Form::Kind::Scalar, size, 0, isAnyFloat(types, t), size < 4 && isSignedInteger(types, t)};
    if (kind == TypeKind::Vector) return {Form::Kind::Vector, size, 0, isAnyFloat(types, types.elem(t))};
    if (size > LargestInRegisters) return {Form::Kind::Memory, size, alignOf(types, t), 0};
    uint8_t others = 0;
    for (auto [i, word] : llvm::enumerate(wordsOf(types, t)))
        if (word.pointer || word.integer) others |= 1 << i;
    uint8_t words = size > WordSize ? 3 : 1;
    // As a scalar of the size.
    if (size == 4 || size == 8) return {Form::Kind::Scalar, size, 0, uint8_t(words & ~others)};
    return {Form::Kind::Registers, size, 0, uint8_t(words & ~others)};
}

using Places = std::vector<std::tuple<uint64_t, uint64_t, bool>>;

Places placesOf(const TypeTable& types, TypeId t) {
    Places places;
    forEachScalar(types, t, 0, [&](uint64_t offset, TypeId scalar) {
        places.emplace_back(offset, sizeOf(types, scalar), isAnyFloat(types, scalar));
    });
    return places;
}

} // namespace

bool haveSameForm(const TypeTable& types, TypeId a, TypeId b) { return a == b || formOf(types, a) == formOf(types, b); }

bool haveSameLayout(const TypeTable& types, TypeId a, TypeId b) {
    // An array of many elements is like another one of its length if the elements are alike.
    while (a != b && types.kind(a) == TypeKind::Array && types.kind(b) == TypeKind::Array &&
           types.count(a) == types.count(b))
        a = types.elem(a), b = types.elem(b);
    return a == b || (sizeOf(types, a) == sizeOf(types, b) && placesOf(types, a) == placesOf(types, b));
}

} // namespace sx
