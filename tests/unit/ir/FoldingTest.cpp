// Constants are folded to what the operation gives at run time. Small widths are compared in full with
// arithmetic written out here on wide native integers.
#include "ir/Folding.h"
#include "ir/Ops.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <limits>

using namespace sx::ir;

namespace {

using Result = std::optional<uint64_t>;

/// A value of `bits` bits as a mathematical integer.
int64_t asSigned(unsigned bits, uint64_t v) {
    int64_t half = int64_t{1} << (bits - 1);
    return static_cast<int64_t>(v) >= half ? static_cast<int64_t>(v) - 2 * half : static_cast<int64_t>(v);
}
uint64_t wrapped(unsigned bits, int64_t v) {
    int64_t modulus = int64_t{1} << bits;
    return static_cast<uint64_t>((v % modulus + modulus) % modulus);
}

Result expected(Op op, unsigned bits, uint64_t a, uint64_t b) {
    int64_t ua = static_cast<int64_t>(a), ub = static_cast<int64_t>(b), sa = asSigned(bits, a), sb = asSigned(bits, b);
    int64_t min = -(int64_t{1} << (bits - 1));
    bool fails = sb == 0 || (sa == min && sb == -1);
    switch (op) {
    case Op::Add: return wrapped(bits, ua + ub);
    case Op::Sub: return wrapped(bits, ua - ub);
    case Op::Mul: return wrapped(bits, ua * ub);
    case Op::UDiv: return ub == 0 ? Result{} : wrapped(bits, ua / ub);
    case Op::URem: return ub == 0 ? Result{} : wrapped(bits, ua % ub);
    case Op::SDiv: return fails ? Result{} : wrapped(bits, sa / sb);
    case Op::SRem: return fails ? Result{} : wrapped(bits, sa % sb);
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::Shl: return b >= bits ? Result{} : wrapped(bits, ua << ub);
    case Op::LShr: return b >= bits ? Result{} : a >> b;
    case Op::AShr: {
        if (b >= bits) return {};
        int64_t divisor = int64_t{1} << ub;
        int64_t floored = sa >= 0 ? sa / divisor : -((-sa + divisor - 1) / divisor);
        return wrapped(bits, floored);
    }
    default: return {};
    }
}

constexpr Op IntOps[] = {Op::Add, Op::Sub, Op::Mul, Op::SDiv, Op::UDiv, Op::SRem, Op::URem,
                         Op::And, Op::Or,  Op::Xor, Op::Shl,  Op::LShr, Op::AShr};

uint64_t f64(double d) { return std::bit_cast<uint64_t>(d); }
uint64_t f32(float f) { return std::bit_cast<uint32_t>(f); }
constexpr double Inf = std::numeric_limits<double>::infinity();
const double NaN = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST_CASE("integer arithmetic of 1 to 6 bits, in full") {
    size_t wrong = 0;
    for (unsigned bits = 1; bits <= 6; ++bits)
        for (Op op : IntOps)
            for (uint64_t a = 0; a < uint64_t{1} << bits; ++a)
                for (uint64_t b = 0; b < uint64_t{1} << bits; ++b)
                    if (foldBinary(op, bits, a, b) != expected(op, bits, a, b)) {
                        ++wrong;
                        UNSCOPED_INFO(opName(op) << ' ' << bits << " bits: " << a << ", " << b);
                    }
    CHECK(wrong == 0);
}

TEST_CASE("integer arithmetic of 8 bits against native types") {
    size_t wrong = 0;
    for (unsigned a = 0; a < 256; ++a)
        for (unsigned b = 0; b < 256; ++b) {
            auto u = [](auto v) { return uint64_t{static_cast<uint8_t>(v)}; };
            auto sa = static_cast<int8_t>(a), sb = static_cast<int8_t>(b);
            wrong += foldBinary(Op::Add, 8, a, b) != u(a + b);
            wrong += foldBinary(Op::Mul, 8, a, b) != u(a * b);
            wrong += foldICmp(ICmpPred::SLt, 8, a, b) != (sa < sb);
            wrong += foldICmp(ICmpPred::ULt, 8, a, b) != (a < b);
            if (b == 0 || (sa == INT8_MIN && sb == -1)) continue;
            wrong += foldBinary(Op::SDiv, 8, a, b) != u(sa / sb);
            wrong += foldBinary(Op::SRem, 8, a, b) != u(sa % sb);
        }
    CHECK(wrong == 0);
}

TEST_CASE("integer arithmetic of 64 bits at its ends") {
    constexpr uint64_t Min = uint64_t{1} << 63, Max = Min - 1, All = UINT64_MAX;
    CHECK(foldBinary(Op::Add, 64, Max, 1) == Min);
    CHECK(foldBinary(Op::Sub, 64, Min, 1) == Max);
    CHECK(foldBinary(Op::Mul, 64, Min, All) == Min);
    CHECK(foldBinary(Op::SDiv, 64, static_cast<uint64_t>(-7), 2) == static_cast<uint64_t>(-3));
    CHECK(foldBinary(Op::SRem, 64, static_cast<uint64_t>(-7), 2) == static_cast<uint64_t>(-1));
    CHECK(foldBinary(Op::UDiv, 64, All, 2) == Max);
    CHECK(foldBinary(Op::Shl, 64, 1, 63) == Min);
    CHECK(foldBinary(Op::AShr, 64, Min, 63) == All);
    CHECK(foldBinary(Op::LShr, 64, Min, 63) == 1);
}

TEST_CASE("what fails or is unspecified at run time is not folded") {
    constexpr uint64_t Min = uint64_t{1} << 63;
    for (Op op : {Op::SDiv, Op::SRem, Op::UDiv, Op::URem}) CHECK_FALSE(foldBinary(op, 64, 5, 0));
    CHECK_FALSE(foldBinary(Op::SDiv, 64, Min, UINT64_MAX));
    CHECK_FALSE(foldBinary(Op::SRem, 64, Min, UINT64_MAX));
    CHECK_FALSE(foldBinary(Op::SDiv, 3, 4, 7)); // -4 / -1 of an i3
    CHECK(foldBinary(Op::UDiv, 64, Min, UINT64_MAX) == 0);
    for (Op op : {Op::Shl, Op::LShr, Op::AShr}) {
        CHECK_FALSE(foldBinary(op, 64, 1, 64));
        CHECK_FALSE(foldBinary(op, 5, 1, 5));
    }
    CHECK_FALSE(foldUnary(Op::FSin, 64, f64(1.0)));
    CHECK_FALSE(foldUnary(Op::FCos, 64, f64(1.0)));
}

TEST_CASE("comparisons of small integers, in full") {
    size_t wrong = 0;
    for (unsigned bits = 1; bits <= 5; ++bits)
        for (uint64_t a = 0; a < uint64_t{1} << bits; ++a)
            for (uint64_t b = 0; b < uint64_t{1} << bits; ++b) {
                int64_t sa = asSigned(bits, a), sb = asSigned(bits, b);
                wrong += foldICmp(ICmpPred::Eq, bits, a, b) != (a == b);
                wrong += foldICmp(ICmpPred::Ne, bits, a, b) != (a != b);
                wrong += foldICmp(ICmpPred::SLt, bits, a, b) != (sa < sb);
                wrong += foldICmp(ICmpPred::SLe, bits, a, b) != (sa <= sb);
                wrong += foldICmp(ICmpPred::SGt, bits, a, b) != (sa > sb);
                wrong += foldICmp(ICmpPred::SGe, bits, a, b) != (sa >= sb);
                wrong += foldICmp(ICmpPred::ULt, bits, a, b) != (a < b);
                wrong += foldICmp(ICmpPred::ULe, bits, a, b) != (a <= b);
                wrong += foldICmp(ICmpPred::UGt, bits, a, b) != (a > b);
                wrong += foldICmp(ICmpPred::UGe, bits, a, b) != (a >= b);
            }
    CHECK(wrong == 0);
}

TEST_CASE("float arithmetic is done in the width of the type") {
    CHECK(foldBinary(Op::FAdd, 64, f64(0.1), f64(0.2)) == f64(0.1 + 0.2));
    CHECK(foldBinary(Op::FAdd, 32, f32(0.1f), f32(0.2f)) == f32(0.1f + 0.2f));
    CHECK(foldBinary(Op::FSub, 64, f64(1.0), f64(3.5)) == f64(-2.5));
    CHECK(foldBinary(Op::FMul, 32, f32(3e38f), f32(2.0f)) == f32(std::numeric_limits<float>::infinity()));
    CHECK(foldBinary(Op::FDiv, 64, f64(1.0), f64(0.0)) == f64(Inf));
    CHECK(foldBinary(Op::FDiv, 32, f32(1.0f), f32(3.0f)) == f32(1.0f / 3.0f));
    CHECK(foldBinary(Op::FRem, 64, f64(-7.5), f64(2.0)) == f64(-1.5));
    CHECK(std::isnan(floatValue(64, *foldBinary(Op::FSub, 64, f64(Inf), f64(Inf)))));
    CHECK(foldUnary(Op::FNeg, 64, f64(0.0)) == f64(-0.0));
    CHECK(foldUnary(Op::FNeg, 32, f32(1.5f)) == f32(-1.5f));
    CHECK(foldUnary(Op::FSqrt, 64, f64(2.0)) == f64(std::sqrt(2.0)));
    CHECK(foldUnary(Op::FFloor, 32, f32(-1.5f)) == f32(-2.0f));
}

TEST_CASE("comparisons of floats are ordered, but for !=") {
    double values[] = {-Inf, -1.5, -0.0, 0.0, 1.5, Inf, NaN};
    for (unsigned bits : {32u, 64u})
        for (double a : values)
            for (double b : values) {
                uint64_t x = floatBits(bits, a), y = floatBits(bits, b);
                CHECK(foldFCmp(FCmpPred::Eq, bits, x, y) == (a == b));
                CHECK(foldFCmp(FCmpPred::Ne, bits, x, y) == (a != b));
                CHECK(foldFCmp(FCmpPred::Lt, bits, x, y) == (a < b));
                CHECK(foldFCmp(FCmpPred::Le, bits, x, y) == (a <= b));
                CHECK(foldFCmp(FCmpPred::Gt, bits, x, y) == (a > b));
                CHECK(foldFCmp(FCmpPred::Ge, bits, x, y) == (a >= b));
            }
}

TEST_CASE("changes of width, in full for small ones") {
    size_t wrong = 0;
    for (unsigned from = 1; from <= 8; ++from)
        for (unsigned to = 1; to <= 8; ++to)
            for (uint64_t v = 0; v < uint64_t{1} << from; ++v) {
                wrong += foldCast(Op::ZExt, from, to, v) != wrapped(to, static_cast<int64_t>(v));
                wrong += foldCast(Op::Trunc, from, to, v) != wrapped(to, static_cast<int64_t>(v));
                wrong += foldCast(Op::SExt, from, to, v) != wrapped(to, asSigned(from, v));
                wrong += foldCast(Op::IntToBool, from, 1, v) != uint64_t{v != 0};
            }
    CHECK(wrong == 0);
    CHECK(foldCast(Op::SExt, 32, 64, 0x80000000) == 0xFFFFFFFF80000000);
}

TEST_CASE("conversions between integers and floats") {
    CHECK(foldCast(Op::SIntToFloat, 3, 64, 7) == f64(-1.0));
    CHECK(foldCast(Op::UIntToFloat, 3, 64, 7) == f64(7.0));
    CHECK(foldCast(Op::UIntToFloat, 64, 64, UINT64_MAX) == f64(18446744073709551616.0));
    // 2^24 + 1 lies between two f32: one rounding, to even.
    CHECK(foldCast(Op::SIntToFloat, 64, 32, 16777217) == f32(16777216.0f));
    CHECK(foldCast(Op::SIntToFloat, 64, 32, 0x7FFFFFBFFFFFFFFF) == f32(static_cast<float>(0x7FFFFFBFFFFFFFFF)));

    CHECK(foldCast(Op::FloatToSInt, 64, 64, f64(-2.9)) == static_cast<uint64_t>(-2));
    CHECK(foldCast(Op::FloatToSInt, 32, 64, f32(2.9f)) == 2);
    CHECK(foldCast(Op::FloatToUInt, 64, 64, f64(18446744073709549568.0)) == 18446744073709549568u);
    CHECK(foldCast(Op::FloatToSInt, 64, 8, f64(700.9)) == 188); // the low bits
    CHECK(foldCast(Op::FloatToUInt, 64, 8, f64(700.9)) == 188);
    CHECK(foldCast(Op::FloatToUInt, 64, 8, f64(-1.0)) == 255);
    constexpr uint64_t Beyond = uint64_t{1} << 63;
    for (double beyond : {NaN, Inf, -Inf, 1e19, -1e19}) CHECK(foldCast(Op::FloatToSInt, 64, 64, f64(beyond)) == Beyond);
    for (double beyond : {NaN, Inf, -Inf, 2e19, -1e19}) CHECK(foldCast(Op::FloatToUInt, 64, 64, f64(beyond)) == Beyond);
    CHECK(foldCast(Op::FloatToSInt, 64, 64, f64(-9223372036854775808.0)) == Beyond);

    CHECK(foldCast(Op::FloatResize, 64, 32, f64(0.1)) == f32(0.1f));
    CHECK(foldCast(Op::FloatResize, 32, 64, f32(0.1f)) == f64(static_cast<double>(0.1f)));
}

TEST_CASE("conversions that keep the bits") {
    CHECK(foldCast(Op::Reinterpret, 64, 64, f64(1.0)) == 0x3FF0000000000000);
    CHECK(foldCast(Op::PtrToInt, 64, 64, 0) == 0);
    CHECK(foldCast(Op::IntToPtr, 64, 64, 0) == 0);
    CHECK_FALSE(foldCast(Op::IntToPtr, 64, 64, 8)); // the only constant pointer is null
}
