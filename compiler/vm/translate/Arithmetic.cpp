// Translation of arithmetic, comparisons to a value, and conversions.
//
// Every expansion of several instructions reads its operands before it writes `d`, which may be the register of
// a variable that is also an operand.
#include "vm/translate/Translator.h"

namespace sx::vm {

using ir::ICmpPred;
using ir::Op;
using ir::ValueClass;

namespace {

/// `a pred b` as `b pred' a`.
ICmpPred swapped(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq:
    case ICmpPred::Ne: return p;
    case ICmpPred::SLt: return ICmpPred::SGt;
    case ICmpPred::SLe: return ICmpPred::SGe;
    case ICmpPred::SGt: return ICmpPred::SLt;
    case ICmpPred::SGe: return ICmpPred::SLe;
    case ICmpPred::ULt: return ICmpPred::UGt;
    case ICmpPred::ULe: return ICmpPred::UGe;
    case ICmpPred::UGt: return ICmpPred::ULt;
    case ICmpPred::UGe: return ICmpPred::ULe;
    }
    return p;
}

Opcode compareImmediate(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq: return Opcode::EqI;
    case ICmpPred::Ne: return Opcode::NeI;
    case ICmpPred::SLt: return Opcode::SLtI;
    case ICmpPred::SLe: return Opcode::SLeI;
    case ICmpPred::SGt: return Opcode::SGtI;
    case ICmpPred::SGe: return Opcode::SGeI;
    case ICmpPred::ULt: return Opcode::ULtI;
    case ICmpPred::ULe: return Opcode::ULeI;
    case ICmpPred::UGt: return Opcode::UGtI;
    case ICmpPred::UGe: return Opcode::UGeI;
    }
    return Opcode::EqI;
}

struct Comparison {
    Opcode op;
    bool swap;
};

Comparison compareRegisters(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq: return {Opcode::Eq, false};
    case ICmpPred::Ne: return {Opcode::Ne, false};
    case ICmpPred::SLt: return {Opcode::SLt, false};
    case ICmpPred::SLe: return {Opcode::SLe, false};
    case ICmpPred::SGt: return {Opcode::SLt, true};
    case ICmpPred::SGe: return {Opcode::SLe, true};
    case ICmpPred::ULt: return {Opcode::ULt, false};
    case ICmpPred::ULe: return {Opcode::ULe, false};
    case ICmpPred::UGt: return {Opcode::ULt, true};
    case ICmpPred::UGe: return {Opcode::ULe, true};
    }
    return {Opcode::Eq, false};
}

Comparison compareFloats(ir::FCmpPred p, bool wide) {
    switch (p) {
    case ir::FCmpPred::Eq: return {wide ? Opcode::FEqD : Opcode::FEqS, false};
    case ir::FCmpPred::Ne: return {wide ? Opcode::FNeD : Opcode::FNeS, false};
    case ir::FCmpPred::Lt: return {wide ? Opcode::FLtD : Opcode::FLtS, false};
    case ir::FCmpPred::Le: return {wide ? Opcode::FLeD : Opcode::FLeS, false};
    case ir::FCmpPred::Gt: return {wide ? Opcode::FLtD : Opcode::FLtS, true};
    case ir::FCmpPred::Ge: return {wide ? Opcode::FLeD : Opcode::FLeS, true};
    }
    return {Opcode::FEqD, false};
}

bool fits(int64_t v) { return v == static_cast<int16_t>(v); }

} // namespace

// ---- width

void Translator::extend(Reg to, Reg from, unsigned bits, bool withSign) {
    if (bits >= 64) return move(to, from);
    if (bits == 8) return code_.emit(withSign ? Opcode::SExt8 : Opcode::ZExt8, to, from);
    if (bits == 16) return code_.emit(withSign ? Opcode::SExt16 : Opcode::ZExt16, to, from);
    if (bits == 32) return code_.emit(withSign ? Opcode::SExt32 : Opcode::ZExt32, to, from);
    code_.emit(withSign ? Opcode::SExtN : Opcode::ZExtN, to, from, static_cast<uint16_t>(bits));
}

void Translator::normalize(Reg r, ScalarKind k) {
    if (k.cls == ValueClass::Bool) code_.emit(Opcode::AndI, r, r, 1);
    else if (k.cls == ValueClass::Int && k.bits < 64) extend(r, r, k.bits, true);
}

Reg Translator::zeroExtended(ValueId v) {
    Reg from = use(v);
    ScalarKind k = kindOf(v);
    if (k.bits == 64 || k.cls == ValueClass::Bool) return from;
    Reg r = scratch();
    extend(r, from, k.bits, false);
    return r;
}

// ---- integers

void Translator::emitAddSub(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ScalarKind k = kindOf(v);
    bool isAdd = i.op == Op::Add, is32 = k.cls == ValueClass::Int && k.bits == 32;
    bool plain = is32 || k.bits == 64;
    ValueId a = operand(i, 0), b = operand(i, 1);
    int16_t imm = 0;
    if (isAdd && smallConstant(a, imm)) std::swap(a, b);
    if (smallConstant(b, imm) && (isAdd || fits(-int64_t{imm}))) {
        uint16_t addend = static_cast<uint16_t>(isAdd ? imm : -imm);
        code_.emit(is32 ? Opcode::AddI32 : Opcode::AddI, d, use(a), addend);
        if (!plain) normalize(d, k);
        return;
    }
    if (!isAdd && !is32 && smallConstant(a, imm)) {
        code_.emit(Opcode::RSubI, d, use(b), static_cast<uint16_t>(imm));
        return normalize(d, k);
    }
    Opcode op = isAdd ? (is32 ? Opcode::Add32 : Opcode::Add) : (is32 ? Opcode::Sub32 : Opcode::Sub);
    code_.emit(op, d, use(a), use(b));
    if (!plain) normalize(d, k);
}

void Translator::emitMul(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ScalarKind k = kindOf(v);
    ValueId a = operand(i, 0), b = operand(i, 1);
    bool is32 = k.cls == ValueClass::Int && k.bits == 32;
    int16_t imm = 0;
    if (smallConstant(a, imm)) std::swap(a, b);
    if (smallConstant(b, imm)) {
        code_.emit(Opcode::MulI, d, use(a), static_cast<uint16_t>(imm));
        return normalize(d, k);
    }
    code_.emit(is32 ? Opcode::Mul32 : Opcode::Mul, d, use(a), use(b));
    if (!is32) normalize(d, k);
}

/// Operands in canonical form give a result in canonical form.
void Translator::emitBitwise(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ValueId a = operand(i, 0), b = operand(i, 1);
    int16_t imm = 0;
    if (smallConstant(a, imm)) std::swap(a, b);
    bool immediate = smallConstant(b, imm);
    auto pick = [&](Opcode reg, Opcode small) {
        if (immediate) code_.emit(small, d, use(a), static_cast<uint16_t>(imm));
        else code_.emit(reg, d, use(a), use(b));
    };
    if (i.op == Op::And) pick(Opcode::And, Opcode::AndI);
    else if (i.op == Op::Or) pick(Opcode::Or, Opcode::OrI);
    else pick(Opcode::Xor, Opcode::XorI);
}

void Translator::emitShift(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ScalarKind k = kindOf(v);
    Reg a = i.op == Op::LShr ? zeroExtended(operand(i, 0)) : use(operand(i, 0));
    int16_t count = 0;
    bool immediate = smallConstant(operand(i, 1), count) && count >= 0 && count < 64;
    auto pick = [&](Opcode reg, Opcode small) {
        if (immediate) code_.emit(small, d, a, static_cast<uint16_t>(count));
        else code_.emit(reg, d, a, use(operand(i, 1)));
    };
    if (i.op == Op::Shl) pick(Opcode::Shl, Opcode::ShlI);
    else if (i.op == Op::LShr) pick(Opcode::LShr, Opcode::LShrI);
    else pick(Opcode::AShr, Opcode::AShrI);
    if (i.op != Op::AShr) normalize(d, k);
}

void Translator::emitDivision(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ScalarKind k = kindOf(v);
    bool isSigned = i.op == Op::SDiv || i.op == Op::SRem, isDiv = i.op == Op::SDiv || i.op == Op::UDiv;
    ValueId a = operand(i, 0), b = operand(i, 1);
    int16_t imm = 0;
    bool small = smallConstant(b, imm) && imm != 0 && (isSigned ? imm != -1 : imm > 0);
    Reg x = isSigned ? use(a) : zeroExtended(a);
    if (small) {
        Opcode op = isSigned ? (isDiv ? Opcode::SDivI : Opcode::SRemI) : (isDiv ? Opcode::UDivI : Opcode::URemI);
        code_.emit(op, d, x, static_cast<uint16_t>(imm));
    } else {
        Opcode op = isSigned ? (isDiv ? Opcode::SDiv : Opcode::SRem) : (isDiv ? Opcode::UDiv : Opcode::URem);
        code_.emit(op, d, x, isSigned ? use(b) : zeroExtended(b));
    }
    if (!isSigned || (isDiv && !small)) normalize(d, k);
}

// ---- floats

void Translator::emitFloat(const Instr& i, ValueId v, Opcode d, Opcode s) {
    Reg to = dest(v), a = use(operand(i, 0));
    code_.emit(kindOf(v).bits == 64 ? d : s, to, a, i.operandCount > 1 ? use(operand(i, 1)) : 0);
}

/// The language keeps math intrinsics out of compile-time evaluation: their last bit is the target's.
void Translator::emitMath(const Instr& i, ValueId v, const char* name, Opcode d, Opcode s) {
    if (environment_.isComptime())
        return fail(std::string("the math intrinsic `") + name + "` cannot be used at compile time");
    emitFloat(i, v, d, s);
}

// ---- comparisons

void Translator::emitCompare(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ValueId a = operand(i, 0), b = operand(i, 1);
    if (i.op == Op::FCmp) {
        Comparison c = compareFloats(static_cast<ir::FCmpPred>(i.pred), kindOf(a).bits == 64);
        if (c.swap) std::swap(a, b);
        return code_.emit(c.op, d, use(a), use(b));
    }
    auto pred = static_cast<ICmpPred>(i.pred);
    int16_t imm = 0;
    if (smallConstant(a, imm)) {
        std::swap(a, b);
        pred = swapped(pred);
    }
    if (smallConstant(b, imm)) return code_.emit(compareImmediate(pred), d, use(a), static_cast<uint16_t>(imm));
    Comparison c = compareRegisters(pred);
    if (c.swap) std::swap(a, b);
    code_.emit(c.op, d, use(a), use(b));
}

void Translator::emitSelect(const Instr& i, ValueId v) {
    Reg d = dest(v), cond = use(operand(i, 0)), a = use(operand(i, 1)), b = use(operand(i, 2));
    code_.emit(Opcode::Select, d, cond, a);
    code_.extra(b);
}

// ---- conversions

void Translator::emitTruncation(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ScalarKind k = kindOf(v);
    if (k.cls == ValueClass::Bool) return code_.emit(Opcode::AndI, d, use(operand(i, 0)), 1);
    extend(d, use(operand(i, 0)), k.bits, true);
}

void Translator::emitZeroExtension(const Instr& i, ValueId v) {
    Reg d = dest(v);
    extend(d, use(operand(i, 0)), kindOf(operand(i, 0)).bits, false);
}

/// Integers are sign-extended already; of a bool: 0 or -1.
void Translator::emitSignExtension(const Instr& i, ValueId v) {
    Reg d = dest(v);
    code_.emit(Opcode::RSubI, d, use(operand(i, 0)), 0);
}

void Translator::emitIntToBool(const Instr& i, ValueId v) {
    Reg d = dest(v);
    code_.emit(Opcode::NeI, d, use(operand(i, 0)), 0);
}

void Translator::emitIntToFloat(const Instr& i, ValueId v) {
    Reg d = dest(v);
    bool wide = kindOf(v).bits == 64;
    if (i.op == Op::SIntToFloat) code_.emit(wide ? Opcode::SIntToD : Opcode::SIntToS, d, use(operand(i, 0)));
    else code_.emit(wide ? Opcode::UIntToD : Opcode::UIntToS, d, zeroExtended(operand(i, 0)));
}

void Translator::emitFloatToInt(const Instr& i, ValueId v) {
    Reg d = dest(v);
    bool wide = kindOf(operand(i, 0)).bits == 64;
    Opcode op = i.op == Op::FloatToSInt ? (wide ? Opcode::DToSInt : Opcode::SToSInt)
                                        : (wide ? Opcode::DToUInt : Opcode::SToUInt);
    code_.emit(op, d, use(operand(i, 0)));
    normalize(d, kindOf(v));
}

void Translator::emitFloatResize(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ValueId from = operand(i, 0);
    if (kindOf(v).bits == kindOf(from).bits) return move(d, use(from));
    code_.emit(kindOf(v).bits == 64 ? Opcode::SToD : Opcode::DToS, d, use(from));
}

/// What is left when the bits in the register are not those of the result: i1 and bool, f32 to an integer.
void Translator::emitReinterpret(const Instr& i, ValueId v) {
    Reg d = dest(v);
    ScalarKind from = kindOf(operand(i, 0)), to = kindOf(i.type);
    if (to.cls == ValueClass::Bool) code_.emit(Opcode::AndI, d, use(operand(i, 0)), 1);
    else if (from.cls == ValueClass::Bool) code_.emit(Opcode::RSubI, d, use(operand(i, 0)), 0);
    else extend(d, use(operand(i, 0)), to.bits, true);
}

} // namespace sx::vm
