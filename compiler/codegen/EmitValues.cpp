// Constants, arithmetic, comparisons and conversions.
//
// Results that the language leaves unspecified (a shift by too much, a NaN made an integer) must still be one value at
// every level: nothing here may become LLVM's poison.
#include "codegen/Emit.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Support/MathExtras.h"

namespace sx::codegen {

llvm::Value* emitConst(FunctionEmitter& f, const ir::Instr& i) {
    llvm::Type* type = f.scalarType(i.type);
    if (type->isPointerTy())
        return i.imm == 0 ? static_cast<llvm::Value*>(llvm::Constant::getNullValue(type))
                          : f.b.CreateIntToPtr(f.b.getInt64(i.imm), type);
    if (type->isFloatTy())
        return llvm::ConstantFP::get(f.module.context(),
                                     llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, i.imm)));
    if (type->isDoubleTy())
        return llvm::ConstantFP::get(f.module.context(),
                                     llvm::APFloat(llvm::APFloat::IEEEdouble(), llvm::APInt(64, i.imm)));
    return llvm::ConstantInt::get(type, llvm::APInt(64, i.imm).trunc(type->getIntegerBitWidth()));
}

llvm::Value* emitBinary(FunctionEmitter& f, llvm::Instruction::BinaryOps operation, const ir::Instr& i) {
    return f.b.CreateBinOp(operation, f.operand(i, 0), f.operand(i, 1));
}

llvm::Value* emitShift(FunctionEmitter& f, llvm::Instruction::BinaryOps operation, const ir::Instr& i) {
    llvm::Value *a = f.operand(i, 0), *count = f.operand(i, 1);
    unsigned bits = a->getType()->getIntegerBitWidth();
    if (!llvm::isPowerOf2_32(bits)) return f.b.CreateFreeze(f.b.CreateBinOp(operation, a, count));
    count = f.b.CreateAnd(count, llvm::ConstantInt::get(count->getType(), bits - 1)); // what the processor does anyway
    return f.b.CreateBinOp(operation, a, count);
}

llvm::Value* emitCast(FunctionEmitter& f, llvm::Instruction::CastOps operation, const ir::Instr& i) {
    return f.b.CreateCast(operation, f.operand(i, 0), f.scalarType(i.type));
}

llvm::Value* emitICmp(FunctionEmitter& f, const ir::Instr& i) {
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
    return f.b.CreateICmp(predicate(), f.operand(i, 0), f.operand(i, 1));
}

llvm::Value* emitFCmp(FunctionEmitter& f, const ir::Instr& i) {
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
    return f.b.CreateFCmp(predicate(), f.operand(i, 0), f.operand(i, 1));
}

/// Toward zero; `1 << 63` for what an i64 cannot hold and for NaN. LLVM's own conversion may make any value of those,
/// another one at each level; this is one machine instruction as well.
static llvm::Value* toI64(FunctionEmitter& f, llvm::Value* a) {
    bool isWide = a->getType()->isDoubleTy();
    llvm::Type* vector = llvm::FixedVectorType::get(a->getType(), isWide ? 2 : 4);
    llvm::Value* lane = f.b.CreateInsertElement(llvm::PoisonValue::get(vector), a, uint64_t{0});
    return f.b.CreateIntrinsic(isWide ? llvm::Intrinsic::x86_sse2_cvttsd2si64 : llvm::Intrinsic::x86_sse_cvttss2si64,
                               {}, {lane});
}

/// Truncates toward zero and keeps the low bits of what the target type cannot hold.
llvm::Value* emitFloatToInt(FunctionEmitter& f, const ir::Instr& i, bool isSigned) {
    llvm::Value* a = f.operand(i, 0);
    llvm::Type* to = f.scalarType(i.type);
    llvm::Value* low = toI64(f, a);
    if (isSigned || to->getIntegerBitWidth() < 64) return f.b.CreateTrunc(low, to);
    // From 2^63 on `low` is its top bit only, and what lies above 2^63 comes from a second conversion.
    llvm::Value* high = toI64(f, f.b.CreateFSub(a, llvm::ConstantFP::get(a->getType(), 9223372036854775808.0)));
    return f.b.CreateOr(low, f.b.CreateAnd(high, f.b.CreateAShr(low, 63)));
}

llvm::Value* emitReinterpret(FunctionEmitter& f, llvm::Value* a, llvm::Type* to) {
    if (a->getType() == to) return a;
    bool fromPointer = a->getType()->isPointerTy(), toPointer = to->isPointerTy();
    if (fromPointer) a = f.b.CreatePtrToInt(a, f.b.getInt64Ty());
    llvm::Type* integer = toPointer           ? f.b.getInt64Ty()
                          : to->isIntegerTy() ? to
                                              : f.b.getIntNTy(to->getPrimitiveSizeInBits());
    if (a->getType()->isFloatingPointTy())
        a = f.b.CreateBitCast(a, f.b.getIntNTy(a->getType()->getPrimitiveSizeInBits()));
    a = f.b.CreateZExtOrTrunc(a, integer); // bool and u8 are of one width in memory only
    if (toPointer) return f.b.CreateIntToPtr(a, to);
    return f.b.CreateBitCast(a, to);
}

} // namespace sx::codegen
