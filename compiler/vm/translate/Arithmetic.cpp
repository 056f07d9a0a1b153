// Translation of arithmetic, comparisons to a value, and conversions.
//
// Every expansion of several instructions reads its operands before it writes `d`, which may be the register of
// a variable that is also an operand.
#include "vm/translate/Emit.h"

namespace sx::vm {

using ir::ICmpPred;
using ir::Op;
using ir::ValueClass;

namespace {

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

void extend(Translator& t, Reg to, Reg from, unsigned bits, bool withSign) {
    if (bits >= 64) return t.move(to, from);
    if (bits == 8) return t.code.emit(withSign ? Opcode::SExt8 : Opcode::ZExt8, to, from);
    if (bits == 16) return t.code.emit(withSign ? Opcode::SExt16 : Opcode::ZExt16, to, from);
    if (bits == 32) return t.code.emit(withSign ? Opcode::SExt32 : Opcode::ZExt32, to, from);
    t.code.emit(withSign ? Opcode::SExtN : Opcode::ZExtN, to, from, static_cast<uint16_t>(bits));
}

void normalize(Translator& t, Reg r, ScalarKind k) {
    if (k.cls == ValueClass::Bool) t.code.emit(Opcode::AndI, r, r, 1);
    else if (k.cls == ValueClass::Int && k.bits < 64) extend(t, r, r, k.bits, true);
}

Reg zeroExtended(Translator& t, ValueId v) {
    Reg from = t.use(v);
    ScalarKind k = t.kindOf(v);
    if (k.bits == 64 || k.cls == ValueClass::Bool) return from;
    Reg r = t.scratch();
    extend(t, r, from, k.bits, false);
    return r;
}

// ---- integers

void emitAddSub(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ScalarKind k = t.kindOf(v);
    bool isAdd = i.op == Op::Add, is32 = k.cls == ValueClass::Int && k.bits == 32;
    bool plain = is32 || k.bits == 64;
    ValueId a = t.operand(i, 0), b = t.operand(i, 1);
    int16_t imm = 0;
    if (isAdd && t.smallConstant(a, imm)) std::swap(a, b);
    if (t.smallConstant(b, imm) && (isAdd || fits(-int64_t{imm}))) {
        uint16_t addend = static_cast<uint16_t>(isAdd ? imm : -imm);
        t.code.emit(is32 ? Opcode::AddI32 : Opcode::AddI, d, t.use(a), addend);
        if (!plain) normalize(t, d, k);
        return;
    }
    if (!isAdd && !is32 && t.smallConstant(a, imm)) {
        t.code.emit(Opcode::RSubI, d, t.use(b), static_cast<uint16_t>(imm));
        return normalize(t, d, k);
    }
    Opcode op = isAdd ? (is32 ? Opcode::Add32 : Opcode::Add) : (is32 ? Opcode::Sub32 : Opcode::Sub);
    t.code.emit(op, d, t.use(a), t.use(b));
    if (!plain) normalize(t, d, k);
}

void emitMul(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ScalarKind k = t.kindOf(v);
    ValueId a = t.operand(i, 0), b = t.operand(i, 1);
    bool is32 = k.cls == ValueClass::Int && k.bits == 32;
    int16_t imm = 0;
    if (t.smallConstant(a, imm)) std::swap(a, b);
    if (t.smallConstant(b, imm)) {
        t.code.emit(Opcode::MulI, d, t.use(a), static_cast<uint16_t>(imm));
        return normalize(t, d, k);
    }
    t.code.emit(is32 ? Opcode::Mul32 : Opcode::Mul, d, t.use(a), t.use(b));
    if (!is32) normalize(t, d, k);
}

/// Operands in canonical form give a result in canonical form.
void emitBitwise(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ValueId a = t.operand(i, 0), b = t.operand(i, 1);
    int16_t imm = 0;
    if (t.smallConstant(a, imm)) std::swap(a, b);
    bool immediate = t.smallConstant(b, imm);
    auto pick = [&](Opcode reg, Opcode small) {
        if (immediate) t.code.emit(small, d, t.use(a), static_cast<uint16_t>(imm));
        else t.code.emit(reg, d, t.use(a), t.use(b));
    };
    if (i.op == Op::And) pick(Opcode::And, Opcode::AndI);
    else if (i.op == Op::Or) pick(Opcode::Or, Opcode::OrI);
    else pick(Opcode::Xor, Opcode::XorI);
}

void emitShift(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ScalarKind k = t.kindOf(v);
    Reg a = i.op == Op::LShr ? zeroExtended(t, t.operand(i, 0)) : t.use(t.operand(i, 0));
    int16_t count = 0;
    bool immediate = t.smallConstant(t.operand(i, 1), count) && count >= 0 && count < 64;
    auto pick = [&](Opcode reg, Opcode small) {
        if (immediate) t.code.emit(small, d, a, static_cast<uint16_t>(count));
        else t.code.emit(reg, d, a, t.use(t.operand(i, 1)));
    };
    if (i.op == Op::Shl) pick(Opcode::Shl, Opcode::ShlI);
    else if (i.op == Op::LShr) pick(Opcode::LShr, Opcode::LShrI);
    else pick(Opcode::AShr, Opcode::AShrI);
    if (i.op != Op::AShr) normalize(t, d, k);
}

void emitDivision(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ScalarKind k = t.kindOf(v);
    bool isSigned = i.op == Op::SDiv || i.op == Op::SRem, isDiv = i.op == Op::SDiv || i.op == Op::UDiv;
    ValueId a = t.operand(i, 0), b = t.operand(i, 1);
    int16_t imm = 0;
    bool small = t.smallConstant(b, imm) && imm != 0 && (isSigned ? imm != -1 : imm > 0);
    Reg x = isSigned ? t.use(a) : zeroExtended(t, a);
    if (small) {
        Opcode op = isSigned ? (isDiv ? Opcode::SDivI : Opcode::SRemI) : (isDiv ? Opcode::UDivI : Opcode::URemI);
        t.code.emit(op, d, x, static_cast<uint16_t>(imm));
    } else {
        Opcode op = isSigned ? (isDiv ? Opcode::SDiv : Opcode::SRem) : (isDiv ? Opcode::UDiv : Opcode::URem);
        t.code.emit(op, d, x, isSigned ? t.use(b) : zeroExtended(t, b));
    }
    if (!isSigned || (isDiv && !small)) normalize(t, d, k);
}

// ---- floats

void emitFloat(Translator& t, const Instr& i, ValueId v, Opcode d, Opcode s) {
    Reg to = t.dest(v), a = t.use(t.operand(i, 0));
    t.code.emit(t.kindOf(v).bits == 64 ? d : s, to, a, i.operandCount > 1 ? t.use(t.operand(i, 1)) : 0);
}

/// The language keeps math intrinsics out of compile-time evaluation: their last bit is the target's.
void emitMath(Translator& t, const Instr& i, ValueId v, const char* name, Opcode d, Opcode s) {
    if (t.environment.isComptime())
        return t.fail(std::string("the math intrinsic `") + name + "` cannot be used at compile time");
    emitFloat(t, i, v, d, s);
}

// ---- comparisons

void emitCompare(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ValueId a = t.operand(i, 0), b = t.operand(i, 1);
    if (i.op == Op::FCmp) {
        Comparison c = compareFloats(static_cast<ir::FCmpPred>(i.pred), t.kindOf(a).bits == 64);
        if (c.swap) std::swap(a, b);
        return t.code.emit(c.op, d, t.use(a), t.use(b));
    }
    auto pred = static_cast<ICmpPred>(i.pred);
    int16_t imm = 0;
    if (t.smallConstant(a, imm)) {
        std::swap(a, b);
        pred = swapped(pred);
    }
    if (t.smallConstant(b, imm)) return t.code.emit(compareImmediate(pred), d, t.use(a), static_cast<uint16_t>(imm));
    Comparison c = compareRegisters(pred);
    if (c.swap) std::swap(a, b);
    t.code.emit(c.op, d, t.use(a), t.use(b));
}

void emitSelect(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v), cond = t.use(t.operand(i, 0)), a = t.use(t.operand(i, 1)), b = t.use(t.operand(i, 2));
    t.code.emit(Opcode::Select, d, cond, a);
    t.code.extra(b);
}

// ---- conversions

void emitTruncation(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ScalarKind k = t.kindOf(v);
    if (k.cls == ValueClass::Bool) return t.code.emit(Opcode::AndI, d, t.use(t.operand(i, 0)), 1);
    extend(t, d, t.use(t.operand(i, 0)), k.bits, true);
}

void emitZeroExtension(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    extend(t, d, t.use(t.operand(i, 0)), t.kindOf(t.operand(i, 0)).bits, false);
}

/// Integers are sign-extended already; of a bool: 0 or -1.
void emitSignExtension(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    t.code.emit(Opcode::RSubI, d, t.use(t.operand(i, 0)), 0);
}

void emitIntToBool(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    t.code.emit(Opcode::NeI, d, t.use(t.operand(i, 0)), 0);
}

void emitIntToFloat(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    bool wide = t.kindOf(v).bits == 64;
    if (i.op == Op::SIntToFloat) t.code.emit(wide ? Opcode::SIntToD : Opcode::SIntToS, d, t.use(t.operand(i, 0)));
    else t.code.emit(wide ? Opcode::UIntToD : Opcode::UIntToS, d, zeroExtended(t, t.operand(i, 0)));
}

void emitFloatToInt(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    bool wide = t.kindOf(t.operand(i, 0)).bits == 64;
    Opcode op = i.op == Op::FloatToSInt ? (wide ? Opcode::DToSInt : Opcode::SToSInt)
                                        : (wide ? Opcode::DToUInt : Opcode::SToUInt);
    t.code.emit(op, d, t.use(t.operand(i, 0)));
    normalize(t, d, t.kindOf(v));
}

void emitFloatResize(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ValueId from = t.operand(i, 0);
    if (t.kindOf(v).bits == t.kindOf(from).bits) return t.move(d, t.use(from));
    t.code.emit(t.kindOf(v).bits == 64 ? Opcode::SToD : Opcode::DToS, d, t.use(from));
}

/// What is left when the bits in the register are not those of the result: i1 and bool, f32 to an integer.
void emitReinterpret(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    ScalarKind from = t.kindOf(t.operand(i, 0)), to = t.kindOf(i.type);
    if (to.cls == ValueClass::Bool) t.code.emit(Opcode::AndI, d, t.use(t.operand(i, 0)), 1);
    else if (from.cls == ValueClass::Bool) t.code.emit(Opcode::RSubI, d, t.use(t.operand(i, 0)), 0);
    else extend(t, d, t.use(t.operand(i, 0)), to.bits, true);
}

} // namespace sx::vm
