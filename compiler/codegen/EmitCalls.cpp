// Parameters, calls and returns: values in and out of registers as CallAbi.h says.
#include "codegen/FunctionEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sx::codegen {

// ---- scalars and aggregates at the boundary

llvm::Value* FunctionEmitter::toAbi(const Passing& passing, llvm::Value* v) {
    if (v->getType() == passing.direct) return v;
    return module_.types().isSigned(passing.source) ? b_.CreateSExt(v, passing.direct)
                                                    : b_.CreateZExt(v, passing.direct);
}

llvm::Value* FunctionEmitter::fromAbi(const Passing& passing, llvm::Value* v) {
    llvm::Type* type = scalarType(passing.source);
    return v->getType() == type ? v : b_.CreateTrunc(v, type);
}

/// Pieces that reach beyond the object are read from a copy, never from what lies beyond it.
void FunctionEmitter::loadPieces(const Passing& passing, llvm::Value* from,
                                 llvm::SmallVectorImpl<llvm::Value*>& pieces) {
    llvm::Align align(std::min<uint64_t>(passing.align, 8));
    if (passing.piecesSize > passing.size) {
        llvm::Value* padded = storage(passing.piecesSize, 8);
        b_.CreateMemCpy(padded, llvm::Align(8), from, align, passing.size);
        from = padded;
    }
    for (const Piece& piece : passing.pieces) {
        llvm::Value* at = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), from, piece.offset);
        pieces.push_back(b_.CreateAlignedLoad(piece.type, at, llvm::commonAlignment(align, piece.offset)));
    }
}

void FunctionEmitter::storePieces(const Passing& passing, llvm::ArrayRef<llvm::Value*> pieces, llvm::Value* to) {
    llvm::Align align(std::min<uint64_t>(passing.align, 8));
    bool isTooLong = passing.piecesSize > passing.size;
    llvm::Value* target = isTooLong ? storage(passing.piecesSize, 8) : to;
    for (auto [piece, v] : llvm::zip_equal(passing.pieces, pieces)) {
        llvm::Value* at = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), target, piece.offset);
        b_.CreateAlignedStore(v, at, llvm::commonAlignment(align, piece.offset));
    }
    if (isTooLong) b_.CreateMemCpy(to, align, target, llvm::Align(8), passing.size);
}

// ---- parameters

llvm::Value* FunctionEmitter::emitParam(const ir::Instr& i) {
    const Passing& passing = signature_.params[i.imm];
    bool hasName = i.imm < fn_.paramNames.size() && passing.kind != Passing::Kind::Nothing;
    if (hasName) out_.getArg(passing.firstArg)->setName(module_.ir().types.names().text(fn_.paramNames[i.imm]));
    switch (passing.kind) {
    case Passing::Kind::Nothing: return storage(0, 1);
    case Passing::Kind::Direct: return fromAbi(passing, out_.getArg(passing.firstArg));
    case Passing::Kind::Pointer:
    case Passing::Kind::Stack: return out_.getArg(passing.firstArg);
    case Passing::Kind::Pieces: break;
    }
    // The storage has room for whole pieces.
    llvm::Value* copy = storage(passing.piecesSize, std::max<uint64_t>(passing.align, 8));
    for (auto [n, piece] : llvm::enumerate(passing.pieces)) {
        llvm::Value* at = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), copy, piece.offset);
        b_.CreateAlignedStore(out_.getArg(passing.firstArg + n), at,
                              llvm::commonAlignment(llvm::Align(8), piece.offset));
    }
    return copy;
}

// ---- calls

void FunctionEmitter::passArgument(ir::ValueId v, const Passing& passing,
                                   llvm::SmallVectorImpl<llvm::Value*>& arguments) {
    switch (passing.kind) {
    case Passing::Kind::Nothing: return;
    case Passing::Kind::Direct: arguments.push_back(toAbi(passing, value(v))); return;
    case Passing::Kind::Pieces: loadPieces(passing, value(v), arguments); return;
    case Passing::Kind::Pointer:
    case Passing::Kind::Stack: arguments.push_back(value(v)); return;
    }
}

/// Variadic arguments are scalars. The checker has applied C's default promotions; a bool becomes an int here.
llvm::Value* FunctionEmitter::variadicArgument(ir::ValueId v) {
    llvm::Value* arg = toStored(fn_.instr(v).type, value(v));
    if (arg->getType()->isFloatTy()) return b_.CreateFPExt(arg, b_.getDoubleTy());
    if (!arg->getType()->isIntegerTy() || arg->getType()->getIntegerBitWidth() >= 32) return arg;
    bool isSigned = module_.types().isSigned(fn_.instr(v).type);
    return isSigned ? b_.CreateSExt(arg, b_.getInt32Ty()) : b_.CreateZExt(arg, b_.getInt32Ty());
}

llvm::Value* FunctionEmitter::receiveResult(const Passing& passing, llvm::Value* result, llvm::Value* dest) {
    switch (passing.kind) {
    case Passing::Kind::Direct: return fromAbi(passing, result);
    case Passing::Kind::Nothing:
    case Passing::Kind::Pointer:
    case Passing::Kind::Stack: return nullptr;
    case Passing::Kind::Pieces: break;
    }
    llvm::SmallVector<llvm::Value*, 3> pieces;
    if (passing.pieces.size() == 1) pieces.push_back(result);
    else
        for (unsigned n = 0; n < passing.pieces.size(); ++n) pieces.push_back(b_.CreateExtractValue(result, n));
    storePieces(passing, pieces, dest);
    return nullptr;
}

llvm::Value* FunctionEmitter::finishCall(const ir::Instr& i, const Signature& signature, llvm::Value* callee,
                                         Operands destAndArgs) {
    llvm::Value* dest = nullptr;
    if (module_.types().isAggregate(signature.resultType)) {
        dest = value(destAndArgs.front());
        destAndArgs = destAndArgs.drop_front();
    }
    llvm::SmallVector<llvm::Value*, 8> arguments;
    if (signature.result.kind == Passing::Kind::Pointer) arguments.push_back(dest);
    for (auto [v, passing] : llvm::zip(destAndArgs, signature.params)) passArgument(v, passing, arguments);
    for (ir::ValueId v : destAndArgs.drop_front(signature.params.size())) arguments.push_back(variadicArgument(v));

    llvm::CallInst* call = b_.CreateCall(signature.type, callee, arguments);
    call->setAttributes(signature.attributes);
    if (i.unlikely) call->addFnAttr(llvm::Attribute::Cold);
    return receiveResult(signature.result, call, dest);
}

llvm::Value* FunctionEmitter::emitCall(const ir::Instr& i) {
    auto callee = ir::FuncId(i.imm);
    return finishCall(i, module_.signature(callee), module_.function(callee), fn_.operandsOf(i));
}

llvm::Value* FunctionEmitter::emitCallIndirect(const ir::Instr& i) {
    return finishCall(i, module_.signatureOfType(TypeId(i.imm)), operand(i, 0), fn_.operandsOf(i).drop_front());
}

// ---- returns

void FunctionEmitter::emitRet(const ir::Instr& i) {
    const Passing& passing = signature_.result;
    switch (passing.kind) {
    case Passing::Kind::Nothing:
    case Passing::Kind::Stack: b_.CreateRetVoid(); return;
    case Passing::Kind::Direct: b_.CreateRet(toAbi(passing, operand(i, 0))); return;
    case Passing::Kind::Pointer:
        b_.CreateMemCpy(out_.getArg(0), llvm::MaybeAlign(passing.align), operand(i, 0), llvm::MaybeAlign(passing.align),
                        passing.size);
        b_.CreateRetVoid();
        return;
    case Passing::Kind::Pieces: break;
    }
    llvm::SmallVector<llvm::Value*, 3> pieces;
    loadPieces(passing, operand(i, 0), pieces);
    if (pieces.size() == 1) {
        b_.CreateRet(pieces.front());
        return;
    }
    b_.CreateAggregateRet(pieces.data(), pieces.size());
}

} // namespace sx::codegen
