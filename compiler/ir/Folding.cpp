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

/// Arithmetic in the type itself: an f32 result is rounded once.
template <typename F> Folded floatBinary(Op op, uint64_t aBits, uint64_t bBits) {
    F a = valueOf<F>(aBits), b = valueOf<F>(bBits);
    if (op == Op::FAdd) return bitsOf(a + b);
    if (op == Op::FSub) return bitsOf(a - b);
    if (op == Op::FMul) return bitsOf(a * b);
    if (op == Op::FDiv) return bitsOf(a / b);
    if (op == Op::FRem) return bitsOf(std::fmod(a, b));
    return std::nullopt;
}

template <typename F> Folded floatUnary(Op op, uint64_t bits) {
    F a = valueOf<F>(bits);
    if (op == Op::FNeg) return bitsOf(-a);
    if (op == Op::FSqrt) return bitsOf(std::sqrt(a));
    if (op == Op::FFloor) return bitsOf(std::floor(a));
    return std::nullopt;
}

bool divisionFails(unsigned bits, int64_t a, int64_t b) {
    int64_t min = signExtended(bits, uint64_t{1} << (bits - 1));
    return b == 0 || (b == -1 && a == min);
}

/// Not truncated to the width yet.
Folded intBinary(Op op, unsigned bits, uint64_t a, uint64_t b) {
    int64_t sa = signExtended(bits, a), sb = signExtended(bits, b);
    if (op == Op::Add) return a + b;
    if (op == Op::Sub) return a - b;
    if (op == Op::Mul) return a * b;
    if (op == Op::And) return a & b;
    if (op == Op::Or) return a | b;
    if (op == Op::Xor) return a ^ b;
    if (op == Op::UDiv) return b == 0 ? Folded{} : a / b;
    if (op == Op::URem) return b == 0 ? Folded{} : a % b;
    if (op == Op::SDiv) return divisionFails(bits, sa, sb) ? Folded{} : static_cast<uint64_t>(sa / sb);
    if (op == Op::SRem) return divisionFails(bits, sa, sb) ? Folded{} : static_cast<uint64_t>(sa % sb);
    if (op == Op::Shl) return b >= bits ? Folded{} : a << b;
    if (op == Op::LShr) return b >= bits ? Folded{} : a >> b;
    if (op == Op::AShr) return b >= bits ? Folded{} : static_cast<uint64_t>(sa >> b);
    return std::nullopt;
}

bool isFloatOp(Op op) { return op >= Op::FAdd && op <= Op::FFloor; }

Folded floatToInt(bool toUnsigned, double value) {
    constexpr double TwoTo63 = 9223372036854775808.0;
    double whole = std::trunc(value);
    if (whole >= -TwoTo63 && whole < TwoTo63) return static_cast<uint64_t>(static_cast<int64_t>(whole));
    if (toUnsigned && whole >= TwoTo63 && whole < 2 * TwoTo63) return static_cast<uint64_t>(whole);
    return std::nullopt;
}

template <typename I> uint64_t intToFloat(unsigned toBits, I value) {
    return toBits == 32 ? bitsOf(static_cast<float>(value)) : bitsOf(static_cast<double>(value));
}

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
    if (!isFloatOp(op)) return std::nullopt;
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

Folded foldCast(Op op, unsigned fromBits, unsigned toBits, uint64_t a) {
    if (op == Op::Trunc || op == Op::ZExt) return lowBits(toBits, a);
    if (op == Op::SExt) return lowBits(toBits, static_cast<uint64_t>(signExtended(fromBits, a)));
    if (op == Op::IntToBool) return a != 0;
    if (op == Op::SIntToFloat) return intToFloat(toBits, signExtended(fromBits, a));
    if (op == Op::UIntToFloat) return intToFloat(toBits, a);
    if (op == Op::FloatToSInt || op == Op::FloatToUInt) {
        Folded result = floatToInt(op == Op::FloatToUInt, floatValue(fromBits, a));
        if (result) *result = lowBits(toBits, *result);
        return result;
    }
    if (op == Op::FloatResize) return floatBits(toBits, floatValue(fromBits, a));
    if (op == Op::PtrToInt || op == Op::Reinterpret) return a;
    if (op == Op::IntToPtr) return a == 0 ? Folded{0} : std::nullopt; // the only constant pointer is null
    return std::nullopt;
}

} // namespace sx::ir
