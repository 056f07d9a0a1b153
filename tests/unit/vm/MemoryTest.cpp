#include "Fixture.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
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
        return emitOffset(b, slotAddr(b, slot), fieldOffset(vm.types, s, i), vm.pointer(t));
    };
    auto wide = [&](ValueId v, Op op) { return emitCast(b, op, v, TypeId::I64); };
    emitZero(b, slotAddr(b, slot), s);
    emitStore(b, field(0), constInt(b, TypeId::U8, 200));
    emitStore(b, field(1), constInt(b, TypeId::I16, uint64_t(-3)));
    emitStore(b, field(2), constInt(b, TypeId::U32, 4000000000));
    emitStore(b, field(3), constFloat(b, TypeId::F32, 1.5));
    emitStore(b, field(4), constInt(b, integerType(40, false), 0xff12345678));
    ValueId sum = wide(emitLoad(b, TypeId::U8, field(0)), Op::ZExt);
    sum = emitBinary(b, Op::Add, sum, wide(emitLoad(b, TypeId::I16, field(1)), Op::SExt));
    sum = emitBinary(b, Op::Add, sum, wide(emitLoad(b, TypeId::U32, field(2)), Op::ZExt));
    sum = emitBinary(b, Op::Add, sum, emitCast(b, Op::FloatToSInt, emitLoad(b, TypeId::F32, field(3)), TypeId::I64));
    sum = emitBinary(b, Op::Add, sum, wide(emitLoad(b, integerType(40, false), field(4)), Op::ZExt));
    emitRet(b, sum);
    CHECK(vm.value<int64_t>(f) == 200 - 3 + 4000000000 + 1 + 0xff12345678);
}

TEST_CASE("aggregates are copied, compared and cleared") {
    Vm vm;
    TypeId bytes = arrayOf(vm.types, 40, TypeId::U8);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId x = b.newSlot(bytes), y = b.newSlot(bytes);
    auto i64 = [&](int64_t v) { return constInt(b, TypeId::I64, uint64_t(v)); };
    emitZero(b, slotAddr(b, x), bytes);
    emitStore(b, emitIndex(b, slotAddr(b, x), i64(39), 1, vm.pointer(TypeId::U8)), constInt(b, TypeId::U8, 7));
    emitCopy(b, slotAddr(b, y), slotAddr(b, x), bytes);
    ValueId same = emitMemEq(b, slotAddr(b, x), slotAddr(b, y), i64(40));
    emitStore(b, slotAddr(b, y), constInt(b, TypeId::U8, 1));
    ValueId differ = emitNot(b, emitMemEq(b, slotAddr(b, x), slotAddr(b, y), i64(40)));
    emitCopyN(b, slotAddr(b, x), emitOffset(b, slotAddr(b, x), 39, vm.pointer(TypeId::U8)), i64(1));
    ValueId moved = emitLoad(b, TypeId::U8, slotAddr(b, x));
    ValueId sum = emitBinary(b, Op::Add, emitCast(b, Op::ZExt, same, TypeId::I64),
                             emitBinary(b, Op::Mul, emitCast(b, Op::ZExt, differ, TypeId::I64), i64(10)));
    emitRet(b,
            emitBinary(b, Op::Add, sum, emitBinary(b, Op::Mul, emitCast(b, Op::ZExt, moved, TypeId::I64), i64(100))));
    CHECK(vm.value<int64_t>(f) == 711);
}

TEST_CASE("large and over-aligned slots live apart, one per call") {
    Vm vm;
    TypeId big = arrayOf(vm.types, 100000, TypeId::I64);
    FuncId f = vm.declare("f", {TypeId::I64}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId slot = b.newSlot(big), aligned = b.newRawSlot(8, 64);
    auto i64 = [&](int64_t v) { return constInt(b, TypeId::I64, uint64_t(v)); };
    ValueId at = emitOffset(b, slotAddr(b, slot), 799992, vm.pointer());
    emitStore(b, at, b.param(0));
    ValueId misaligned = emitBinary(b, Op::And, emitCast(b, Op::PtrToInt, slotAddr(b, aligned), TypeId::I64), i64(63));
    BlockId deeper = b.newBlock(), done = b.newBlock();
    emitCondBr(b, emitICmp(b, ICmpPred::SGt, b.param(0), i64(0)), deeper, done);
    b.setBlock(deeper);
    ValueId rest = emitCall(b, f, {emitBinary(b, Op::Sub, b.param(0), i64(1))});
    emitRet(b, emitBinary(b, Op::Add, emitBinary(b, Op::Add, rest, emitLoad(b, TypeId::I64, at)), misaligned));
    b.setBlock(done);
    emitRet(b, i64(0));
    FuncId g = vm.declare("g", {}, TypeId::I64);
    Builder c = vm.build(g);
    emitRet(c, emitCall(c, f, {constInt(c, TypeId::I64, 10)}));
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
    ValueId self = emitLoad(b, vm.pointer(), emitOffset(b, globalAddr(b, ring, vm.pointer()), 8, vm.pointer()));
    ValueId toA = emitLoad(
        b, vm.pointer(),
        b.emit(Op::IntToPtr, vm.pointer(),
               {emitBinary(b, Op::Sub, emitCast(b, Op::PtrToInt, self, TypeId::I64), constInt(b, TypeId::I64, 8))}));
    emitRet(b, emitLoad(b, TypeId::I64, toA));
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
    emitStore(b, slotAddr(b, p), globalAddr(b, g, vm.pointer()));
    FuncId bump = vm.declare("bump", {vm.pointer()}, TypeId::Void);
    {
        Builder c = vm.build(bump);
        emitStore(c, c.param(0),
                  emitBinary(c, Op::Add, emitLoad(c, TypeId::I64, c.param(0)), constInt(c, TypeId::I64, 1)));
        emitRet(c);
    }
    emitCall(b, bump, {emitLoad(b, vm.pointer(), slotAddr(b, p))});
    emitRet(b, emitLoad(b, TypeId::I64, globalAddr(b, g, vm.pointer())));
    CHECK(vm.value<int64_t>(f) == 2);
    CHECK(vm.value<int64_t>(f) == 2);
}

TEST_CASE("atomics") {
    Vm vm;
    auto run = [&](TypeId t, AtomicOp op, uint64_t initial, uint64_t operand) {
        FuncId f = vm.declare("f", {}, TypeId::I64);
        Builder b = vm.build(f);
        SlotId slot = b.newSlot(t);
        b.emit(Op::AtomicStore, TypeId::Void, {slotAddr(b, slot), constInt(b, t, initial)});
        ValueId old = b.emit(Op::AtomicRmw, t, {slotAddr(b, slot), constInt(b, t, operand)}, static_cast<uint64_t>(op));
        ValueId now = b.emit(Op::AtomicLoad, t, {slotAddr(b, slot)});
        Op extend = vm.types.isSigned(t) ? Op::SExt : Op::ZExt;
        emitRet(
            b, emitBinary(b, Op::Add,
                          emitBinary(b, Op::Mul, emitCast(b, extend, old, TypeId::I64), constInt(b, TypeId::I64, 1000)),
                          emitCast(b, extend, now, TypeId::I64)));
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
    auto i64 = [&](int64_t v) { return constInt(b, TypeId::I64, uint64_t(v)); };
    emitStore(b, slotAddr(b, slot), i64(1));
    ValueId first = b.emit(Op::AtomicCmpXchg, TypeId::I64, {slotAddr(b, slot), i64(5), i64(6)});
    ValueId second = b.emit(Op::AtomicCmpXchg, TypeId::I64, {slotAddr(b, slot), i64(1), i64(7)});
    b.emit(Op::Fence, TypeId::Void, {});
    ValueId sum =
        emitBinary(b, Op::Add, emitBinary(b, Op::Mul, first, i64(100)), emitBinary(b, Op::Mul, second, i64(10)));
    emitRet(b, emitBinary(b, Op::Add, sum, emitLoad(b, TypeId::I64, slotAddr(b, slot))));
    CHECK(vm.value<int64_t>(f) == 117);
}
