#include "Fixture.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

/// (a, b) -> a * 10 + b
FuncId combine(Vm& vm) {
    FuncId f = vm.declare("combine", {TypeId::I64, TypeId::I64}, TypeId::I64);
    Builder b = vm.build(f);
    b.ret(b.binary(Op::Add, b.binary(Op::Mul, b.param(0), b.constInt(TypeId::I64, 10)), b.param(1)));
    return f;
}

ValueId i64(Builder& b, int64_t v) { return b.constInt(TypeId::I64, static_cast<uint64_t>(v)); }

} // namespace

TEST_CASE("arguments keep their order, nested calls too") {
    Vm vm;
    FuncId c = combine(vm), f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    ValueId first = b.call(c, {i64(b, 1), i64(b, 2)});
    ValueId second = b.call(c, {first, b.call(c, {i64(b, 3), i64(b, 4)})});
    b.ret(b.call(c, {second, first}));
    CHECK(vm.value<int64_t>(f) == (12 * 10 + 34) * 10 + 12);
}

TEST_CASE("an aggregate result is written where the caller says") {
    Vm vm;
    TypeId pair = vm.types.tupleOf({{Name::None, TypeId::I64}, {Name::None, TypeId::I64}});
    FuncId make = vm.declare("make", {TypeId::I64}, pair);
    {
        Builder b = vm.build(make);
        SlotId s = b.newSlot(pair);
        b.store(b.slotAddr(s), b.param(0));
        b.store(b.offset(b.slotAddr(s), 8, vm.pointer()), b.binary(Op::Add, b.param(0), i64(b, 1)));
        b.ret(b.slotAddr(s));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId x = b.newSlot(pair), y = b.newSlot(pair);
    b.callInto(make, b.slotAddr(x), {i64(b, 3)});
    b.callIndirect(b.funcAddr(make, functionTypeOf(vm.types, {TypeId::I64}, pair)),
                   functionTypeOf(vm.types, {TypeId::I64}, pair), {i64(b, 7)}, b.slotAddr(y));
    auto at = [&](SlotId s, uint64_t offset) {
        return b.load(TypeId::I64, b.offset(b.slotAddr(s), offset, vm.pointer()));
    };
    ValueId sum =
        b.binary(Op::Add, b.binary(Op::Mul, at(x, 0), i64(b, 1000)), b.binary(Op::Mul, at(x, 8), i64(b, 100)));
    b.ret(b.binary(Op::Add, sum, b.binary(Op::Add, b.binary(Op::Mul, at(y, 0), i64(b, 10)), at(y, 8))));
    CHECK(vm.value<int64_t>(f) == 3478);
}

TEST_CASE("function pointers are unique, comparable and callable") {
    Vm vm;
    FuncId c = combine(vm), other = combine(vm), f = vm.declare("f", {}, TypeId::I64);
    TypeId type = functionTypeOf(vm.types, {TypeId::I64, TypeId::I64}, TypeId::I64);
    Builder b = vm.build(f);
    ValueId same = b.icmp(ICmpPred::Eq, b.funcAddr(c, type), b.funcAddr(c, type));
    ValueId differ = b.icmp(ICmpPred::Ne, b.funcAddr(c, type), b.funcAddr(other, type));
    ValueId called = b.callIndirect(b.funcAddr(c, type), type, {i64(b, 4), i64(b, 2)});
    ValueId flags = b.binary(Op::Add, b.cast(Op::ZExt, same, TypeId::I64), b.cast(Op::ZExt, differ, TypeId::I64));
    b.ret(b.binary(Op::Add, b.binary(Op::Mul, flags, i64(b, 100)), called));
    CHECK(vm.value<int64_t>(f) == 242);
}

TEST_CASE("a call through a pointer of another type converts as registers do") {
    Vm vm;
    FuncId narrow = vm.declare("narrow", {TypeId::I8}, TypeId::I32);
    {
        Builder b = vm.build(narrow);
        b.ret(b.cast(Op::SExt, b.param(0), TypeId::I32));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    TypeId wide = functionTypeOf(vm.types, {TypeId::I64}, TypeId::I64);
    b.ret(b.callIndirect(b.funcAddr(narrow, wide), wide, {i64(b, 0x1fe)}));
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
        b.store(b.slotAddr(s), i64(b, 5));
        b.store(b.offset(b.slotAddr(s), 8, vm.pointer()), i64(b, 6));
        b.ret(b.slotAddr(s));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId small = b.newSlot(one), guard = b.newSlot(one);
    b.store(b.slotAddr(guard), i64(b, 100));
    TypeId type = functionTypeOf(vm.types, {}, one);
    b.callIndirect(b.funcAddr(make, type), type, {}, b.slotAddr(small));
    b.memEq(b.slotAddr(small), b.slotAddr(guard), i64(b, 8)); // keeps both in memory
    b.ret(b.binary(Op::Add, b.load(TypeId::I64, b.slotAddr(small)), b.load(TypeId::I64, b.slotAddr(guard))));
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
    b.ret(b.load(TypeId::I64, b.param(0)));
    CHECK(vm.value<int64_t>(f) == 9);
}

TEST_CASE("recursion does not use the C++ stack") {
    Vm vm;
    FuncId down = vm.declare("down", {TypeId::I64}, TypeId::I64);
    {
        Builder b = vm.build(down);
        BlockId end = b.newBlock(), more = b.newBlock();
        b.condBr(b.icmp(ICmpPred::Eq, b.param(0), i64(b, 0)), end, more);
        b.setBlock(end);
        b.ret(i64(b, 0));
        b.setBlock(more);
        b.ret(b.binary(Op::Add, b.call(down, {b.binary(Op::Sub, b.param(0), i64(b, 1))}), i64(b, 1)));
    }
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    b.ret(b.call(down, {i64(b, 500000)}));
    CHECK(vm.value<int64_t>(f) == 500000);
    CHECK(vm.failure == "");
}

TEST_CASE("bodies are requested at the first call, and may evaluate in turn") {
    Vm vm;
    FuncId inner = vm.declare("inner", {}, TypeId::I64), callee = vm.declare("callee", {TypeId::I64}, TypeId::I64);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    {
        Builder b = vm.build(inner);
        b.ret(i64(b, 30));
    }
    Builder b = vm.build(f);
    b.ret(b.call(callee, {b.call(callee, {i64(b, 1)})}));
    int requests = 0;
    std::function<bool(FuncId)> materialize = [&](FuncId wanted) {
        if (wanted != callee) return true;
        ++requests;
        ComptimeResult r = vm.evaluator.evaluate(vm.module, inner, materialize);
        REQUIRE(r.ok);
        int64_t v = 0;
        std::memcpy(&v, r.value.bytes.data(), 8);
        Builder c = vm.build(callee);
        c.ret(c.binary(Op::Add, c.param(0), i64(c, v)));
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
    b.call(bad, {});
    b.ret();
    ComptimeResult r = vm.evaluator.evaluate(vm.module, f, [&](FuncId wanted) { return wanted != bad; });
    CHECK(!r.ok);
    CHECK(r.error == "the function `bad` has errors");
    CHECK(r.errorAt == vm.span(11, 17));
}
