// A value of the program: its type, and where its bytes are.
#pragma once

#include "debugger/inspect/Memory.h"

#include "llvm/ADT/SmallVector.h"

namespace sx::debugger {

/// Bytes of a value.
struct ByteRange {
    uint64_t offset = 0, size = 0;
};

struct Datum {
    enum class Place : uint8_t {
        Nowhere, ///< there is no value; `note` says why
        Memory,  ///< at `address`
        Hand,    ///< `bytes`, laid out as in memory: of a register, or of a result
    };
    TypeId type{};
    Place place = Place::Nowhere;
    bool isResult = false; ///< of a call: an error set without an error shows as `ok`
    bool isRaw = false;    ///< shown by its layout, not by its meaning: `[raw]`
    uint64_t address = 0;  ///< Hand: of memory that holds the bytes and takes others; 0: none does
    llvm::SmallVector<uint8_t, 16> bytes;
    /// Hand: the bits of memory that it was read from, where it is a bit field of C; count 0: it is none, or its
    /// record is in hand as well.
    struct Bits {
        uint64_t address = 0;
        unsigned shift = 0, count = 0;
    } bits{};
    /// Hand: those of the bytes that the optimizer has left nowhere.
    llvm::SmallVector<ByteRange, 0> missing;
    std::string note; ///< shown in place of a value: `<not set>`

    /// In place of what the optimizer has left nowhere.
    static constexpr const char* OptimizedOut = "<optimized out>";

    static Datum at(TypeId type, uint64_t address);
    static Datum held(TypeId type, llvm::ArrayRef<uint8_t> bytes);
    static Datum nowhere(TypeId type, std::string note);

    /// Some of these bytes are missing, or all; a value without bytes has all that it needs.
    bool lacksSome(uint64_t offset, uint64_t size) const;
    bool lacksAll(uint64_t offset, uint64_t size) const;

    /// A value of another type that lies within this one, or after it in memory.
    Datum part(uint64_t offset, TypeId partType, uint64_t partSize) const;
};

/// `0x1f`.
std::string hexText(uint64_t number);

/// The memory form of a scalar that an interpreter's register holds in its canonical form (vm/code/Scalar.h).
Datum fromRegister(const TypeTable& types, TypeId type, uint64_t word);
/// The canonical form of a scalar's bytes in memory: what a register holds of them.
uint64_t toRegister(const TypeTable& types, TypeId type, llvm::ArrayRef<uint8_t> bytes);

} // namespace sx::debugger
