// How functions of C take and give values: the System V convention for x86-64, for types without x87 numbers and
// without vectors in aggregates.
#pragma once

#include "types/TypeTable.h"

#include "llvm/ADT/SmallVector.h"

namespace sx {

/// Bytes of the largest aggregate that travels in registers.
constexpr uint64_t LargestInRegisters = 16;

/// What one word of an aggregate holds.
struct WordContents {
    bool pointer = false, integer = false, real64 = false, real32Low = false, real32High = false;

    bool isEmpty() const { return !pointer && !integer && !hasReal(); }
    bool hasReal() const { return real64 || real32Low || real32High; }
    /// It holds floating-point numbers and nothing else.
    bool isReal() const { return hasReal() && !pointer && !integer; }
    /// It only ever holds an address.
    bool isAddress() const { return pointer && !integer && !hasReal(); }
};

/// The words of a value, the first first; the last one may be cut off. Takes time in the number of scalars.
llvm::SmallVector<WordContents, 3> wordsOf(const TypeTable&, TypeId);

/// A part of a value that travels in one register.
struct CPiece {
    enum class Kind : uint8_t {
        Integer, ///< also a bool, an enum and a mixture with floating-point numbers
        Address,
        Float32,
        Floats32, ///< two
        Float64,
        Vector,
    };
    Kind kind = Kind::Integer;
    uint64_t offset = 0; ///< within the value, in bytes
    uint64_t size = 0;   ///< bytes of the value that the register has, from its lowest byte on

    /// It travels in a vector register; else in an integer register.
    bool isVector() const { return kind >= Kind::Float32; }
};

/// The registers for arguments that are left.
struct CRegisters {
    int integer = 6, vector = 8;
};

/// Where a value is on its way.
struct CPassing {
    enum class Place : uint8_t {
        Nowhere,   ///< there is nothing of it
        Registers, ///< `pieces`
        Memory,    ///< an argument: in the argument area; a result: where the caller says
    };
    Place place = Place::Nowhere;
    llvm::SmallVector<CPiece, 2> pieces; ///< a register each, in the order in which registers are taken
};

/// Of the next argument. Takes what it needs of the registers, all or nothing.
CPassing cArgument(const TypeTable&, TypeId, CRegisters& left);
/// Of a result. One in memory takes the first integer register, for the address.
CPassing cResult(const TypeTable&, TypeId, CRegisters& left);

/// Where an argument in memory begins: a multiple of so many bytes.
uint64_t cStackAlignment(const TypeTable&, TypeId);

} // namespace sx
