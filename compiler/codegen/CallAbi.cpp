#include "codegen/CallAbi.h"

#include "types/Layout.h"
#include "types/MachineForm.h"
#include "types/Predicates.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Attributes.h"

namespace sx::codegen {

namespace {

constexpr uint64_t LargestSxParam = 2 * WordSize, LargestSxResult = 3 * WordSize;

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

/// The type that a word travels in through a general register. A word that only ever holds an address is
/// passed as one, so that the optimiser keeps track of what it points at; the register is the same.
llvm::Type* generalPiece(const WordContents& word, llvm::LLVMContext& context, uint64_t size, uint64_t offset) {
    return word.isAddress() ? llvm::PointerType::get(context, 0) : integerPiece(context, size, offset);
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
    for (const WordContents& word : wordsOf(types_.table(), t)) {
        addPiece(passing, generalPiece(word, types_.context(), passing.size, offset), offset);
        offset += WordSize;
    }
    return passing;
}

// ---- C

/// What holds such a piece of an aggregate.
llvm::Type* CallAbi::cPiece(TypeId t, const CPiece& piece) const {
    llvm::LLVMContext& context = types_.context();
    switch (piece.kind) {
    case CPiece::Kind::Integer: return integerPiece(context, piece.size, 0);
    case CPiece::Kind::Address: return llvm::PointerType::get(context, 0);
    case CPiece::Kind::Float32: return llvm::Type::getFloatTy(context);
    case CPiece::Kind::Floats32: return llvm::FixedVectorType::get(llvm::Type::getFloatTy(context), 2);
    case CPiece::Kind::Float64: return llvm::Type::getDoubleTy(context);
    case CPiece::Kind::Vector: break;
    }
    llvm::Type* elem = types_.stored(types_.table().elem(t));
    return llvm::FixedVectorType::get(elem, piece.size * 8 / elem->getPrimitiveSizeInBits());
}

/// `inMemory`: how it travels if not in registers.
Passing CallAbi::cAggregate(TypeId t, const CPassing& place, Passing::Kind inMemory) const {
    bool isInMemory = place.place == CPassing::Place::Memory;
    Passing passing = aggregate(t, isInMemory ? inMemory : Passing::Kind::Pieces);
    for (const CPiece& piece : place.pieces) addPiece(passing, cPiece(t, piece), piece.offset);
    return passing;
}

// ---- signatures

Passing CallAbi::param(TypeId t, CallConv conv, CRegisters& left) const {
    if (conv == CallConv::C) {
        CPassing place = cArgument(types_.table(), t, left);
        if (types_.isAggregate(t)) return cAggregate(t, place, Passing::Kind::Stack);
    }
    if (isScalar(types_.table(), t)) return scalar(t, conv);
    if (!types_.isAggregate(t)) return {};
    return sizeOf(types_.table(), t) <= LargestSxParam ? words(t) : aggregate(t, Passing::Kind::Pointer);
}

Passing CallAbi::result(TypeId t, CallConv conv, CRegisters& left) const {
    if (isScalar(types_.table(), t)) return scalar(t, conv);
    if (!types_.isAggregate(t)) return {};
    if (conv == CallConv::C) return cAggregate(t, cResult(types_.table(), t, left), Passing::Kind::Pointer);
    return sizeOf(types_.table(), t) <= LargestSxResult ? words(t) : aggregate(t, Passing::Kind::Pointer);
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
            .addAlignmentAttr(llvm::Align(cStackAlignment(types_.table(), passing.source)));
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
    CRegisters left;
    signature.result = result(resultId, conv, left);
    llvm::SmallVector<llvm::Type*, 8> argTypes;
    llvm::SmallVector<llvm::AttributeSet, 8> argAttributes;
    if (signature.result.kind == Passing::Kind::Pointer) {
        argTypes.push_back(llvm::PointerType::get(context, 0));
        argAttributes.push_back(destinationAttributes(signature.result, conv));
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
