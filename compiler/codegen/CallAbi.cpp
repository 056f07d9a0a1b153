#include "codegen/CallAbi.h"

#include "types/Layout.h"
#include "types/MachineForm.h"
#include "types/Predicates.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Attributes.h"

namespace sx::codegen {

namespace {

constexpr uint64_t LargestSxParam = 2 * WordSize, LargestSxResult = 3 * WordSize;
constexpr uint64_t LargestCAggregate = 2 * WordSize;

/// An integer type for the bytes of an aggregate from `offset` on, one word at most. A rest of 3, 5, 6 or 7
/// bytes has no integer of its size and takes a whole word.
llvm::Type* integerPiece(llvm::LLVMContext& context, uint64_t size, uint64_t offset) {
    uint64_t rest = std::min(size - offset, WordSize);
    bool exact = rest == 1 || rest == 2 || rest == 4;
    return llvm::Type::getIntNTy(context, exact ? rest * 8 : 64);
}

void addPiece(Passing& passing, llvm::Type* type, uint64_t offset) {
    passing.pieces.push_back({type, offset});
    passing.piecesSize = offset + (type->isPointerTy() ? WordSize : type->getPrimitiveSizeInBits() / 8);
}

/// What a word of an aggregate holds.
struct WordContents {
    bool pointer = false, integer = false, real64 = false, real32Low = false, real32High = false;
};

llvm::SmallVector<WordContents, 3> contentsOf(const TypeMapper& types, TypeId t) {
    llvm::SmallVector<WordContents, 3> words((sizeOf(types.table(), t) + WordSize - 1) / WordSize);
    forEachScalar(types.table(), t, 0, [&](uint64_t offset, TypeId scalar) {
        WordContents& word = words[offset / WordSize];
        llvm::Type* type = types.scalar(scalar);
        word.pointer |= type->isPointerTy();
        word.integer |= type->isIntegerTy();
        word.real64 |= type->isDoubleTy();
        word.real32Low |= type->isFloatTy() && offset % WordSize == 0;
        word.real32High |= type->isFloatTy() && offset % WordSize != 0;
    });
    return words;
}

/// The type that a word travels in through a general register. A word that only ever holds an address is
/// passed as one, so that the optimiser keeps track of what it points at; the register is the same.
llvm::Type* generalPiece(const WordContents& word, llvm::LLVMContext& context, uint64_t size, uint64_t offset) {
    bool isAddress = word.pointer && !word.integer && !word.real64 && !word.real32Low && !word.real32High;
    return isAddress ? llvm::PointerType::get(context, 0) : integerPiece(context, size, offset);
}

} // namespace

Passing CallAbi::aggregate(TypeId t, Passing::Kind kind) const {
    Passing passing;
    passing.source = t;
    passing.size = sizeOf(types_.table(), t);
    passing.align = alignOf(types_.table(), t);
    passing.kind = passing.size == 0 ? Passing::Kind::Nothing : kind;
    return passing;
}

Passing CallAbi::scalar(TypeId t, CallConv conv) const {
    Passing passing;
    passing.kind = Passing::Kind::Direct;
    passing.source = t;
    passing.direct = types_.scalar(t);
    // C has no integers of odd widths: they travel as the integer that holds them in memory.
    bool isBool = types_.table().kind(t) == TypeKind::Bool;
    if (conv == CallConv::C && !isBool) passing.direct = types_.stored(t);
    return passing;
}

// ---- Sx

Passing CallAbi::words(TypeId t) const {
    Passing passing = aggregate(t, Passing::Kind::Pieces);
    if (passing.kind == Passing::Kind::Nothing) return passing;
    uint64_t offset = 0;
    for (const WordContents& word : contentsOf(types_, t)) {
        addPiece(passing, generalPiece(word, types_.context(), passing.size, offset), offset);
        offset += WordSize;
    }
    return passing;
}

// ---- C

/// The classification of the System V ABI, for types without x87 and wide vector parts.
bool CallAbi::cPieces(TypeId t, Passing& passing, Registers& used) const {
    const TypeTable& table = types_.table();
    if (passing.size > LargestCAggregate) return false;
    if (table.kind(t) == TypeKind::Vector) {
        llvm::Type* elem = types_.stored(table.elem(t));
        addPiece(passing, llvm::FixedVectorType::get(elem, passing.size * 8 / elem->getPrimitiveSizeInBits()), 0);
        ++used.vector;
        return true;
    }
    llvm::Type* f32 = llvm::Type::getFloatTy(types_.context());
    uint64_t offset = 0;
    for (const WordContents& word : contentsOf(types_, t)) {
        bool isEmpty = !word.integer && !word.pointer && !word.real64 && !word.real32Low && !word.real32High;
        if (isEmpty && passing.align > WordSize) break; // only an alignment made this word: C passes none
        bool isReal = !word.integer && !word.pointer && (word.real64 || word.real32Low || word.real32High);
        if (!isReal) addPiece(passing, generalPiece(word, types_.context(), passing.size, offset), offset);
        else if (word.real64) addPiece(passing, llvm::Type::getDoubleTy(types_.context()), offset);
        else addPiece(passing, word.real32High ? llvm::FixedVectorType::get(f32, 2) : f32, offset);
        ++(isReal ? used.vector : used.integer);
        offset += WordSize;
    }
    return true;
}

Passing CallAbi::cParam(TypeId t, Registers& left) const {
    if (isScalar(types_.table(), t)) {
        Passing passing = scalar(t, CallConv::C);
        --(passing.direct->isFloatingPointTy() ? left.vector : left.integer);
        return passing;
    }
    if (!types_.isAggregate(t)) return {};
    Passing passing = aggregate(t, Passing::Kind::Pieces);
    if (passing.kind == Passing::Kind::Nothing) return passing;
    // An aggregate goes into registers as a whole or not at all.
    Registers used;
    bool inRegisters = cPieces(t, passing, used);
    bool fits = used.integer <= std::max(left.integer, 0) && used.vector <= std::max(left.vector, 0);
    if (!inRegisters || !fits) return aggregate(t, Passing::Kind::Stack);
    left.integer -= used.integer;
    left.vector -= used.vector;
    return passing;
}

// ---- signatures

Passing CallAbi::param(TypeId t, CallConv conv, Registers& left) const {
    if (conv == CallConv::C) return cParam(t, left);
    if (isScalar(types_.table(), t)) return scalar(t, conv);
    if (!types_.isAggregate(t)) return {};
    return sizeOf(types_.table(), t) <= LargestSxParam ? words(t) : aggregate(t, Passing::Kind::Pointer);
}

Passing CallAbi::result(TypeId t, CallConv conv) const {
    if (isScalar(types_.table(), t)) return scalar(t, conv);
    if (!types_.isAggregate(t)) return {};
    if (conv == CallConv::Sx)
        return sizeOf(types_.table(), t) <= LargestSxResult ? words(t) : aggregate(t, Passing::Kind::Pointer);
    Passing passing = aggregate(t, Passing::Kind::Pieces);
    Registers used;
    if (passing.kind == Passing::Kind::Nothing || cPieces(t, passing, used)) return passing;
    return aggregate(t, Passing::Kind::Pointer);
}

llvm::AttributeSet CallAbi::argumentAttributes(const Passing& passing, CallConv conv) const {
    llvm::LLVMContext& context = types_.context();
    llvm::AttrBuilder attributes(context);
    switch (passing.kind) {
    case Passing::Kind::Nothing:
    case Passing::Kind::Pieces: break;
    case Passing::Kind::Direct:
        if (conv == CallConv::C && passing.direct->isIntegerTy() && passing.direct->getIntegerBitWidth() < 32)
            attributes.addAttribute(types_.isSigned(passing.source) ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
        break;
    case Passing::Kind::Pointer:
        // The callee only reads it; the caller's memory outlives the call.
        attributes.addAttribute(llvm::Attribute::ReadOnly).addAttribute(llvm::Attribute::NonNull);
        attributes.addDereferenceableAttr(passing.size).addAlignmentAttr(llvm::Align(passing.align));
        break;
    case Passing::Kind::Stack:
        attributes.addByValAttr(types_.bytes(passing.size))
            .addAlignmentAttr(llvm::Align(std::max(passing.align, WordSize)));
        break;
    }
    return llvm::AttributeSet::get(context, attributes);
}

llvm::AttributeSet CallAbi::resultAttributes(const Passing& passing, CallConv conv) const {
    return passing.kind == Passing::Kind::Direct ? argumentAttributes(passing, conv) : llvm::AttributeSet();
}

/// A call's destination is storage that nothing else sees yet.
llvm::AttributeSet CallAbi::destinationAttributes(const Passing& passing, CallConv conv) const {
    llvm::AttrBuilder attributes(types_.context());
    attributes.addAttribute(llvm::Attribute::NoAlias)
        .addAttribute(llvm::Attribute::NonNull)
        .addAttribute(llvm::Attribute::Writable);
    attributes.addDereferenceableAttr(passing.size).addAlignmentAttr(llvm::Align(passing.align));
    if (conv == CallConv::C) attributes.addStructRetAttr(types_.bytes(passing.size));
    return llvm::AttributeSet::get(types_.context(), attributes);
}

namespace {

llvm::Type* resultType(const Passing& result, llvm::LLVMContext& context) {
    switch (result.kind) {
    case Passing::Kind::Direct: return result.direct;
    case Passing::Kind::Pieces: {
        llvm::SmallVector<llvm::Type*, 3> types;
        for (const Piece& piece : result.pieces) types.push_back(piece.type);
        return types.size() == 1 ? types.front() : llvm::StructType::get(context, types);
    }
    case Passing::Kind::Nothing:
    case Passing::Kind::Pointer:
    case Passing::Kind::Stack: break;
    }
    return llvm::Type::getVoidTy(context);
}

void appendTypes(const Passing& passing, llvm::LLVMContext& context, llvm::SmallVectorImpl<llvm::Type*>& types) {
    switch (passing.kind) {
    case Passing::Kind::Nothing: return;
    case Passing::Kind::Direct: types.push_back(passing.direct); return;
    case Passing::Kind::Pieces:
        for (const Piece& piece : passing.pieces) types.push_back(piece.type);
        return;
    case Passing::Kind::Pointer:
    case Passing::Kind::Stack: types.push_back(llvm::PointerType::get(context, 0)); return;
    }
}

} // namespace

Signature CallAbi::signature(llvm::ArrayRef<TypeId> params, TypeId resultId, CallConv conv, bool cVariadic) const {
    llvm::LLVMContext& context = types_.context();
    Signature signature;
    signature.conv = conv;
    signature.resultType = resultId;
    signature.result = result(resultId, conv);
    llvm::SmallVector<llvm::Type*, 8> argTypes;
    llvm::SmallVector<llvm::AttributeSet, 8> argAttributes;
    Registers left{6, 8};
    if (signature.result.kind == Passing::Kind::Pointer) {
        argTypes.push_back(llvm::PointerType::get(context, 0));
        argAttributes.push_back(destinationAttributes(signature.result, conv));
        --left.integer;
    }
    for (TypeId t : params) {
        Passing passing = param(t, conv, left);
        passing.firstArg = argTypes.size();
        appendTypes(passing, context, argTypes);
        argAttributes.resize(argTypes.size(), argumentAttributes(passing, conv));
        signature.params.push_back(std::move(passing));
    }
    llvm::AttrBuilder functionAttributes(context);
    functionAttributes.addAttribute(llvm::Attribute::NoUnwind);
    signature.attributes = llvm::AttributeList::get(context, llvm::AttributeSet::get(context, functionAttributes),
                                                    resultAttributes(signature.result, conv), argAttributes);
    signature.type = llvm::FunctionType::get(resultType(signature.result, context), argTypes, cVariadic);
    return signature;
}

} // namespace sx::codegen
