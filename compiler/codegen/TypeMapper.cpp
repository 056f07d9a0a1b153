#include "codegen/TypeMapper.h"

#include "types/Predicates.h"

#include "llvm/Support/MathExtras.h"

namespace sx::codegen {

llvm::Type* TypeMapper::scalar(TypeId t) const {
    switch (types_.kind(t)) {
    case TypeKind::Bool: return llvm::Type::getInt1Ty(context_);
    case TypeKind::Float:
        return bitsOf(types_, t) == 32 ? llvm::Type::getFloatTy(context_) : llvm::Type::getDoubleTy(context_);
    case TypeKind::Int:
    case TypeKind::Enum:
    case TypeKind::ErrorSet: return llvm::Type::getIntNTy(context_, scalarBits(types_, t));
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
    return isInteger(types_, t) && types_.isSigned(t);
}

bool TypeMapper::isAggregate(TypeId t) const {
    TypeKind kind = types_.kind(t);
    return kind != TypeKind::None && kind != TypeKind::Void && kind != TypeKind::NoReturn && !isScalar(types_, t);
}

llvm::ArrayType* TypeMapper::bytes(uint64_t size) const {
    return llvm::ArrayType::get(llvm::Type::getInt8Ty(context_), size);
}

} // namespace sx::codegen
