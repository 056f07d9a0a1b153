#include "Fixture.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildValues.h"
#include "ir/Ops.h"
#include "types/Derived.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace sx;
using namespace sx::ir;

namespace {

/// A function of one or two parameters, so that the builder cannot fold, and a call of it with constants.
uint64_t apply(Vm& vm, Op op, TypeId operandType, TypeId result, std::vector<uint64_t> operands, uint8_t pred = 0) {
    std::vector<TypeId> params(operands.size(), operandType);
    FuncId callee = vm.declare("callee", params, result);
    {
        Builder b = vm.build(callee);
        std::vector<ValueId> values;
        for (uint32_t i = 0; i < params.size(); ++i) values.push_back(b.param(i));
        emitRet(b, b.emit(op, result, values, 0, pred));
    }
    FuncId f = vm.declare("caller", {}, result);
    Builder b = vm.build(f);
    std::vector<ValueId> args;
    for (uint64_t v : operands)
        args.push_back(b.emit(Op::Const, operandType, {}, lowBits(valueBits(vm.types, operandType), v)));
    emitRet(b, emitCall(b, callee, args));
    ComptimeResult r = vm.run(f);
    vm.failure = r.error;
    uint64_t bits = 0;
    if (r.ok) std::memcpy(&bits, r.value.bytes.data(), r.value.bytes.size());
    return bits;
}

template <typename T> uint64_t bitsOf(T v) {
    uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof v);
    return bits;
}

template <typename T> TypeId typeOf() {
    if constexpr (std::is_same_v<T, float>) return TypeId::F32;
    else if constexpr (std::is_same_v<T, double>) return TypeId::F64;
    else return integerType(sizeof(T) * 8, std::is_signed_v<T>);
}

template <typename T> T binary(Vm& vm, Op op, T a, T b) {
    uint64_t bits = apply(vm, op, typeOf<T>(), typeOf<T>(), {bitsOf(a), bitsOf(b)});
    T v;
    std::memcpy(&v, &bits, sizeof v);
    return v;
}

template <typename T> void checkIntegers() {
    using U = std::make_unsigned_t<T>;
    Vm vm;
    const T values[] = {0, 1, 2, 7, T(-1), T(-3), std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T(100)};
    for (T a : values)
        for (T b : values) {
            INFO(int64_t(a) << " and " << int64_t(b));
            CHECK(binary<T>(vm, Op::Add, a, b) == T(U(a) + U(b)));
            CHECK(binary<T>(vm, Op::Sub, a, b) == T(U(a) - U(b)));
            CHECK(binary<T>(vm, Op::Mul, a, b) == T(uint64_t(a) * uint64_t(b)));
            CHECK(binary<T>(vm, Op::Xor, a, b) == T(a ^ b));
            if (b == 0) continue;
            CHECK(binary<T>(vm, Op::UDiv, a, b) == T(U(a) / U(b)));
            CHECK(binary<T>(vm, Op::URem, a, b) == T(U(a) % U(b)));
            bool overflows = std::is_signed_v<T> && b == T(-1) && a == std::numeric_limits<T>::min();
            using S = std::make_signed_t<T>;
            if (overflows || (S(b) == -1 && S(a) == std::numeric_limits<S>::min())) continue;
            CHECK(binary<T>(vm, Op::SDiv, a, b) == T(S(a) / S(b)));
            CHECK(binary<T>(vm, Op::SRem, a, b) == T(S(a) % S(b)));
        }
}

} // namespace

TEST_CASE("integers of 8 bits") {
    checkIntegers<int8_t>();
    checkIntegers<uint8_t>();
}
TEST_CASE("integers of 32 bits") {
    checkIntegers<int32_t>();
    checkIntegers<uint32_t>();
}
TEST_CASE("integers of 64 bits") {
    checkIntegers<int64_t>();
    checkIntegers<uint64_t>();
}

TEST_CASE("floats give what the processor gives") {
    Vm vm;
    CHECK(binary<double>(vm, Op::FAdd, 0.1, 0.2) == 0.1 + 0.2);
    CHECK(binary<double>(vm, Op::FDiv, 1.0, 0.0) == std::numeric_limits<double>::infinity());
    CHECK(binary<double>(vm, Op::FRem, -7.5, 2.0) == std::fmod(-7.5, 2.0));
    CHECK(binary<float>(vm, Op::FMul, 1.1f, 3.3f) == 1.1f * 3.3f);
    CHECK(binary<float>(vm, Op::FSub, 1e-3f, 5.f) == 1e-3f - 5.f);
    CHECK(binary<float>(vm, Op::FRem, 7.f, 2.5f) == std::fmod(7.f, 2.5f));
}

TEST_CASE("float comparisons with NaN: only `!=` holds, as a value and in a branch") {
    Vm vm;
    double nan = std::nan("");
    for (auto type : {TypeId::F32, TypeId::F64})
        for (FCmpPred p : {FCmpPred::Eq, FCmpPred::Ne, FCmpPred::Lt, FCmpPred::Le, FCmpPred::Gt, FCmpPred::Ge})
            for (bool negate : {false, true}) {
                FuncId callee = vm.declare("callee", {type, type}, TypeId::I64);
                Builder b = vm.build(callee);
                ValueId c = emitFCmp(b, p, b.param(0), b.param(1));
                if (negate) c = emitNot(b, c);
                BlockId yes = b.newBlock(), no = b.newBlock();
                emitCondBr(b, c, yes, no);
                b.setBlock(yes);
                emitRet(b, constInt(b, TypeId::I64, 1));
                b.setBlock(no);
                emitRet(b, constInt(b, TypeId::I64, 0));
                FuncId f = vm.declare("f", {}, TypeId::I64);
                Builder g = vm.build(f);
                emitRet(g, emitCall(g, callee, {constFloat(g, type, nan), constFloat(g, type, 1)}));
                INFO(static_cast<int>(p) << negate);
                CHECK(vm.value<int64_t>(f) == ((p == FCmpPred::Ne) != negate));
                CHECK(apply(vm, Op::FCmp, type, TypeId::Bool, {bitsOf(type == TypeId::F64 ? nan : 0), 0},
                            static_cast<uint8_t>(FCmpPred::Lt)) == 0);
            }
}

TEST_CASE("conversions between integers and floats") {
    Vm vm;
    auto toDouble = [&](Op op, TypeId from, uint64_t v) {
        return std::bit_cast<double>(apply(vm, op, from, TypeId::F64, {v}));
    };
    CHECK(toDouble(Op::SIntToFloat, TypeId::I8, 0xff) == -1.0);
    CHECK(toDouble(Op::UIntToFloat, TypeId::U8, 0xff) == 255.0);
    CHECK(toDouble(Op::UIntToFloat, TypeId::U64, UINT64_MAX) == 18446744073709551615.0);
    CHECK(toDouble(Op::SIntToFloat, TypeId::I64, uint64_t(-5)) == -5.0);
    CHECK(apply(vm, Op::FloatToSInt, TypeId::F64, TypeId::I64, {bitsOf(-2.9)}) == uint64_t(-2));
    CHECK(apply(vm, Op::FloatToUInt, TypeId::F64, TypeId::U64, {bitsOf(1e19)}) == 10000000000000000000u);
    CHECK(apply(vm, Op::FloatToSInt, TypeId::F64, TypeId::I32, {bitsOf(700.9)}) == 700);
    CHECK(apply(vm, Op::FloatToSInt, TypeId::F32, TypeId::I64, {bitsOf(3.5f)}) == 3);
    CHECK(apply(vm, Op::FloatResize, TypeId::F64, TypeId::F32, {bitsOf(0.1)}) == bitsOf(0.1f));
    CHECK(apply(vm, Op::FloatResize, TypeId::F32, TypeId::F64, {bitsOf(0.1f)}) == bitsOf(double(0.1f)));
}

TEST_CASE("a float out of the integer's range is converted without harm") {
    Vm vm;
    apply(vm, Op::FloatToSInt, TypeId::F64, TypeId::I64, {bitsOf(1e300)});
    CHECK(vm.failure == "");
    apply(vm, Op::FloatToUInt, TypeId::F64, TypeId::U64, {bitsOf(std::nan(""))});
    CHECK(vm.failure == "");
}

TEST_CASE("narrow conversions keep or drop the right bits") {
    Vm vm;
    CHECK(apply(vm, Op::Trunc, TypeId::I64, TypeId::U8, {0x1234}) == 0x34);
    CHECK(apply(vm, Op::ZExt, TypeId::I8, TypeId::I64, {0x80}) == 0x80);
    CHECK(apply(vm, Op::SExt, TypeId::U8, TypeId::I64, {0x80}) == uint64_t(-128));
    CHECK(apply(vm, Op::ZExt, TypeId::Bool, TypeId::I64, {1}) == 1);
    CHECK(apply(vm, Op::Trunc, TypeId::I64, TypeId::Bool, {2}) == 0);
    CHECK(apply(vm, Op::Reinterpret, TypeId::F32, TypeId::I32, {bitsOf(-1.0f)}) == bitsOf(-1.0f));
    CHECK(apply(vm, Op::Reinterpret, TypeId::I64, TypeId::F64, {bitsOf(2.5)}) == bitsOf(2.5));
    TypeId i1 = integerType(1, true);
    CHECK((apply(vm, Op::Reinterpret, TypeId::Bool, i1, {1}) & 1) == 1);
    CHECK(apply(vm, Op::IntToBool, i1, TypeId::Bool, {1}) == 1);
    CHECK(apply(vm, Op::Reinterpret, i1, TypeId::Bool, {1}) == 1);
}

TEST_CASE("integers of one class and width stand for each other") {
    Vm vm;
    FuncId callee = vm.declare("callee", {TypeId::I32, TypeId::U32}, TypeId::Bool);
    Builder b = vm.build(callee);
    emitRet(b, emitICmp(b, ICmpPred::Eq, b.param(0), b.param(1)));
    FuncId f = vm.declare("f", {}, TypeId::Bool);
    Builder g = vm.build(f);
    emitRet(g, emitCall(g, callee, {constInt(g, TypeId::U32, 0xffffffff), constInt(g, TypeId::I32, 0xffffffff)}));
    CHECK(vm.value<uint8_t>(f) == 1);
}

TEST_CASE("math intrinsics are not for compile time") {
    Vm vm;
    apply(vm, Op::FSqrt, TypeId::F64, TypeId::F64, {bitsOf(2.0)});
    CHECK(vm.failure == "the math intrinsic `sqrt` cannot be used at compile time");
}
