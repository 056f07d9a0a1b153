// Arithmetic, comparisons and conversions.
//
// Results that the language leaves unspecified (a shift by too much, a NaN made an integer) must still be some
// value: LLVM's poison is kept from spreading by masking or freezing.
#include "codegen/FunctionEmitter.h"

#include "llvm/Support/MathExtras.h"

namespace sx::codegen {

llvm::Value* FunctionEmitter::binary(llvm::Instruction::BinaryOps operation, const ir::Instr& i) {
    return b_.CreateBinOp(operation, operand(i, 0), operand(i, 1));
}

llvm::Value* FunctionEmitter::shift(llvm::Instruction::BinaryOps operation, const ir::Instr& i) {
    llvm::Value *a = operand(i, 0), *count = operand(i, 1);
    unsigned bits = a->getType()->getIntegerBitWidth();
    if (!llvm::isPowerOf2_32(bits)) return b_.CreateFreeze(b_.CreateBinOp(operation, a, count));
    count = b_.CreateAnd(count, llvm::ConstantInt::get(count->getType(), bits - 1)); // what the processor does anyway
    return b_.CreateBinOp(operation, a, count);
}

llvm::Value* FunctionEmitter::cast(llvm::Instruction::CastOps operation, const ir::Instr& i) {
    return b_.CreateCast(operation, operand(i, 0), scalarType(i.type));
}

llvm::Value* FunctionEmitter::emitICmp(const ir::Instr& i) {
    auto predicate = [&] {
        switch (static_cast<ir::ICmpPred>(i.pred)) {
        case ir::ICmpPred::Eq: return llvm::CmpInst::ICMP_EQ;
        case ir::ICmpPred::Ne: return llvm::CmpInst::ICMP_NE;
        case ir::ICmpPred::SLt: return llvm::CmpInst::ICMP_SLT;
        case ir::ICmpPred::SLe: return llvm::CmpInst::ICMP_SLE;
        case ir::ICmpPred::SGt: return llvm::CmpInst::ICMP_SGT;
        case ir::ICmpPred::SGe: return llvm::CmpInst::ICMP_SGE;
        case ir::ICmpPred::ULt: return llvm::CmpInst::ICMP_ULT;
        case ir::ICmpPred::ULe: return llvm::CmpInst::ICMP_ULE;
        case ir::ICmpPred::UGt: return llvm::CmpInst::ICMP_UGT;
        case ir::ICmpPred::UGe: return llvm::CmpInst::ICMP_UGE;
        }
        llvm_unreachable("no such comparison");
    };
    return b_.CreateICmp(predicate(), operand(i, 0), operand(i, 1));
}

llvm::Value* FunctionEmitter::emitFCmp(const ir::Instr& i) {
    auto predicate = [&] {
        switch (static_cast<ir::FCmpPred>(i.pred)) {
        case ir::FCmpPred::Eq: return llvm::CmpInst::FCMP_OEQ;
        case ir::FCmpPred::Ne: return llvm::CmpInst::FCMP_UNE;
        case ir::FCmpPred::Lt: return llvm::CmpInst::FCMP_OLT;
        case ir::FCmpPred::Le: return llvm::CmpInst::FCMP_OLE;
        case ir::FCmpPred::Gt: return llvm::CmpInst::FCMP_OGT;
        case ir::FCmpPred::Ge: return llvm::CmpInst::FCMP_OGE;
        }
        llvm_unreachable("no such comparison");
    };
    return b_.CreateFCmp(predicate(), operand(i, 0), operand(i, 1));
}

/// Truncates toward zero and keeps the low bits of what the target type cannot hold. Only beyond 64 bits, and
/// for NaN, is the result any value.
llvm::Value* FunctionEmitter::floatToInt(const ir::Instr& i, bool isSigned) {
    llvm::Value* a = operand(i, 0);
    llvm::Type* to = scalarType(i.type);
    llvm::Value* asSigned = b_.CreateFreeze(b_.CreateFPToSI(a, b_.getInt64Ty()));
    if (isSigned || to->getIntegerBitWidth() < 64) return b_.CreateTrunc(asSigned, to);
    llvm::Value* asUnsigned = b_.CreateFreeze(b_.CreateFPToUI(a, to));
    llvm::Value* isNegative = b_.CreateFCmpOLT(a, llvm::ConstantFP::getZero(a->getType()));
    return b_.CreateSelect(isNegative, asSigned, asUnsigned);
}

llvm::Value* FunctionEmitter::reinterpret(llvm::Value* a, llvm::Type* to) {
    if (a->getType() == to) return a;
    bool fromPointer = a->getType()->isPointerTy(), toPointer = to->isPointerTy();
    if (fromPointer) a = b_.CreatePtrToInt(a, b_.getInt64Ty());
    llvm::Type* integer = toPointer           ? b_.getInt64Ty()
                          : to->isIntegerTy() ? to
                                              : b_.getIntNTy(to->getPrimitiveSizeInBits());
    if (a->getType()->isFloatingPointTy())
        a = b_.CreateBitCast(a, b_.getIntNTy(a->getType()->getPrimitiveSizeInBits()));
    a = b_.CreateZExtOrTrunc(a, integer); // bool and u8 are of one width in memory only
    if (toPointer) return b_.CreateIntToPtr(a, to);
    return b_.CreateBitCast(a, to);
}

} // namespace sx::codegen
