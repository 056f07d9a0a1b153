// Parameters, calls and returns: values in and out of registers as CallAbi.h says.
#include "codegen/Emit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sx::codegen {

// ---- scalars and aggregates at the boundary

namespace {

llvm::Value* toAbi(FunctionEmitter& f, const Passing& passing, llvm::Value* v) {
    if (v->getType() == passing.direct) return v;
    return f.module.types().isSigned(passing.source) ? f.b.CreateSExt(v, passing.direct)
                                                     : f.b.CreateZExt(v, passing.direct);
}

llvm::Value* fromAbi(FunctionEmitter& f, const Passing& passing, llvm::Value* v) {
    llvm::Type* type = f.scalarType(passing.source);
    return v->getType() == type ? v : f.b.CreateTrunc(v, type);
}

/// Pieces that reach beyond the object are read from a copy, never from what lies beyond it.
void loadPieces(FunctionEmitter& f, const Passing& passing, llvm::Value* from,
                llvm::SmallVectorImpl<llvm::Value*>& pieces) {
    llvm::Align align(std::min<uint64_t>(passing.align, 8));
    if (passing.piecesSize > passing.size) {
        llvm::Value* padded = f.storage(passing.piecesSize, 8);
        f.b.CreateMemCpy(padded, llvm::Align(8), from, align, passing.size);
        from = padded;
    }
    for (const Piece& piece : passing.pieces) {
        llvm::Value* at = f.b.CreateConstInBoundsGEP1_64(f.b.getInt8Ty(), from, piece.offset);
        pieces.push_back(f.b.CreateAlignedLoad(piece.type, at, llvm::commonAlignment(align, piece.offset)));
    }
}

void storePieces(FunctionEmitter& f, const Passing& passing, llvm::ArrayRef<llvm::Value*> pieces, llvm::Value* to) {
    llvm::Align align(std::min<uint64_t>(passing.align, 8));
    bool isTooLong = passing.piecesSize > passing.size;
    llvm::Value* target = isTooLong ? f.storage(passing.piecesSize, 8) : to;
    for (auto [piece, v] : llvm::zip_equal(passing.pieces, pieces)) {
        llvm::Value* at = f.b.CreateConstInBoundsGEP1_64(f.b.getInt8Ty(), target, piece.offset);
        f.b.CreateAlignedStore(v, at, llvm::commonAlignment(align, piece.offset));
    }
    if (isTooLong) f.b.CreateMemCpy(to, align, target, llvm::Align(8), passing.size);
}

} // namespace

// ---- parameters

llvm::Value* emitParam(FunctionEmitter& f, const ir::Instr& i) {
    const Passing& passing = f.signature.params[i.imm];
    bool hasName = i.imm < f.fn.paramNames.size() && passing.kind != Passing::Kind::Nothing;
    if (hasName) f.out.getArg(passing.firstArg)->setName(f.module.ir().types.names().text(f.fn.paramNames[i.imm]));
    switch (passing.kind) {
    case Passing::Kind::Nothing: return f.storage(0, 1);
    case Passing::Kind::Direct: return fromAbi(f, passing, f.out.getArg(passing.firstArg));
    case Passing::Kind::Pointer:
    case Passing::Kind::Stack: return f.out.getArg(passing.firstArg);
    case Passing::Kind::Pieces: break;
    }
    // The storage has room for whole pieces.
    llvm::Value* copy = f.storage(std::max(passing.piecesSize, passing.size), std::max<uint64_t>(passing.align, 8));
    for (auto [n, piece] : llvm::enumerate(passing.pieces)) {
        llvm::Value* at = f.b.CreateConstInBoundsGEP1_64(f.b.getInt8Ty(), copy, piece.offset);
        f.b.CreateAlignedStore(f.out.getArg(passing.firstArg + n), at,
                               llvm::commonAlignment(llvm::Align(8), piece.offset));
    }
    return copy;
}

// ---- calls

namespace {

void passArgument(FunctionEmitter& f, ir::ValueId v, const Passing& passing,
                  llvm::SmallVectorImpl<llvm::Value*>& arguments) {
    switch (passing.kind) {
    case Passing::Kind::Nothing: return;
    case Passing::Kind::Direct: arguments.push_back(toAbi(f, passing, f.value(v))); return;
    case Passing::Kind::Pieces: loadPieces(f, passing, f.value(v), arguments); return;
    case Passing::Kind::Pointer:
    case Passing::Kind::Stack: arguments.push_back(f.value(v)); return;
    }
}

/// Variadic arguments are scalars. The checker has applied C's default promotions; a bool becomes an int here.
llvm::Value* variadicArgument(FunctionEmitter& f, ir::ValueId v) {
    llvm::Value* arg = toStored(f, f.fn.instr(v).type, f.value(v));
    if (arg->getType()->isFloatTy()) return f.b.CreateFPExt(arg, f.b.getDoubleTy());
    if (!arg->getType()->isIntegerTy() || arg->getType()->getIntegerBitWidth() >= 32) return arg;
    bool isSigned = f.module.types().isSigned(f.fn.instr(v).type);
    return isSigned ? f.b.CreateSExt(arg, f.b.getInt32Ty()) : f.b.CreateZExt(arg, f.b.getInt32Ty());
}

llvm::Value* receiveResult(FunctionEmitter& f, const Passing& passing, llvm::Value* result, llvm::Value* dest) {
    switch (passing.kind) {
    case Passing::Kind::Direct: return fromAbi(f, passing, result);
    case Passing::Kind::Nothing:
    case Passing::Kind::Pointer:
    case Passing::Kind::Stack: return nullptr;
    case Passing::Kind::Pieces: break;
    }
    llvm::SmallVector<llvm::Value*, 3> pieces;
    if (passing.pieces.size() == 1) pieces.push_back(result);
    else
        for (unsigned n = 0; n < passing.pieces.size(); ++n) pieces.push_back(f.b.CreateExtractValue(result, n));
    storePieces(f, passing, pieces, dest);
    return nullptr;
}

llvm::Value* finishCall(FunctionEmitter& f, const ir::Instr& i, const Signature& signature, llvm::Value* callee,
                        llvm::ArrayRef<ir::ValueId> destAndArgs) {
    llvm::Value* dest = nullptr;
    if (f.module.types().isAggregate(signature.resultType)) {
        dest = f.value(destAndArgs.front());
        destAndArgs = destAndArgs.drop_front();
    }
    llvm::SmallVector<llvm::Value*, 8> arguments;
    if (signature.result.kind == Passing::Kind::Pointer) arguments.push_back(dest);
    for (auto [v, passing] : llvm::zip(destAndArgs, signature.params)) passArgument(f, v, passing, arguments);
    for (ir::ValueId v : destAndArgs.drop_front(signature.params.size())) arguments.push_back(variadicArgument(f, v));

    llvm::CallInst* call = f.b.CreateCall(signature.type, callee, arguments);
    call->setAttributes(signature.attributes);
    if (i.unlikely) call->addFnAttr(llvm::Attribute::Cold);
    return receiveResult(f, signature.result, call, dest);
}

} // namespace

llvm::Value* emitCall(FunctionEmitter& f, const ir::Instr& i) {
    auto callee = ir::FuncId(i.imm);
    return finishCall(f, i, f.module.signature(callee), f.module.function(callee), f.fn.operandsOf(i));
}

llvm::Value* emitCallIndirect(FunctionEmitter& f, const ir::Instr& i) {
    return finishCall(f, i, f.module.signatureOfType(TypeId(i.imm)), f.operand(i, 0), f.fn.operandsOf(i).drop_front());
}

// ---- returns

namespace {

/// The program's `main` becomes the body of the C `main`, and its returns have no code there. A statement that only
/// names the result has none either, nor has the end of one without a result: it gets some, to stop at.
void keepReturn(FunctionEmitter& f, const ir::Instr& i) {
    if (f.fn.name != "main" || f.fn.compilerMade || f.module.options().optLevel != 0) return;
    llvm::ArrayRef<ir::ValueId> results = f.fn.operandsOf(i);
    auto isBegun = [&](const ir::Statement& s) {
        return &f.fn.instr(s.first) == &i || (!results.empty() && s.first == results[0]);
    };
    bool isNamed = results.empty() || f.fn.instr(results[0]).op == ir::Op::Const;
    if (!isNamed || llvm::none_of(f.fn.statements, isBegun)) return;
    llvm::Value* kept = results.empty() ? f.b.getInt64(0) : f.operand(i, 0);
    f.b.CreateStore(kept, f.storage(sizeof(uint64_t), alignof(uint64_t)));
}

void returnScalar(FunctionEmitter& f, llvm::Value* result) {
    bool isNarrow = result->getType()->isIntegerTy() && result->getType()->getIntegerBitWidth() < 32;
    if (isNarrow) f.setTerminatorApart();
    f.b.CreateRet(result);
}

} // namespace

void emitRet(FunctionEmitter& f, const ir::Instr& i) {
    const Passing& passing = f.signature.result;
    switch (passing.kind) {
    case Passing::Kind::Nothing:
    case Passing::Kind::Stack:
        keepReturn(f, i);
        f.b.CreateRetVoid();
        return;
    case Passing::Kind::Direct:
        keepReturn(f, i);
        returnScalar(f, toAbi(f, passing, f.operand(i, 0)));
        return;
    case Passing::Kind::Pointer:
        f.b.CreateMemCpy(f.out.getArg(0), llvm::MaybeAlign(passing.align), f.operand(i, 0),
                         llvm::MaybeAlign(passing.align), passing.size);
        f.b.CreateRetVoid();
        return;
    case Passing::Kind::Pieces: break;
    }
    llvm::Value* result = f.operand(i, 0);
    if (passing.pieces.size() > 1 && !f.beginReturnOf(result)) return;
    llvm::SmallVector<llvm::Value*, 3> pieces;
    loadPieces(f, passing, result, pieces);
    if (pieces.size() == 1) {
        f.b.CreateRet(pieces.front());
        return;
    }
    f.b.CreateAggregateRet(pieces.data(), pieces.size());
}

} // namespace sx::codegen
