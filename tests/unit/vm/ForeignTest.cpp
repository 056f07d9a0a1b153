#include "Fixture.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace sx;
using namespace sx::ir;

namespace {

// What the interpreter calls: by name through `define`.
extern "C" {
int64_t vmTestSum(int8_t a, uint8_t b, int16_t c, uint32_t d, int64_t e, float f, double g, bool h, int64_t i,
                  double j) {
    return a + b + c + int64_t(d) + e + int64_t(f * 2) + int64_t(g * 4) + (h ? 1000 : 0) + i * 10000 + int64_t(j);
}
struct Mixed {
    double x;
    int32_t y;
};
struct Large {
    int64_t a, b, c;
};
Mixed vmTestSwap(Mixed m) { return {double(m.y), int32_t(m.x)}; }
Large vmTestLarge(Large l, int64_t add) { return {l.c + add, l.b + add, l.a + add}; }
int8_t vmTestNarrow() { return -5; }
float vmTestHalf(float v) { return v / 2; }
int64_t vmTestTwice(int64_t (*f)(int64_t), int64_t v) { return f(f(v)); }
}

} // namespace

TEST_CASE("C functions take every kind of scalar") {
    Vm vm;
    vm.evaluator.define("vmTestSum", reinterpret_cast<void*>(&vmTestSum));
    FuncId sum = vm.external("vmTestSum",
                             {TypeId::I8, TypeId::U8, TypeId::I16, TypeId::U32, TypeId::I64, TypeId::F32, TypeId::F64,
                              TypeId::Bool, TypeId::I64, TypeId::F64},
                             TypeId::I64);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    emitRet(b, emitCall(b, sum,
                        {constInt(b, TypeId::I8, 0xff), constInt(b, TypeId::U8, 0xff), constInt(b, TypeId::I16, 0xfff0),
                         constInt(b, TypeId::U32, 0xffffffff), i64(b, -7), constFloat(b, TypeId::F32, 1.5),
                         constFloat(b, TypeId::F64, 2.25), constBool(b, true), i64(b, 3),
                         constFloat(b, TypeId::F64, 77.5)}));
    CHECK(vm.value<int64_t>(f) == vmTestSum(-1, 255, -16, 0xffffffff, -7, 1.5f, 2.25, true, 3, 77.5));
    CHECK(vm.failure == "");
}

TEST_CASE("narrow and float results are in the form of their type") {
    Vm vm;
    vm.evaluator.define("vmTestNarrow", reinterpret_cast<void*>(&vmTestNarrow));
    vm.evaluator.define("vmTestHalf", reinterpret_cast<void*>(&vmTestHalf));
    FuncId narrow = vm.external("vmTestNarrow", {}, TypeId::I8),
           half = vm.external("vmTestHalf", {TypeId::F32}, TypeId::F32);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    ValueId h = emitCast(b, Op::FloatToSInt, emitCall(b, half, {constFloat(b, TypeId::F32, 40)}), TypeId::I64);
    emitRet(b, emitBinary(b, Op::Add, emitCast(b, Op::SExt, emitCall(b, narrow, {}), TypeId::I64), h));
    CHECK(vm.value<int64_t>(f) == 15);
}

TEST_CASE("structs pass by value, in registers and in memory") {
    Vm vm;
    vm.evaluator.define("vmTestSwap", reinterpret_cast<void*>(&vmTestSwap));
    vm.evaluator.define("vmTestLarge", reinterpret_cast<void*>(&vmTestLarge));
    TypeId mixed = vm.structOf({{vm.name("x"), TypeId::F64}, {vm.name("y"), TypeId::I32}}, "Mixed");
    TypeId large =
        vm.structOf({{vm.name("a"), TypeId::I64}, {vm.name("b"), TypeId::I64}, {vm.name("c"), TypeId::I64}}, "Large");
    FuncId swap = vm.external("vmTestSwap", {mixed}, mixed),
           grow = vm.external("vmTestLarge", {large, TypeId::I64}, large);
    FuncId f = vm.declare("f", {}, large);
    Builder b = vm.build(f);
    SlotId m = b.newSlot(mixed), l = b.newSlot(large);
    emitStore(b, slotAddr(b, m), constFloat(b, TypeId::F64, 8));
    emitStore(b, emitOffset(b, slotAddr(b, m), 8, vm.pointer(TypeId::I32)), constInt(b, TypeId::I32, 3));
    emitCallInto(b, swap, slotAddr(b, m), {slotAddr(b, m)});
    ValueId x = emitCast(b, Op::FloatToSInt, emitLoad(b, TypeId::F64, slotAddr(b, m)), TypeId::I64);
    ValueId y = emitCast(
        b, Op::SExt, emitLoad(b, TypeId::I32, emitOffset(b, slotAddr(b, m), 8, vm.pointer(TypeId::I32))), TypeId::I64);
    emitStore(b, slotAddr(b, l), x);
    emitStore(b, emitOffset(b, slotAddr(b, l), 8, vm.pointer()), y);
    emitStore(b, emitOffset(b, slotAddr(b, l), 16, vm.pointer()), i64(b, 100));
    SlotId r = b.newSlot(large);
    emitCallInto(b, grow, slotAddr(b, r), {slotAddr(b, l), i64(b, 1)});
    emitRet(b, slotAddr(b, r));
    ComptimeResult result = vm.run(f);
    REQUIRE(result.error == "");
    int64_t out[3];
    std::memcpy(out, result.value.bytes.data(), sizeof out);
    CHECK(out[0] == 101);
    CHECK(out[1] == 9);
    CHECK(out[2] == 4);
}

TEST_CASE("variadic C functions get promoted arguments") {
    Vm vm;
    char buffer[64] = {};
    FuncId print =
        vm.external("snprintf", {vm.pointer(TypeId::U8), TypeId::USize, vm.pointer(TypeId::U8)}, TypeId::I32, true);
    FuncId f = vm.declare("f", {}, TypeId::I32);
    GlobalId format = vm.constant("format", "%d %u %.2f %.1f %s %ld", 23);
    GlobalId text = vm.constant("text", "abc", 4);
    Builder b = vm.build(f);
    ValueId to = b.emit(Op::IntToPtr, vm.pointer(TypeId::U8), {i64(b, reinterpret_cast<int64_t>(buffer))});
    emitRet(b, emitCall(b, print,
                        {to, constInt(b, TypeId::USize, sizeof buffer), globalAddr(b, format, vm.pointer(TypeId::U8)),
                         constInt(b, TypeId::I8, 0xff), constInt(b, TypeId::U8, 0xff), constFloat(b, TypeId::F32, 1.25),
                         constFloat(b, TypeId::F64, 2.5), globalAddr(b, text, vm.pointer(TypeId::U8)), i64(b, -9)}));
    CHECK(vm.value<int32_t>(f) == 22);
    CHECK(vm.failure == "");
    CHECK(std::string(buffer) == "-1 255 1.25 2.5 abc -9");
}

TEST_CASE("C calls back functions of the C convention, and pointers to C functions are called") {
    Vm vm;
    vm.evaluator.define("vmTestTwice", reinterpret_cast<void*>(&vmTestTwice));
    TypeId type = functionTypeOf(vm.types, {TypeId::I64}, TypeId::I64, CallConv::C);
    FuncId twice = vm.external("vmTestTwice", {type, TypeId::I64}, TypeId::I64);
    FuncId triple = vm.declare("triple", {TypeId::I64}, TypeId::I64);
    vm.module.fn(triple).conv = CallConv::C;
    {
        Builder b = vm.build(triple);
        emitRet(b, emitBinary(b, Op::Mul, b.param(0), i64(b, 3)));
    }
    FuncId absolute = vm.external("llabs", {TypeId::I64}, TypeId::I64);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    ValueId a = emitCall(b, twice, {funcAddr(b, triple, type), i64(b, 5)});
    ValueId c = emitCallIndirect(b, funcAddr(b, absolute, type), type, {i64(b, -40)});
    ValueId d = emitCallIndirect(b, funcAddr(b, triple, type), type, {i64(b, 100)});
    emitRet(b, emitBinary(b, Op::Add, emitBinary(b, Op::Add, a, c), d));
    CHECK(vm.value<int64_t>(f) == 385);
    CHECK(vm.failure == "");
}

TEST_CASE("a failure in a function that C called ends the evaluation") {
    Vm vm;
    vm.evaluator.define("vmTestTwice", reinterpret_cast<void*>(&vmTestTwice));
    TypeId type = functionTypeOf(vm.types, {TypeId::I64}, TypeId::I64, CallConv::C);
    FuncId twice = vm.external("vmTestTwice", {type, TypeId::I64}, TypeId::I64);
    FuncId bad = vm.declare("bad", {TypeId::I64}, TypeId::I64);
    vm.module.fn(bad).conv = CallConv::C;
    {
        Builder b = vm.build(bad);
        emitPanic(b, PanicKind::NullUnwrap, vm.span(3));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    emitRet(b, emitCall(b, twice, {funcAddr(b, bad, type), i64(b, 5)}));
    ComptimeResult r = vm.run(f);
    CHECK(r.error == "unwrapped a null optional");
    CHECK(r.errorAt == vm.span(3));
    CHECK(vm.run(f).error == "unwrapped a null optional");
}

TEST_CASE("a missing C function is an error where it is called, not before") {
    Vm vm;
    FuncId missing = vm.external("no_such_function_here", {}, TypeId::I64), f = vm.declare("f", {}, TypeId::I64),
           g = vm.declare("g", {TypeId::Bool}, TypeId::I64);
    {
        Builder b = vm.build(g);
        BlockId yes = b.newBlock(), no = b.newBlock();
        emitCondBr(b, b.param(0), yes, no);
        b.setBlock(yes);
        emitRet(b, emitCall(b, missing, {}));
        b.setBlock(no);
        emitRet(b, i64(b, 4));
    }
    Builder b = vm.build(f);
    emitRet(b, emitCall(b, g, {constBool(b, false)}));
    CHECK(vm.value<int64_t>(f) == 4);
    FuncId h = vm.declare("h", {}, TypeId::I64);
    Builder c = vm.build(h);
    emitRet(c, emitCall(c, g, {constBool(c, true)}));
    CHECK(vm.run(h).error == "the C function `no_such_function_here` was not found");
}
