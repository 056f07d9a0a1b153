// Types of the language as LLVM sees them: scalars as SSA types, everything else as bytes.
#pragma once

#include "types/TypeTable.h"

#include "llvm/IR/DerivedTypes.h"

namespace sx::codegen {

class TypeMapper {
public:
    TypeMapper(const TypeTable& types, llvm::LLVMContext& context) : types_(types), context_(context) {}

    /// The SSA type of a scalar: iN of the exact width, i1 for bool, float, double or ptr.
    llvm::Type* scalar(TypeId) const;
    /// What a scalar is stored as: an integer fills the next power-of-two number of bytes, bool a byte.
    llvm::Type* stored(TypeId) const;
    /// Whether widening keeps the sign: of integers and of the integer behind an enum.
    bool isSigned(TypeId) const;
    /// A type whose values are handled by address.
    bool isAggregate(TypeId) const;
    /// `size` bytes without structure: what slots and constants are made of.
    llvm::ArrayType* bytes(uint64_t size) const;

    const TypeTable& table() const { return types_; }
    llvm::LLVMContext& context() const { return context_; }

private:
    const TypeTable& types_;
    llvm::LLVMContext& context_;
};

} // namespace sx::codegen
