#include "ir/Folding.h"

#include "ir/Ops.h"

#include <bit>
#include <cmath>
#include <limits>

namespace sx::ir {

namespace {

using Folded = std::optional<uint64_t>;

uint64_t bitsOf(float f) { return std::bit_cast<uint32_t>(f); }
uint64_t bitsOf(double d) { return std::bit_cast<uint64_t>(d); }

template <typename F> F valueOf(uint64_t bits);
template <> float valueOf<float>(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
template <> double valueOf<double>(uint64_t bits) { return std::bit_cast<double>(bits); }

Folded bitsOf(std::nullopt_t) { return std::nullopt; }

// clang-format off
#define IR_FLOAT_OP(name, text, value) case Op::name: return bitsOf(value);
// clang-format on
/// Arithmetic in the type itself: an f32 result is rounded once.
template <typename F> Folded floatBinary(Op op, uint64_t aBits, uint64_t bBits) {
    F a = valueOf<F>(aBits), b = valueOf<F>(bBits);
    switch (op) {
#include "ir/Ops.def"
    default: return std::nullopt;
    }
}

// clang-format off
#define IR_FLOAT_SIGN_OP(name, text, value) case Op::name: return bitsOf(value);
#define IR_MATH_OP(name, text, function, value) case Op::name: return bitsOf(value);
// clang-format on
template <typename F> Folded floatUnary(Op op, uint64_t bits) {
    F a = valueOf<F>(bits);
    switch (op) {
#include "ir/Ops.def"
    default: return std::nullopt;
    }
}

bool divisionFails(unsigned bits, int64_t a, int64_t b) {
    int64_t min = signExtended(bits, uint64_t{1} << (bits - 1));
    return b == 0 || (b == -1 && a == min);
}

// clang-format off
#define IR_INT_OP(name, text, folds, value) case Op::name: return (folds) ? static_cast<uint64_t>(value) : Folded{};
#define IR_BIT_OP(name, text, value) IR_INT_OP(name, text, true, value)
// clang-format on
/// Not truncated to the width yet.
Folded intBinary(Op op, unsigned bits, uint64_t a, uint64_t b) {
    int64_t sa = signExtended(bits, a), sb = signExtended(bits, b);
    switch (op) {
#include "ir/Ops.def"
    default: return std::nullopt;
    }
}

bool isFloatOp(Op op) { return infoOf(op).result == ValueRule::Float; }

/// What lies beyond 64 bits, and NaN, is `1 << 63`, as the machine has it.
uint64_t floatToInt(bool toUnsigned, double value) {
    constexpr double TwoTo63 = 9223372036854775808.0;
    double whole = std::trunc(value);
    if (whole >= -TwoTo63 && whole < TwoTo63) return static_cast<uint64_t>(static_cast<int64_t>(whole));
    if (toUnsigned && whole >= TwoTo63 && whole < 2 * TwoTo63) return static_cast<uint64_t>(whole);
    return uint64_t{1} << 63;
}

template <typename I> uint64_t intToFloat(unsigned toBits, I value) {
    return toBits == 32 ? bitsOf(static_cast<float>(value)) : bitsOf(static_cast<double>(value));
}

Folded onlyNull(uint64_t pointer) { return pointer == 0 ? Folded{0} : std::nullopt; }

} // namespace

uint64_t floatBits(unsigned bits, double value) {
    return bits == 32 ? bitsOf(static_cast<float>(value)) : bitsOf(value);
}
double floatValue(unsigned bits, uint64_t raw) {
    return bits == 32 ? static_cast<double>(valueOf<float>(raw)) : valueOf<double>(raw);
}

Folded foldBinary(Op op, unsigned bits, uint64_t a, uint64_t b) {
    if (isFloatOp(op)) return bits == 32 ? floatBinary<float>(op, a, b) : floatBinary<double>(op, a, b);
    Folded result = intBinary(op, bits, a, b);
    if (result) *result = lowBits(bits, *result);
    return result;
}

Folded foldUnary(Op op, unsigned bits, uint64_t a) {
    return bits == 32 ? floatUnary<float>(op, a) : floatUnary<double>(op, a);
}

bool foldICmp(ICmpPred pred, unsigned bits, uint64_t a, uint64_t b) {
    int64_t sa = signExtended(bits, a), sb = signExtended(bits, b);
    switch (pred) {
    case ICmpPred::Eq: return a == b;
    case ICmpPred::Ne: return a != b;
    case ICmpPred::SLt: return sa < sb;
    case ICmpPred::SLe: return sa <= sb;
    case ICmpPred::SGt: return sa > sb;
    case ICmpPred::SGe: return sa >= sb;
    case ICmpPred::ULt: return a < b;
    case ICmpPred::ULe: return a <= b;
    case ICmpPred::UGt: return a > b;
    case ICmpPred::UGe: return a >= b;
    }
    return false;
}

bool foldFCmp(FCmpPred pred, unsigned bits, uint64_t a, uint64_t b) {
    double x = floatValue(bits, a), y = floatValue(bits, b); // widening keeps order and equality
    switch (pred) {
    case FCmpPred::Eq: return x == y;
    case FCmpPred::Ne: return x != y;
    case FCmpPred::Lt: return x < y;
    case FCmpPred::Le: return x <= y;
    case FCmpPred::Gt: return x > y;
    case FCmpPred::Ge: return x >= y;
    }
    return false;
}

// clang-format off
#define IR_CAST_OP(name, text, operand, type, form, value) case Op::name: result = value; break;
// clang-format on
Folded foldCast(Op op, unsigned fromBits, unsigned toBits, uint64_t a) {
    int64_t sa = signExtended(fromBits, a);
    Folded result;
    switch (op) {
#include "ir/Ops.def"
    default: break;
    }
    if (result) *result = lowBits(toBits, *result);
    return result;
}

} // namespace sx::ir
