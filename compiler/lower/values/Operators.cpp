#include "lower/values/Operators.h"

#include "ir/BuildConstants.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Casts.h"
#include "lower/values/Compare.h"
#include "lower/values/Conditions.h"
#include "lower/values/Conversions.h"
#include "lower/values/Elementwise.h"
#include "lower/values/Literals.h"
#include "lower/values/Optionals.h"
#include "lower/values/Places.h"
#include "sema/Wording.h"
#include "sema/model/Numbers.h"
#include "types/Predicates.h"

#include <cassert>

namespace sx::lower {

using namespace ast;

namespace {

// clang-format off
#define ARITHMETIC_OP(name, token, assignment, level, signedOp, unsignedOp, floatOp) \
    case BinaryOp::name: return ir::Op::floatOp;
// clang-format on
ir::Op floatOp(BinaryOp op) {
    switch (op) {
#include "syntax/Operators.def"
    default: llvm_unreachable("not of class Arithmetic");
    }
}

// clang-format off
#define ARITHMETIC_OP(name, token, assignment, level, signedOp, unsignedOp, floatOp) \
    SHIFT_OP(name, token, assignment, level, signedOp, unsignedOp)
#define SHIFT_OP(name, token, assignment, level, signedOp, unsignedOp) \
    case BinaryOp::name: return isSigned ? ir::Op::signedOp : ir::Op::unsignedOp;
#define BITWISE_OP(name, token, assignment, level, irOp) case BinaryOp::name: return ir::Op::irOp;
// clang-format on
ir::Op intOp(BinaryOp op, bool isSigned) {
    switch (op) {
#include "syntax/Operators.def"
    default: llvm_unreachable("not of class Arithmetic, Shift or Bitwise");
    }
}

/// The expected type, as far as it says something to the operands of an operator.
TypeId flowsIn(const TypeTable& types, TypeId target) {
    while (types.kind(target) == TypeKind::Optional) target = types.elem(target);
    bool speaks = isNumeric(types, target) || isPlainEnum(types, target) || types.kind(target) == TypeKind::Vector ||
                  types.kind(target) == TypeKind::Tuple;
    return speaks ? target : TypeId::None;
}

/// What the left operand asks of the right one; otherwise the type expected of the whole.
TypeId rightTarget(const TypeTable& types, TypeId left, TypeId target, OpClass cls) {
    if (cls == OpClass::Shift) return TypeId::None; // a count has a type of its own
    bool asks = isOneOf(types, left, TypeKind::Float, TypeKind::Enum, TypeKind::Union, TypeKind::Vector);
    return asks ? left : target;
}

/// The type in which two operands are combined (types.md 3.1); None: the operator is not for them.
TypeId combinedType(const TypeTable& types, OpClass cls, TypeId l, TypeId r) {
    bool leftInt = isInteger(types, l), rightInt = isInteger(types, r);
    switch (cls) {
    case OpClass::Arithmetic:
        if (!isNumeric(types, l) || !isNumeric(types, r)) return TypeId::None;
        return leftInt && isFloat(types, r) ? r : l;
    case OpClass::Shift: return leftInt && rightInt ? l : TypeId::None;
    case OpClass::Bitwise:
        if (leftInt && rightInt) return l;
        if (l == TypeId::Bool && r == TypeId::Bool) return l;
        if (isPlainEnum(types, l) && (l == r || rightInt)) return l;
        return leftInt && isPlainEnum(types, r) ? r : TypeId::None;
    case OpClass::Comparison:
    case OpClass::Other: break;
    }
    return TypeId::None;
}

} // namespace

// ------------------------------------------------------------------------------------ arithmetic

ValueId emitArithmetic(Body& f, BinaryOp op, TypeId type, ValueId l, ValueId r, Span at) {
    if (isFloat(f.types, type)) return emitBinary(f.b, floatOp(op), l, r);
    IntShape shape = intShape(f.types, type);
    bool divides = op == BinaryOp::Div || op == BinaryOp::Rem;
    if (divides) {
        uint64_t divisor = 0;
        bool isConst = f.b.isConst(r, divisor);
        uint64_t minusOne = shape.bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << shape.bits) - 1;
        if (!isConst || divisor == 0)
            panicIf(f, emitICmp(f.b, ir::ICmpPred::Eq, r, constInt(f.b, type, 0)), ir::PanicKind::DivisionByZero, at);
        if (shape.isSigned && (!isConst || divisor == minusOne)) {
            ValueId isMin = emitICmp(f.b, ir::ICmpPred::Eq, l, constInt(f.b, type, uint64_t{1} << (shape.bits - 1)));
            ValueId isMinusOne = emitICmp(f.b, ir::ICmpPred::Eq, r, constInt(f.b, type, minusOne));
            panicIf(f, emitBinary(f.b, ir::Op::And, isMin, isMinusOne), ir::PanicKind::DivisionOverflow, at);
        }
    }
    return emitBinary(f.b, intOp(op, shape.isSigned), l, r);
}

/// What is written where other languages have an operator.
static void helpWithOperator(Body& f, Diagnostic& d, BinaryOp op, Span opSpan, TypeId lt, TypeId rt) {
    if (lt == TypeId::String && op == BinaryOp::Add)
        d.help("join strings with `concat(a, b)`, or build text with `format(\"…\", …)`");
    else if (lt == TypeId::String && op == BinaryOp::Rem)
        d.help("text with values in it is made with `format(\"… {} …\", x)`");
    else if (op == BinaryOp::Mul && f.sema.sources.textOf({opSpan.begin, opSpan.end + 1}) == "**")
        d.help("there is no operator for powers: multiply in a loop, or call `pow` of C");
    else if (op == BinaryOp::Add && f.types.kind(lt) == TypeKind::Struct && lt == rt)
        d.help("operators are not declared for structs: write a function, `a.add(b)`");
    else if (isPointerLike(f.types, lt))
        d.help("pointers have no arithmetic: move a many-pointer by indexing, `*p[n]`");
}

Value arithmetic(Body& f, BinaryOp op, Value lhs, Value rhs, const Expr* lhsExpr, const Expr* rhsExpr, Span whole,
                 Span opSpan) {
    Value l = operandOf(f, lhs, lhsExpr->span), r = operandOf(f, rhs, rhsExpr->span);
    if (l.isError() || r.isError()) return Value::error();
    if (l.type == TypeId::NoReturn || r.type == TypeId::NoReturn) return Value::diverged();
    auto mayBeNull = [&](const Value& v, const Expr* at) {
        if (f.types.kind(v.type) != TypeKind::Optional) return false;
        f.diags
            .error(at->span,
                   code(spelling(op)) + " needs the payload of this " + code(f.types, v.type) + ", which may be null")
            .help("unwrap it with `!`, or give a default with `??`");
        return true;
    };
    if (mayBeNull(l, lhsExpr) || mayBeNull(r, rhsExpr)) return Value::error();
    Value out;
    if (tupleArithmetic(f, op, l, r, out)) return out;
    TypeId lt = l.type, rt = r.type;
    bool vectors = f.types.kind(lt) == TypeKind::Vector || f.types.kind(rt) == TypeKind::Vector;
    OpClass cls = classOf(op);
    if (vectors) {
        TypeId le = f.types.kind(lt) == TypeKind::Vector ? f.types.elem(lt) : lt,
               re = f.types.kind(rt) == TypeKind::Vector ? f.types.elem(rt) : rt;
        bool sameLanes = f.types.kind(lt) != f.types.kind(rt) || f.types.count(lt) == f.types.count(rt);
        if (sameLanes && cls == OpClass::Arithmetic && op != BinaryOp::Rem &&
            combinedType(f.types, cls, le, re) != TypeId::None)
            return vectorArithmetic(f, op, l, r, opSpan);
    }
    TypeId type = vectors ? TypeId::None : combinedType(f.types, cls, lt, rt);
    if (type == TypeId::None) {
        if (rejectTypeVariable(f, lhs) || rejectTypeVariable(f, rhs)) return Value::error();
        size_t before = f.diags.all().size();
        Diagnostic& d = f.diags.error(lhsExpr->span, code(spelling(op)) + " does not work on " +
                                                         withArticle(f.types, lt) + " and " + withArticle(f.types, rt));
        helpWithOperator(f, d, op, opSpan, lt, rt);
        explainResults(f, before, lhs);
        explainResults(f, before, rhs);
        return Value::error();
    }
    if (l.isConst() && r.isConst()) {
        std::optional<ConstValue> a = foldCast(f.types, l.constant, lt, type),
                                  c = foldCast(f.types, r.constant, rt, type);
        if (a && c) {
            bool divides = op == BinaryOp::Div || op == BinaryOp::Rem;
            if (std::string_view why = divides ? divisionFailure(f.types, type, *a, *c) : std::string_view{};
                !why.empty()) {
                f.diags.error(whole, std::string(why) + " in a constant expression");
                return Value::error();
            }
            if (std::optional<ConstValue> folded = foldArithmetic(f.types, op, type, *a, *c))
                return Value::ofConst(type, *folded);
        }
    }
    ValueId x = castScalar(f, scalar(f, l), lt, type), y = castScalar(f, scalar(f, r), rt, type);
    return Value::scalar(type, emitArithmetic(f, op, type, x, y, opSpan));
}

/// `a & mask == mask` compares first, which those who know C do not expect.
static void explainPrecedence(Body& f, size_t before, const Binary& e) {
    const auto* comparison = llvm::dyn_cast<Binary>(e.rhs);
    bool isMasked = classOf(e.op) == OpClass::Bitwise && comparison && classOf(comparison->op) == OpClass::Comparison;
    if (!isMasked) return;
    auto text = [&](const Expr* part) { return std::string(f.sema.sources.textOf(part->span)); };
    std::string op(spelling(e.op)), grouped = "(" + text(e.lhs) + " " + op + " " + text(comparison->lhs) + ") " +
                                              std::string(spelling(comparison->op)) + " " + text(comparison->rhs);
    for (Diagnostic& d : f.diags.since(before))
        d.help("comparisons bind tighter than " + code(op) + ": write " + code(grouped));
}

Value lowerBinary(Body& f, const Binary& e, TypeId target, ValueId dest) {
    switch (e.op) {
    case BinaryOp::And: return lowerLogic(f, e);
    case BinaryOp::Or:
        return isFailableExpr(f, e.lhs) || isFailableExpr(f, e.rhs) ? lowerOr(f, e, target, dest) : lowerLogic(f, e);
    case BinaryOp::Coalesce: return lowerCoalesce(f, e, target, dest);
    case BinaryOp::In: return lowerMembership(f, e);
    default: break;
    }
    OpClass cls = classOf(e.op);
    if (cls == OpClass::Comparison) return lowerComparison(f, e);
    assert(cls != OpClass::Other);
    TypeId expected = flowsIn(f.types, target);
    if (cls != OpClass::Arithmetic && isFloat(f.types, expected)) expected = TypeId::None; // no float has bits
    Value l = lowerOperand(f, e.lhs, f.types.kind(expected) == TypeKind::Tuple ? TypeId::None : expected);
    if (l.isError()) {
        checkDiscarded(f, e.rhs);
        return l;
    }
    l = operandOf(f, l, e.lhs->span);
    if (l.isError() || l.type == TypeId::NoReturn) return l;
    l = snapshot(f, l, !isTriviallyPure(e.rhs));
    TypeId asked =
        rightTarget(f.types, l.type, f.types.kind(expected) == TypeKind::Tuple ? TypeId::None : expected, cls);
    if (cls != OpClass::Shift && isWideLiteralFor(f.types, l.type, e.rhs)) asked = l.type;
    size_t before = f.diags.all().size();
    Value r = lowerOperand(f, e.rhs, asked);
    Value result = r.isError() ? r : arithmetic(f, e.op, l, r, e.lhs, e.rhs, e.span, e.opSpan);
    if (result.isError()) explainPrecedence(f, before, e);
    return result;
}

// ------------------------------------------------------------------------------------ unary

Value negate(Body& f, const Value& v, Span operand, Span) {
    TypeKind kind = f.types.kind(v.type);
    if (kind == TypeKind::Vector && isNumeric(f.types, f.types.elem(v.type))) {
        Value zero = isFloat(f.types, f.types.elem(v.type))
                         ? Value::ofConst(f.types.elem(v.type), ConstValue::ofFloat(-0.0))
                         : Value::ofConst(f.types.elem(v.type), ConstValue::ofInt(0));
        return vectorArithmetic(f, BinaryOp::Sub, zero, v, operand);
    }
    if (!isNumeric(f.types, v.type)) {
        bool mayBeNull = kind == TypeKind::Optional;
        f.diags.error(operand, "`-` needs a number, and this is " + withArticle(f.types, v.type))
            .help(mayBeNull ? "unwrap it with `!`, or give a default with `??`"
                            : "only integers, floats and vectors can be negated");
        return Value::error();
    }
    if (isFloat(f.types, v.type)) {
        if (v.isConst()) return Value::ofConst(v.type, ConstValue::ofFloat(-v.constant.f));
        return Value::scalar(v.type, emitUnary(f.b, ir::Op::FNeg, scalar(f, v)));
    }
    if (v.isConst()) return Value::ofConst(v.type, ConstValue::ofInt(wrapTo(intShape(f.types, v.type), -v.constant.i)));
    return Value::scalar(v.type, emitBinary(f.b, ir::Op::Sub, constInt(f.b, v.type, 0), scalar(f, v)));
}

namespace {

/// `!x`: of a bool, an integer or an error value (language 4.5).
Value lowerNot(Body& f, const Unary& e) {
    Value v = lower(f, e.operand);
    if (v.isError()) return v;
    v = operandOf(f, v, e.operand->span);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    if (v.type != TypeId::Bool && !isInteger(f.types, v.type) && !isErrorSet(f.types, v.type)) {
        Diagnostic& d = f.diags.error(e.span, "`!` needs a bool, an integer or an error value, and this is " +
                                                  withArticle(f.types, v.type));
        if (isPointerLike(f.types, v.type) || f.types.kind(v.type) == TypeKind::Optional)
            d.help("compare it: `… == null`");
        return Value::error();
    }
    if (v.isConst() && (v.constant.isInt() || v.constant.kind == ConstValue::Kind::Bool))
        return Value::ofConst(TypeId::Bool, ConstValue::ofBool(v.constant.i == 0));
    ValueId operand = scalar(f, v);
    ValueId is = v.type == TypeId::Bool ? emitNot(f.b, operand)
                                        : emitICmp(f.b, ir::ICmpPred::Eq, operand, constInt(f.b, v.type, 0));
    return Value::scalar(TypeId::Bool, is);
}

Value lowerBitNot(Body& f, const Unary& e, TypeId target) {
    bool speaks = isInteger(f.types, target) || isPlainEnum(f.types, target);
    Value v = lower(f, e.operand, speaks ? target : TypeId::None);
    if (v.isError()) return v;
    v = operandOf(f, v, e.operand->span);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    if (!isInteger(f.types, v.type) && !isPlainEnum(f.types, v.type)) {
        f.diags.error(e.operand->span,
                      "`~` needs an integer or an enum without payloads, and this is " + withArticle(f.types, v.type));
        return Value::error();
    }
    IntShape shape = intShape(f.types, v.type);
    if (v.isConst() && v.constant.isInt())
        return Value::ofConst(v.type, ConstValue::ofInt(wrapTo(shape, ~v.constant.i)));
    return Value::scalar(v.type, emitBinary(f.b, ir::Op::Xor, scalar(f, v), constInt(f.b, v.type, ~uint64_t{0})));
}

} // namespace

Value lowerUnary(Body& f, const Unary& e, TypeId target, ValueId dest) {
    switch (e.op) {
    case UnaryOp::Neg: {
        // A negated literal is one value: `-128` is an i8.
        if (const auto* literal = llvm::dyn_cast<IntLit>(e.operand)) return lowerInt(f, *literal, target, true, e.span);
        Value v = lowerOperand(f, e.operand, flowsIn(f.types, target));
        if (v.isError()) return v;
        v = operandOf(f, v, e.operand->span);
        if (v.isError() || v.type == TypeId::NoReturn) return v;
        Value negated = negate(f, v, e.operand->span, e.span);
        negated.untypedLiteral = v.untypedLiteral && negated.isConst();
        return negated;
    }
    case UnaryOp::Not: return lowerNot(f, e);
    case UnaryOp::BitNot: return lowerBitNot(f, e, target);
    case UnaryOp::AddrOf: return lowerAddressOf(f, e, target);
    case UnaryOp::Xx: return lowerXx(f, e, target, dest);
    case UnaryOp::Try: return lowerTry(f, e, target, dest);
    }
    return Value::error();
}

} // namespace sx::lower
