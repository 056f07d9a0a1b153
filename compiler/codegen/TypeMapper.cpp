#include "codegen/TypeMapper.h"

#include "llvm/Support/MathExtras.h"

namespace sx::codegen {

llvm::Type* TypeMapper::scalar(TypeId t) const {
    switch (types_.kind(t)) {
    case TypeKind::Bool: return llvm::Type::getInt1Ty(context_);
    case TypeKind::Float: return types_.bits(t) == 32 ? llvm::Type::getFloatTy(context_) : llvm::Type::getDoubleTy(context_);
    case TypeKind::Int:
    case TypeKind::Enum:
    case TypeKind::ErrorSet: return llvm::Type::getIntNTy(context_, types_.scalarBits(t));
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::CString:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Function:
    case TypeKind::Optional: return llvm::PointerType::get(context_, 0);
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
    case TypeKind::Protocol: break;
    }
    llvm_unreachable("not a scalar type");
}

llvm::Type* TypeMapper::stored(TypeId t) const {
    llvm::Type* type = scalar(t);
    if (!type->isIntegerTy()) return type;
    unsigned bits = std::max<unsigned>(8, llvm::PowerOf2Ceil(type->getIntegerBitWidth()));
    return llvm::Type::getIntNTy(context_, bits);
}

bool TypeMapper::isSigned(TypeId t) const {
    if (types_.kind(t) == TypeKind::Enum) return types_.isSigned(types_.enumInfo(t).backing);
    return types_.isInteger(t) && types_.isSigned(t);
}

bool TypeMapper::isAggregate(TypeId t) const {
    TypeKind kind = types_.kind(t);
    return kind != TypeKind::None && kind != TypeKind::Void && kind != TypeKind::NoReturn && !types_.isScalar(t);
}

llvm::ArrayType* TypeMapper::bytes(uint64_t size) const { return llvm::ArrayType::get(llvm::Type::getInt8Ty(context_), size); }

namespace {

/// Walks the parts of one value; a member per kind of aggregate.
class ScalarWalk {
public:
    using Visit = llvm::function_ref<void(uint64_t, TypeId)>;
    ScalarWalk(const TypeTable& types, Visit visit) : types_(types), visit_(visit) {}

    void walk(TypeId t, uint64_t at) {
        if (types_.isScalar(t)) return visit_(at, t);
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
        for (uint64_t word = 0; word < types_.sizeOf(t); word += 8) visit_(at + word, TypeId::CString);
    }
    void elements(TypeId t, uint64_t at) {
        TypeId elem = types_.elem(t);
        for (uint64_t i = 0; i < types_.count(t); ++i) walk(elem, at + i * types_.sizeOf(elem));
    }
    void optional(TypeId t, uint64_t at) {
        walk(types_.elem(t), at);
        if (types_.absence(t) == TypeTable::Absence::Flag) visit_(at + types_.optionalFlagOffset(t), TypeId::U8);
    }
    void tuple(TypeId t, uint64_t at) {
        unsigned index = 0;
        for (const TupleField& field : types_.tupleFields(t)) walk(field.type, at + types_.fieldOffset(t, index++));
    }
    void structure(TypeId t, uint64_t at) {
        unsigned index = 0;
        for (const StructField& field : types_.structInfo(t).fields) walk(field.type, at + types_.fieldOffset(t, index++));
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

void forEachScalar(const TypeTable& types, TypeId t, uint64_t offset, llvm::function_ref<void(uint64_t, TypeId)> visit) {
    ScalarWalk(types, visit).walk(t, offset);
}

} // namespace sx::codegen
