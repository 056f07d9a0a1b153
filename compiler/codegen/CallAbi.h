// How values travel between functions.
//
// Sx functions: a scalar as it is; an aggregate of up to 16 bytes as one or two words, a larger one by
// address; a result of up to 24 bytes in registers, a larger one through an address that comes as the first
// argument. Functions of C follow the convention of types/CConvention.h.
#pragma once

#include "codegen/TypeMapper.h"
#include "types/CConvention.h"

#include "llvm/IR/Attributes.h"

namespace sx::codegen {

/// A part of an aggregate that travels in one register: bytes [offset, offset + size of `type`).
struct Piece {
    llvm::Type* type;
    uint64_t offset;
};

/// How one parameter or result travels.
struct Passing {
    enum class Kind : uint8_t {
        Nothing, ///< no bytes
        Direct,  ///< a scalar, in `type`, which may be wider than its SSA type
        Pieces,  ///< an aggregate in registers
        Pointer, ///< an aggregate by address
        Stack,   ///< an aggregate in the argument area (C only)
    };
    Kind kind = Kind::Nothing;
    TypeId source{};
    llvm::Type* direct = nullptr;
    llvm::SmallVector<Piece, 3> pieces;
    uint64_t size = 0, align = 1; ///< of an aggregate, in bytes
    uint64_t piecesSize = 0;      ///< the bytes that the pieces cover; may exceed `size`
    unsigned firstArg = 0;        ///< index of the LLVM argument that it begins at
};

struct Signature {
    llvm::FunctionType* type = nullptr;
    llvm::AttributeList attributes; ///< for the function and for calls of it
    llvm::SmallVector<Passing, 6> params;
    Passing result; ///< Kind::Pointer: LLVM argument 0 is the destination
    TypeId resultType{};
    CallConv conv = CallConv::Sx;
};

class CallAbi {
public:
    explicit CallAbi(const TypeMapper& types) : types_(types) {}

    Signature signature(llvm::ArrayRef<TypeId> params, TypeId result, CallConv, bool cVariadic) const;

private:
    Passing scalar(TypeId, CallConv) const;
    Passing param(TypeId, CallConv, CRegisters&) const;
    Passing result(TypeId, CallConv, CRegisters&) const;
    Passing aggregate(TypeId, Passing::Kind) const;
    Passing words(TypeId) const;
    Passing cAggregate(TypeId, const CPassing&, Passing::Kind inMemory) const;
    llvm::Type* cPiece(TypeId, const CPiece&) const;
    llvm::AttributeSet argumentAttributes(const Passing&, CallConv) const;
    llvm::AttributeSet resultAttributes(const Passing&, CallConv) const;
    llvm::AttributeSet destinationAttributes(const Passing&, CallConv) const;

    const TypeMapper& types_;
};

} // namespace sx::codegen
