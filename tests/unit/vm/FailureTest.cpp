// What ends an evaluation: run-time failures, bad memory accesses, limits, exits.
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

std::string panicOf(PanicKind kind, std::vector<int64_t> operands) {
    Vm vm;
    FuncId f = vm.declare("f");
    Builder b = vm.build(f);
    std::vector<ValueId> values;
    for (int64_t v : operands) values.push_back(i64(b, v));
    emitPanic(b, kind, vm.span(4, 6), values);
    ComptimeResult r = vm.run(f);
    CHECK(!r.ok);
    CHECK(r.errorAt == vm.span(4, 6));
    return r.error;
}

/// Externs of the allocator.
struct Heap {
    explicit Heap(Vm& vm)
        : allocate(vm.external("malloc", {TypeId::USize}, vm.pointer())),
          release(vm.external("free", {vm.pointer()}, TypeId::Void)),
          resize(vm.external("realloc", {vm.pointer(), TypeId::USize}, vm.pointer())),
          clear(vm.external("calloc", {TypeId::USize, TypeId::USize}, vm.pointer())) {}
    FuncId allocate, release, resize, clear;
    ValueId block(Builder& b, uint64_t size) { return emitCall(b, allocate, {constInt(b, TypeId::USize, size)}); }
};

/// The error of a function that gets a fresh block of 64 bytes.
std::string heapError(const std::function<void(Vm&, Builder&, Heap&, ValueId)>& body) {
    Vm vm;
    Heap heap(vm);
    FuncId f = vm.declare("f");
    Builder b = vm.build(f);
    ValueId block = heap.block(b, 64);
    body(vm, b, heap, block);
    emitRet(b);
    return vm.run(f).error;
}

} // namespace

TEST_CASE("panics say what the language reference says") {
    CHECK(panicOf(PanicKind::NullUnwrap, {}) == "unwrapped a null optional");
    CHECK(panicOf(PanicKind::Index, {-4, 3}) == "index -4 out of range for length 3");
    CHECK(panicOf(PanicKind::SliceBounds, {2, 9, 5}) == "slice 2..9 out of range for length 5");
    CHECK(panicOf(PanicKind::DivisionByZero, {}) == "division by zero");
    CHECK(panicOf(PanicKind::DivisionOverflow, {}) == "integer overflow in division");
    CHECK(panicOf(PanicKind::Unreachable, {}) == "reached unreachable code");
}

TEST_CASE("a division that was not checked fails too") {
    auto divide = [](Op op, int64_t a, int64_t b) {
        Vm vm;
        FuncId g = vm.declare("g", {TypeId::I64, TypeId::I64}, TypeId::I64), f = vm.declare("f", {}, TypeId::I64);
        Builder body = vm.build(g);
        emitRet(body, emitBinary(body, op, body.param(0), body.param(1)));
        Builder caller = vm.build(f);
        emitRet(caller, emitCall(caller, g, {i64(caller, a), i64(caller, b)}));
        return vm.run(f).error;
    };
    CHECK(divide(Op::SDiv, 1, 0) == "division by zero");
    CHECK(divide(Op::URem, 1, 0) == "division by zero");
    CHECK(divide(Op::SRem, INT64_MIN, -1) == "integer overflow in division");
}

TEST_CASE("null accesses") {
    Vm vm;
    FuncId g = vm.declare("g", {vm.pointer()}, TypeId::I64), f = vm.declare("f", {}, TypeId::I64);
    Builder body = vm.build(g);
    body.setSpan(vm.span(7));
    emitRet(body, emitLoad(body, TypeId::I64, emitOffset(body, body.param(0), 16, vm.pointer())));
    Builder b = vm.build(f);
    emitRet(b, emitCall(b, g, {nullOf(b, vm.pointer())}));
    ComptimeResult r = vm.run(f);
    CHECK(r.error == "dereferenced a null pointer");
    CHECK(r.errorAt == vm.span(7));
}

TEST_CASE("heap memory works until it is freed") {
    CHECK(heapError([](Vm&, Builder& b, Heap&, ValueId block) { emitStore(b, block, i64(b, 1)); }) == "");
    CHECK(heapError([](Vm&, Builder& b, Heap& heap, ValueId block) {
              emitCall(b, heap.release, {block});
              emitStore(b, block, i64(b, 1));
          }) == "used memory after it was freed");
    CHECK(heapError([](Vm& vm, Builder& b, Heap& heap, ValueId block) {
              emitCall(b, heap.release, {block});
              emitCopy(b, slotAddr(b, b.newSlot(arrayOf(vm.types, 8, TypeId::I64))), block, 64);
          }) == "used memory after it was freed");
    CHECK(heapError([](Vm&, Builder& b, Heap& heap, ValueId block) {
              emitCall(b, heap.release, {block});
              emitCall(b, heap.release, {block});
          }) == "freed the same memory twice");
    CHECK(heapError([](Vm& vm, Builder& b, Heap& heap, ValueId block) {
              emitCall(b, heap.release, {emitOffset(b, block, 16, vm.pointer())});
          }) == "freed an address that is not the start of an allocation");
    CHECK(heapError([](Vm& vm, Builder& b, Heap&, ValueId block) {
              emitStore(b, emitOffset(b, block, 64, vm.pointer()), i64(b, 1));
          }) == "accessed memory outside of any object");
    CHECK(heapError([](Vm&, Builder& b, Heap& heap, ValueId) {
              SlotId s = b.newSlot(TypeId::I64);
              emitCall(b, heap.release, {slotAddr(b, s)});
          }) == "freed memory that is not on the heap");
}

TEST_CASE("realloc keeps the contents, calloc clears") {
    Vm vm;
    Heap heap(vm);
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    ValueId block = heap.block(b, 8);
    emitStore(b, block, i64(b, 5));
    ValueId bigger = emitCall(b, heap.resize, {block, constInt(b, TypeId::USize, 1000)});
    ValueId zero = emitCall(b, heap.clear, {constInt(b, TypeId::USize, 10), constInt(b, TypeId::USize, 8)});
    emitRet(b, emitBinary(b, Op::Add, emitLoad(b, TypeId::I64, bigger),
                          emitLoad(b, TypeId::I64, emitOffset(b, zero, 72, vm.pointer()))));
    CHECK(vm.value<int64_t>(f) == 5);
    CHECK(vm.failure == "");
}

TEST_CASE("constants cannot be written, and globals cannot be assigned to") {
    Vm vm;
    int64_t number = 1;
    GlobalId constant = vm.constant("fixed", &number, 8), variable = vm.constant("counter", &number, 8, false);
    FuncId write = vm.declare("write", {vm.pointer()});
    {
        Builder b = vm.build(write);
        emitStore(b, b.param(0), i64(b, 2));
        emitRet(b);
    }
    FuncId f = vm.declare("f"), g = vm.declare("g");
    Builder b = vm.build(f);
    emitCall(b, write, {globalAddr(b, constant, vm.pointer())});
    emitRet(b);
    CHECK(vm.run(f).error == "wrote to constant memory");
    Builder c = vm.build(g);
    emitStore(c, globalAddr(c, variable, vm.pointer()), i64(c, 2));
    emitRet(c);
    CHECK(vm.run(g).error == "the module global `counter` is assigned to");
}

TEST_CASE("a wild pointer does not end the compiler") {
    Vm vm;
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    emitRet(b, emitLoad(b, TypeId::I64, b.emit(Op::IntToPtr, vm.pointer(), {i64(b, 0x123456789000)})));
    CHECK(vm.run(f).error == "accessed memory that is not mapped");
    FuncId length = vm.external("strlen", {vm.pointer(TypeId::U8)}, TypeId::USize),
           g = vm.declare("g", {}, TypeId::USize);
    Builder c = vm.build(g);
    emitRet(c, emitCall(c, length, {c.emit(Op::IntToPtr, vm.pointer(TypeId::U8), {i64(c, 0x123456789000)})}));
    CHECK(vm.run(g).error == "the C function `strlen` crashed: accessed memory that is not mapped");
}

TEST_CASE("a failure comes with the calls that led to it") {
    Vm vm;
    FuncId inner = vm.declare("inner", {TypeId::I64}, TypeId::I64), outer = vm.declare("outer", {}, TypeId::I64);
    Builder i = vm.build(inner);
    i.setSpan(vm.span(3));
    BlockId again = i.newBlock(), stop = i.newBlock();
    emitCondBr(i, emitICmp(i, ICmpPred::Eq, i.param(0), i64(i, 0)), stop, again);
    i.setBlock(stop);
    emitPanic(i, PanicKind::Unreachable, vm.span(4));
    i.setBlock(again);
    i.setSpan(vm.span(5));
    emitRet(i, emitCall(i, inner, {emitBinary(i, Op::Add, i.param(0), i64(i, -1))}));
    Builder o = vm.build(outer);
    o.setSpan(vm.span(7));
    emitRet(o, emitCall(o, inner, {i64(o, 1)}));
    ComptimeResult r = vm.run(outer);
    CHECK(r.error == "reached unreachable code");
    REQUIRE(r.calls.size() == 3);
    CHECK(r.calls[0].func == inner);
    CHECK(r.calls[1].at == vm.span(5));
    CHECK(r.calls[2].func == outer);
    CHECK(r.calls[2].at == vm.span(7));
    CHECK(r.callsOmitted == 0);
}

TEST_CASE("an endless loop reaches the step limit") {
    vm::Limits limits;
    limits.steps = 100000;
    Vm vm(limits);
    FuncId f = vm.declare("f");
    Builder b = vm.build(f);
    BlockId loop = b.newBlock();
    emitBr(b, loop);
    b.setBlock(loop);
    emitBr(b, loop);
    CHECK(vm.run(f).error == "the evaluation takes too long: it did not end within 100000 steps");
}

TEST_CASE("endless recursion reaches a limit, with small and with large frames") {
    vm::Limits limits;
    limits.steps = 2'000'000'000;
    Vm vm(limits);
    for (uint64_t size : {8, 100000}) {
        FuncId f = vm.declare("f");
        Builder b = vm.build(f);
        SlotId s = b.newRawSlot(size, 8);
        emitZeroBytes(b, slotAddr(b, s), 8);
        emitCall(b, f, {});
        emitRet(b);
        CHECK(vm.run(f).error == "the recursion is too deep");
    }
    FuncId f = vm.declare("f");
    Builder b = vm.build(f);
    emitZeroBytes(b, slotAddr(b, b.newRawSlot(limits.stackBytes + 8, 8)), 8);
    emitRet(b);
    CHECK(vm.run(f).error == "the local variables of the function are larger than the stack of an evaluation");
}

TEST_CASE("memory has a limit") {
    vm::Limits limits;
    limits.heapBytes = 1 << 20;
    Vm vm(limits);
    Heap heap(vm);
    FuncId f = vm.declare("f");
    Builder b = vm.build(f);
    BlockId loop = b.newBlock();
    emitBr(b, loop);
    b.setBlock(loop);
    heap.block(b, 1000);
    emitBr(b, loop);
    CHECK(vm.run(f).error == "out of memory: the evaluation uses more than 1 MiB");
    FuncId g = vm.declare("g");
    Builder c = vm.build(g);
    heap.block(c, UINT64_MAX);
    emitRet(c);
    CHECK(vm.run(g).error == "out of memory: the evaluation uses more than 1 MiB");
}

TEST_CASE("exit ends the evaluation with its code") {
    Vm vm;
    FuncId quit = vm.external("_exit", {TypeId::I32}, TypeId::NoReturn), f = vm.declare("f");
    vm.module.fn(quit).noReturn = true;
    Builder b = vm.build(f);
    b.setSpan(vm.span(5));
    emitCall(b, quit, {constInt(b, TypeId::I32, 3)});
    emitUnreachable(b);
    ComptimeResult r = vm.run(f);
    CHECK(!r.ok);
    CHECK(r.exited);
    CHECK(r.exitCode == 3);
    CHECK(r.errorAt == vm.span(5));
    CHECK(r.error == "");
}

TEST_CASE("a function pointer that is null") {
    Vm vm;
    TypeId type = functionTypeOf(vm.types, {}, TypeId::Void);
    FuncId f = vm.declare("f");
    Builder b = vm.build(f);
    emitCallIndirect(b, nullOf(b, type), type, {});
    emitRet(b);
    CHECK(vm.run(f).error == "called a null function pointer");
}
