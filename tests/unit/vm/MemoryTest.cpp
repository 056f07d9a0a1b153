#include "Fixture.h"
#include "types/Derived.h"
#include "types/Layout.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

TEST_CASE("fields are loaded with the width and extension of their type") {
    Vm vm;
    TypeId s = vm.structOf({{vm.name("a"), TypeId::U8},
                            {vm.name("b"), TypeId::I16},
                            {vm.name("c"), TypeId::U32},
                            {vm.name("d"), TypeId::F32},
                            {vm.name("e"), integerType(40, false)}});
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId slot = b.newSlot(s);
    auto field = [&](unsigned i) {
        TypeId t = vm.types.structInfo(s).fields[i].type;
        return b.offset(b.slotAddr(slot), fieldOffset(vm.types, s, i), vm.pointer(t));
    };
    auto wide = [&](ValueId v, Op op) { return b.cast(op, v, TypeId::I64); };
    b.zero(b.slotAddr(slot), s);
    b.store(field(0), b.constInt(TypeId::U8, 200));
    b.store(field(1), b.constInt(TypeId::I16, uint64_t(-3)));
    b.store(field(2), b.constInt(TypeId::U32, 4000000000));
    b.store(field(3), b.constFloat(TypeId::F32, 1.5));
    b.store(field(4), b.constInt(integerType(40, false), 0xff12345678));
    ValueId sum = wide(b.load(TypeId::U8, field(0)), Op::ZExt);
    sum = b.binary(Op::Add, sum, wide(b.load(TypeId::I16, field(1)), Op::SExt));
    sum = b.binary(Op::Add, sum, wide(b.load(TypeId::U32, field(2)), Op::ZExt));
    sum = b.binary(Op::Add, sum, b.cast(Op::FloatToSInt, b.load(TypeId::F32, field(3)), TypeId::I64));
    sum = b.binary(Op::Add, sum, wide(b.load(integerType(40, false), field(4)), Op::ZExt));
    b.ret(sum);
    CHECK(vm.value<int64_t>(f) == 200 - 3 + 4000000000 + 1 + 0xff12345678);
}

TEST_CASE("aggregates are copied, compared and cleared") {
    Vm vm;
    TypeId bytes = arrayOf(vm.types, 40, TypeId::U8);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId x = b.newSlot(bytes), y = b.newSlot(bytes);
    auto i64 = [&](int64_t v) { return b.constInt(TypeId::I64, uint64_t(v)); };
    b.zero(b.slotAddr(x), bytes);
    b.store(b.index(b.slotAddr(x), i64(39), 1, vm.pointer(TypeId::U8)), b.constInt(TypeId::U8, 7));
    b.copy(b.slotAddr(y), b.slotAddr(x), bytes);
    ValueId same = b.memEq(b.slotAddr(x), b.slotAddr(y), i64(40));
    b.store(b.slotAddr(y), b.constInt(TypeId::U8, 1));
    ValueId differ = b.notBool(b.memEq(b.slotAddr(x), b.slotAddr(y), i64(40)));
    b.copyN(b.slotAddr(x), b.offset(b.slotAddr(x), 39, vm.pointer(TypeId::U8)), i64(1));
    ValueId moved = b.load(TypeId::U8, b.slotAddr(x));
    ValueId sum = b.binary(Op::Add, b.cast(Op::ZExt, same, TypeId::I64),
                           b.binary(Op::Mul, b.cast(Op::ZExt, differ, TypeId::I64), i64(10)));
    b.ret(b.binary(Op::Add, sum, b.binary(Op::Mul, b.cast(Op::ZExt, moved, TypeId::I64), i64(100))));
    CHECK(vm.value<int64_t>(f) == 711);
}

TEST_CASE("large and over-aligned slots live apart, one per call") {
    Vm vm;
    TypeId big = arrayOf(vm.types, 100000, TypeId::I64);
    FuncId f = vm.declare("f", {TypeId::I64}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId slot = b.newSlot(big), aligned = b.newRawSlot(8, 64);
    auto i64 = [&](int64_t v) { return b.constInt(TypeId::I64, uint64_t(v)); };
    ValueId at = b.offset(b.slotAddr(slot), 799992, vm.pointer());
    b.store(at, b.param(0));
    ValueId misaligned = b.binary(Op::And, b.cast(Op::PtrToInt, b.slotAddr(aligned), TypeId::I64), i64(63));
    BlockId deeper = b.newBlock(), done = b.newBlock();
    b.condBr(b.icmp(ICmpPred::SGt, b.param(0), i64(0)), deeper, done);
    b.setBlock(deeper);
    ValueId rest = b.call(f, {b.binary(Op::Sub, b.param(0), i64(1))});
    b.ret(b.binary(Op::Add, b.binary(Op::Add, rest, b.load(TypeId::I64, at)), misaligned));
    b.setBlock(done);
    b.ret(i64(0));
    FuncId g = vm.declare("g", {}, TypeId::I64);
    Builder c = vm.build(g);
    c.ret(c.call(f, {c.constInt(TypeId::I64, 10)}));
    CHECK(vm.value<int64_t>(g) == 55);
}

TEST_CASE("globals are in memory with their relocations, cyclic ones too") {
    Vm vm;
    int64_t number = 5;
    GlobalId a = vm.constant("a", &number, 8), ring = vm.constant("ring", nullptr, 16);
    vm.module.global(ring).init.relocs = {{Reloc::Kind::Global, 0, static_cast<uint32_t>(a), 0},
                                          {Reloc::Kind::Global, 8, static_cast<uint32_t>(ring), 8}};
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    ValueId self = b.load(vm.pointer(), b.offset(b.globalAddr(ring, vm.pointer()), 8, vm.pointer()));
    ValueId toA = b.load(
        vm.pointer(), b.emit(Op::IntToPtr, vm.pointer(),
                             {b.binary(Op::Sub, b.cast(Op::PtrToInt, self, TypeId::I64), b.constInt(TypeId::I64, 8))}));
    b.ret(b.load(TypeId::I64, toA));
    CHECK(vm.value<int64_t>(f) == 5);
    CHECK(vm.failure == "");
}

TEST_CASE("variables begin every evaluation with their initial value") {
    Vm vm;
    int64_t number = 1;
    GlobalId g = vm.constant("counter", &number, 8, false);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId p = b.newSlot(vm.pointer());
    b.store(b.slotAddr(p), b.globalAddr(g, vm.pointer()));
    FuncId bump = vm.declare("bump", {vm.pointer()}, TypeId::Void);
    {
        Builder c = vm.build(bump);
        c.store(c.param(0), c.binary(Op::Add, c.load(TypeId::I64, c.param(0)), c.constInt(TypeId::I64, 1)));
        c.ret();
    }
    b.call(bump, {b.load(vm.pointer(), b.slotAddr(p))});
    b.ret(b.load(TypeId::I64, b.globalAddr(g, vm.pointer())));
    CHECK(vm.value<int64_t>(f) == 2);
    CHECK(vm.value<int64_t>(f) == 2);
}

TEST_CASE("atomics") {
    Vm vm;
    auto run = [&](TypeId t, AtomicOp op, uint64_t initial, uint64_t operand) {
        FuncId f = vm.declare("f", {}, TypeId::I64);
        Builder b = vm.build(f);
        SlotId slot = b.newSlot(t);
        b.emit(Op::AtomicStore, TypeId::Void, {b.slotAddr(slot), b.constInt(t, initial)});
        ValueId old = b.emit(Op::AtomicRmw, t, {b.slotAddr(slot), b.constInt(t, operand)}, static_cast<uint64_t>(op));
        ValueId now = b.emit(Op::AtomicLoad, t, {b.slotAddr(slot)});
        Op extend = vm.types.isSigned(t) ? Op::SExt : Op::ZExt;
        b.ret(b.binary(Op::Add, b.binary(Op::Mul, b.cast(extend, old, TypeId::I64), b.constInt(TypeId::I64, 1000)),
                       b.cast(extend, now, TypeId::I64)));
        return vm.value<int64_t>(f);
    };
    CHECK(run(TypeId::I32, AtomicOp::Add, 40, 2) == 40042);
    CHECK(run(TypeId::I64, AtomicOp::Sub, 40, 2) == 40038);
    CHECK(run(TypeId::U8, AtomicOp::Max, 200, 3) == 200200);
    CHECK(run(TypeId::I8, AtomicOp::Max, uint64_t(-3), 3) == -2997);
    CHECK(run(TypeId::I16, AtomicOp::Min, uint64_t(-3), 3) == -3003);
    CHECK(run(TypeId::U32, AtomicOp::Swap, 1, 9) == 1009);

    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId slot = b.newSlot(TypeId::I64);
    auto i64 = [&](int64_t v) { return b.constInt(TypeId::I64, uint64_t(v)); };
    b.store(b.slotAddr(slot), i64(1));
    ValueId first = b.emit(Op::AtomicCmpXchg, TypeId::I64, {b.slotAddr(slot), i64(5), i64(6)});
    ValueId second = b.emit(Op::AtomicCmpXchg, TypeId::I64, {b.slotAddr(slot), i64(1), i64(7)});
    b.emit(Op::Fence, TypeId::Void, {});
    ValueId sum = b.binary(Op::Add, b.binary(Op::Mul, first, i64(100)), b.binary(Op::Mul, second, i64(10)));
    b.ret(b.binary(Op::Add, sum, b.load(TypeId::I64, b.slotAddr(slot))));
    CHECK(vm.value<int64_t>(f) == 117);
}
