#include "Fixture.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

/// (a, b) -> a * 10 + b
FuncId combine(Vm& vm) {
    FuncId f = vm.declare("combine", {TypeId::I64, TypeId::I64}, TypeId::I64);
    Builder b = vm.build(f);
    emitRet(b, emitBinary(b, Op::Add, emitBinary(b, Op::Mul, b.param(0), constInt(b, TypeId::I64, 10)), b.param(1)));
    return f;
}

} // namespace

TEST_CASE("arguments keep their order, nested calls too") {
    Vm vm;
    FuncId c = combine(vm), f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    ValueId first = emitCall(b, c, {i64(b, 1), i64(b, 2)});
    ValueId second = emitCall(b, c, {first, emitCall(b, c, {i64(b, 3), i64(b, 4)})});
    emitRet(b, emitCall(b, c, {second, first}));
    CHECK(vm.value<int64_t>(f) == (12 * 10 + 34) * 10 + 12);
}

TEST_CASE("an aggregate result is written where the caller says") {
    Vm vm;
    TypeId pair = vm.types.tupleOf({{Name::None, TypeId::I64}, {Name::None, TypeId::I64}});
    FuncId make = vm.declare("make", {TypeId::I64}, pair);
    {
        Builder b = vm.build(make);
        SlotId s = b.newSlot(pair);
        emitStore(b, slotAddr(b, s), b.param(0));
        emitStore(b, emitOffset(b, slotAddr(b, s), 8, vm.pointer()), emitBinary(b, Op::Add, b.param(0), i64(b, 1)));
        emitRet(b, slotAddr(b, s));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId x = b.newSlot(pair), y = b.newSlot(pair);
    emitCallInto(b, make, slotAddr(b, x), {i64(b, 3)});
    emitCallIndirect(b, funcAddr(b, make, functionTypeOf(vm.types, {TypeId::I64}, pair)),
                     functionTypeOf(vm.types, {TypeId::I64}, pair), {i64(b, 7)}, slotAddr(b, y));
    auto at = [&](SlotId s, uint64_t offset) {
        return emitLoad(b, TypeId::I64, emitOffset(b, slotAddr(b, s), offset, vm.pointer()));
    };
    ValueId sum = emitBinary(b, Op::Add, emitBinary(b, Op::Mul, at(x, 0), i64(b, 1000)),
                             emitBinary(b, Op::Mul, at(x, 8), i64(b, 100)));
    emitRet(
        b, emitBinary(b, Op::Add, sum, emitBinary(b, Op::Add, emitBinary(b, Op::Mul, at(y, 0), i64(b, 10)), at(y, 8))));
    CHECK(vm.value<int64_t>(f) == 3478);
}

TEST_CASE("function pointers are unique, comparable and callable") {
    Vm vm;
    FuncId c = combine(vm), other = combine(vm), f = vm.declare("f", {}, TypeId::I64);
    TypeId type = functionTypeOf(vm.types, {TypeId::I64, TypeId::I64}, TypeId::I64);
    Builder b = vm.build(f);
    ValueId same = emitICmp(b, ICmpPred::Eq, funcAddr(b, c, type), funcAddr(b, c, type));
    ValueId differ = emitICmp(b, ICmpPred::Ne, funcAddr(b, c, type), funcAddr(b, other, type));
    ValueId called = emitCallIndirect(b, funcAddr(b, c, type), type, {i64(b, 4), i64(b, 2)});
    ValueId flags =
        emitBinary(b, Op::Add, emitCast(b, Op::ZExt, same, TypeId::I64), emitCast(b, Op::ZExt, differ, TypeId::I64));
    emitRet(b, emitBinary(b, Op::Add, emitBinary(b, Op::Mul, flags, i64(b, 100)), called));
    CHECK(vm.value<int64_t>(f) == 242);
}

TEST_CASE("a call through a pointer of another type converts as registers do") {
    Vm vm;
    FuncId narrow = vm.declare("narrow", {TypeId::I8}, TypeId::I32);
    {
        Builder b = vm.build(narrow);
        emitRet(b, emitCast(b, Op::SExt, b.param(0), TypeId::I32));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    TypeId wide = functionTypeOf(vm.types, {TypeId::I64}, TypeId::I64);
    emitRet(b, emitCallIndirect(b, funcAddr(b, narrow, wide), wide, {i64(b, 0x1fe)}));
    CHECK(vm.value<int64_t>(f) == -2);
}

TEST_CASE("a result struct that is a prefix of the function's own reads correctly") {
    Vm vm;
    TypeId one = vm.structOf({{vm.name("a"), TypeId::I64}}, "One");
    TypeId two = vm.structOf({{vm.name("a"), TypeId::I64}, {vm.name("b"), TypeId::I64}}, "Two");
    FuncId make = vm.declare("make", {}, two);
    {
        Builder b = vm.build(make);
        SlotId s = b.newSlot(two);
        emitStore(b, slotAddr(b, s), i64(b, 5));
        emitStore(b, emitOffset(b, slotAddr(b, s), 8, vm.pointer()), i64(b, 6));
        emitRet(b, slotAddr(b, s));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId small = b.newSlot(one), guard = b.newSlot(one);
    emitStore(b, slotAddr(b, guard), i64(b, 100));
    TypeId type = functionTypeOf(vm.types, {}, one);
    emitCallIndirect(b, funcAddr(b, make, type), type, {}, slotAddr(b, small));
    emitMemEq(b, slotAddr(b, small), slotAddr(b, guard), i64(b, 8)); // keeps both in memory
    emitRet(b, emitBinary(b, Op::Add, emitLoad(b, TypeId::I64, slotAddr(b, small)),
                          emitLoad(b, TypeId::I64, slotAddr(b, guard))));
    CHECK(vm.value<int64_t>(f) == 105);
}

TEST_CASE("the context parameter gets the default context") {
    Vm vm;
    TypeId context = vm.structOf({{vm.name("depth"), TypeId::I64}}, "Context");
    int64_t depth = 9;
    GlobalId g = vm.constant("default context", &depth, 8);
    vm.module.global(g).type = context;
    FuncId f = vm.declare("f", {vm.pointer(context)}, TypeId::I64);
    vm.module.fn(f).hasContext = true;
    Builder b = vm.build(f);
    emitRet(b, emitLoad(b, TypeId::I64, b.param(0)));
    CHECK(vm.value<int64_t>(f) == 9);
}

TEST_CASE("recursion does not use the C++ stack") {
    Vm vm;
    FuncId down = vm.declare("down", {TypeId::I64}, TypeId::I64);
    {
        Builder b = vm.build(down);
        BlockId end = b.newBlock(), more = b.newBlock();
        emitCondBr(b, emitICmp(b, ICmpPred::Eq, b.param(0), i64(b, 0)), end, more);
        b.setBlock(end);
        emitRet(b, i64(b, 0));
        b.setBlock(more);
        emitRet(b,
                emitBinary(b, Op::Add, emitCall(b, down, {emitBinary(b, Op::Sub, b.param(0), i64(b, 1))}), i64(b, 1)));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    emitRet(b, emitCall(b, down, {i64(b, 500000)}));
    CHECK(vm.value<int64_t>(f) == 500000);
    CHECK(vm.failure == "");
}

TEST_CASE("bodies are requested at the first call, and may evaluate in turn") {
    Vm vm;
    FuncId inner = vm.declare("inner", {}, TypeId::I64), callee = vm.declare("callee", {TypeId::I64}, TypeId::I64);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    {
        Builder b = vm.build(inner);
        emitRet(b, i64(b, 30));
    }
    Builder b = vm.build(f);
    emitRet(b, emitCall(b, callee, {emitCall(b, callee, {i64(b, 1)})}));
    int requests = 0;
    std::function<bool(FuncId)> materialize = [&](FuncId wanted) {
        if (wanted != callee) return true;
        ++requests;
        ComptimeResult r = vm.evaluator.evaluate(vm.module, inner, materialize);
        REQUIRE(r.ok);
        int64_t v = 0;
        std::memcpy(&v, r.value.bytes.data(), 8);
        Builder c = vm.build(callee);
        emitRet(c, emitBinary(c, Op::Add, c.param(0), i64(c, v)));
        return true;
    };
    ComptimeResult r = vm.evaluator.evaluate(vm.module, f, materialize);
    REQUIRE(r.ok);
    CHECK(r.value.bytes[0] == 61);
    CHECK(requests == 1);
}

TEST_CASE("a body with errors ends the evaluation") {
    Vm vm;
    FuncId bad = vm.declare("bad"), f = vm.declare("f");
    Builder b = vm.build(f);
    b.setSpan(vm.span(11, 17));
    emitCall(b, bad, {});
    emitRet(b);
    ComptimeResult r = vm.evaluator.evaluate(vm.module, f, [&](FuncId wanted) { return wanted != bad; });
    CHECK(!r.ok);
    CHECK(r.error == "the function `bad` has errors");
    CHECK(r.errorAt == vm.span(11, 17));
}
