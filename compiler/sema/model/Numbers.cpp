#include "sema/model/Numbers.h"

#include "types/Derived.h"
#include "types/Predicates.h"

#include <algorithm>
#include <cmath>

namespace sx::sema {

using ast::BinaryOp;

namespace {

constexpr double TwoTo63 = 9223372036854775808.0;

/// Toward zero, as running code does it: through 64 bits, of which `wrapTo` keeps the low ones. What lies beyond them,
/// and NaN, is `1 << 63`.
__int128 truncated(IntShape to, double d) {
    double whole = std::trunc(d);
    bool isWideUnsigned = to.bits == 64 && !to.isSigned;
    if (!(whole >= -TwoTo63 && whole < (isWideUnsigned ? 2 : 1) * TwoTo63)) return static_cast<__int128>(1) << 63;
    return static_cast<__int128>(whole);
}

double toFloat(TypeId type, __int128 v) {
    // One rounding, as the machine does it: not through f64 for an f32.
    if (type == TypeId::F32)
        return v < 0 ? static_cast<float>(static_cast<int64_t>(v)) : static_cast<float>(static_cast<uint64_t>(v));
    return v < 0 ? static_cast<double>(static_cast<int64_t>(v)) : static_cast<double>(static_cast<uint64_t>(v));
}

template <typename F> std::optional<double> floatArithmetic(BinaryOp op, F a, F b) {
    switch (op) {
    case BinaryOp::Add: return a + b;
    case BinaryOp::Sub: return a - b;
    case BinaryOp::Mul: return a * b;
    case BinaryOp::Div: return a / b;
    case BinaryOp::Rem: return std::fmod(a, b);
    default: return std::nullopt;
    }
}

std::optional<__int128> intArithmetic(BinaryOp op, IntShape shape, __int128 a, __int128 b) {
    using Wide = unsigned __int128; // products of two 64-bit values may leave the signed range
    Wide ua = static_cast<Wide>(a), ub = static_cast<Wide>(b);
    bool countInRange = b >= 0 && b < static_cast<__int128>(shape.bits);
    switch (op) {
    case BinaryOp::Add: return static_cast<__int128>(ua + ub);
    case BinaryOp::Sub: return static_cast<__int128>(ua - ub);
    case BinaryOp::Mul: return static_cast<__int128>(ua * ub);
    case BinaryOp::Div: return a / b;
    case BinaryOp::Rem: return a % b;
    case BinaryOp::Shl: return countInRange ? static_cast<__int128>(ua << static_cast<int>(b)) : 0;
    case BinaryOp::Shr: return countInRange ? a >> static_cast<int>(b) : 0;
    case BinaryOp::BitAnd: return a & b;
    case BinaryOp::BitOr: return a | b;
    case BinaryOp::BitXor: return a ^ b;
    default: return std::nullopt;
    }
}

// clang-format off
#define COMPARE_OP(name, token, level, symbol, ...) case BinaryOp::name: return a symbol b;
// clang-format on
template <typename T> bool compareWith(BinaryOp op, const T& a, const T& b) {
    switch (op) {
#include "syntax/Operators.def"
    default: llvm_unreachable("not a comparison");
    }
}

} // namespace

IntShape intShape(const TypeTable& types, TypeId t) {
    if (types.kind(t) == TypeKind::Bool) return {1, false};
    if (isInteger(types, t)) return {bitsOf(types, t), types.isSigned(t)};
    if (isErrorSet(types, t)) return {32, false};
    return isPlainEnum(types, t) ? intShape(types, types.enumInfo(t).backing) : IntShape{};
}

__int128 wrapTo(IntShape shape, __int128 v) {
    if (shape.bits == 0) return v;
    unsigned __int128 low = static_cast<unsigned __int128>(v) & ((static_cast<unsigned __int128>(1) << shape.bits) - 1);
    bool negative = shape.isSigned && (low >> (shape.bits - 1)) & 1;
    return static_cast<__int128>(low) - (negative ? static_cast<__int128>(1) << shape.bits : 0);
}

bool fits(IntShape shape, __int128 v) { return wrapTo(shape, v) == v; }

bool isWhole(double d) { return d >= -TwoTo63 && d < 2 * TwoTo63 && std::trunc(d) == d; }

std::optional<ConstValue> foldCast(const TypeTable& types, const ConstValue& c, TypeId from, TypeId to) {
    bool isInt = c.kind == ConstValue::Kind::Int || c.kind == ConstValue::Kind::Bool;
    if (!isInt && !c.isFloat()) return std::nullopt;
    if (isInt ? intShape(types, from).bits == 0 : !isFloat(types, from)) return std::nullopt;
    if (to == TypeId::Bool) return ConstValue::ofBool(isInt ? c.i != 0 : c.f != 0);
    if (isFloat(types, to)) {
        double d = isInt ? toFloat(to, c.i) : c.f;
        return ConstValue::ofFloat(to == TypeId::F32 ? static_cast<double>(static_cast<float>(d)) : d);
    }
    IntShape shape = intShape(types, to);
    if (shape.bits == 0) return std::nullopt;
    return ConstValue::ofInt(wrapTo(shape, isInt ? c.i : truncated(shape, c.f)));
}

std::string_view divisionFailure(const TypeTable& types, TypeId type, const ConstValue& a, const ConstValue& b) {
    IntShape shape = intShape(types, type);
    if (shape.bits == 0) return {};
    if (b.i == 0) return "division by zero";
    bool isMin = shape.isSigned && a.i == -(static_cast<__int128>(1) << (shape.bits - 1));
    return isMin && b.i == -1 ? "integer overflow in division" : std::string_view{};
}

std::optional<ConstValue> foldArithmetic(const TypeTable& types, BinaryOp op, TypeId type, const ConstValue& a,
                                         const ConstValue& b) {
    if (isFloat(types, type)) {
        if (!a.isFloat() || !b.isFloat()) return std::nullopt;
        std::optional<double> d = type == TypeId::F32
                                      ? floatArithmetic(op, static_cast<float>(a.f), static_cast<float>(b.f))
                                      : floatArithmetic(op, a.f, b.f);
        return d ? std::optional(ConstValue::ofFloat(*d)) : std::nullopt;
    }
    IntShape shape = intShape(types, type);
    if (shape.bits == 0) return std::nullopt;
    if ((op == BinaryOp::Div || op == BinaryOp::Rem) && !divisionFailure(types, type, a, b).empty())
        return std::nullopt;
    std::optional<__int128> v = intArithmetic(op, shape, a.i, b.i);
    if (!v) return std::nullopt;
    return type == TypeId::Bool ? ConstValue::ofBool(*v != 0) : ConstValue::ofInt(wrapTo(shape, *v));
}

bool foldComparison(BinaryOp op, const ConstValue& a, const ConstValue& b) {
    if (a.isFloat()) return compareWith(op, a.f, b.f);
    if (a.kind == ConstValue::Kind::String) return compareWith(op, a.s, b.s);
    return compareWith(op, a.i, b.i);
}

bool isWideLiteralFor(const TypeTable& types, TypeId beside, const ast::Expr* literal) {
    const auto* n = llvm::dyn_cast<ast::IntLit>(withoutParens(literal));
    return n && n->value >> 63 && isInteger(types, beside) &&
           fits(intShape(types, beside), static_cast<__int128>(n->value));
}

TypeId comparisonType(const TypeTable& types, TypeId a, TypeId b) {
    IntShape x = intShape(types, a), y = intShape(types, b);
    return integerType(std::max(x.bits, y.bits), x.isSigned && y.isSigned);
}

} // namespace sx::sema
