#include "types/CConvention.h"

#include "types/Layout.h"
#include "types/MachineForm.h"
#include "types/Predicates.h"

#include <algorithm>

namespace sx {

namespace {

bool isNoValue(TypeKind kind) { return kind == TypeKind::None || kind == TypeKind::Void || kind == TypeKind::NoReturn; }

/// A scalar that a machine has an address for.
bool isAddress(const TypeTable& types, TypeId t) {
    return isPointerLike(types, t) || isOneOf(types, t, TypeKind::Type, TypeKind::Null, TypeKind::Optional);
}

CPiece scalarPiece(const TypeTable& types, TypeId t) {
    CPiece piece{CPiece::Kind::Integer, 0, sizeOf(types, t)};
    if (isFloat(types, t)) piece.kind = bitsOf(types, t) == 32 ? CPiece::Kind::Float32 : CPiece::Kind::Float64;
    else if (isAddress(types, t)) piece.kind = CPiece::Kind::Address;
    return piece;
}

CPiece::Kind kindOf(const WordContents& word) {
    if (word.isAddress()) return CPiece::Kind::Address;
    if (!word.isReal()) return CPiece::Kind::Integer;
    if (word.real64) return CPiece::Kind::Float64;
    return word.real32High ? CPiece::Kind::Floats32 : CPiece::Kind::Float32;
}

/// In as many registers as it takes.
CPassing passingOf(const TypeTable& types, TypeId t) {
    if (isNoValue(types.kind(t)) || sizeOf(types, t) == 0) return {};
    CPassing passing{CPassing::Place::Registers, {}};
    if (isScalar(types, t)) {
        passing.pieces.push_back(scalarPiece(types, t));
        return passing;
    }
    const uint64_t size = sizeOf(types, t), align = alignOf(types, t);
    if (size > LargestInRegisters) return {CPassing::Place::Memory, {}};
    if (types.kind(t) == TypeKind::Vector) {
        passing.pieces.push_back({CPiece::Kind::Vector, 0, size});
        return passing;
    }
    uint64_t offset = 0;
    for (const WordContents& word : wordsOf(types, t)) {
        if (word.isEmpty() && align > WordSize) break; // only an alignment made this word: C passes none
        passing.pieces.push_back({kindOf(word), offset, std::min(size - offset, WordSize)});
        offset += WordSize;
    }
    return passing;
}

} // namespace

llvm::SmallVector<WordContents, 3> wordsOf(const TypeTable& types, TypeId t) {
    llvm::SmallVector<WordContents, 3> words((sizeOf(types, t) + WordSize - 1) / WordSize);
    forEachScalar(types, t, 0, [&](uint64_t offset, TypeId scalar) {
        WordContents& word = words[offset / WordSize];
        const CPiece::Kind kind = scalarPiece(types, scalar).kind;
        word.pointer |= kind == CPiece::Kind::Address;
        word.integer |= kind == CPiece::Kind::Integer;
        word.real64 |= kind == CPiece::Kind::Float64;
        word.real32Low |= kind == CPiece::Kind::Float32 && offset % WordSize == 0;
        word.real32High |= kind == CPiece::Kind::Float32 && offset % WordSize != 0;
    });
    return words;
}

CPassing cArgument(const TypeTable& types, TypeId t, CRegisters& left) {
    CPassing passing = passingOf(types, t);
    CRegisters after = left;
    for (const CPiece& piece : passing.pieces) --(piece.isVector() ? after.vector : after.integer);
    if (after.vector < 0 || after.integer < 0) return {CPassing::Place::Memory, {}};
    left = after;
    return passing;
}

CPassing cResult(const TypeTable& types, TypeId t, CRegisters& left) {
    CPassing passing = passingOf(types, t);
    if (passing.place == CPassing::Place::Memory) --left.integer;
    return passing;
}

uint64_t cStackAlignment(const TypeTable& types, TypeId t) { return std::max(alignOf(types, t), WordSize); }

} // namespace sx
