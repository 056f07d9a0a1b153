#include "Fixture.h"

#include "sx/trace.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

/// raise at `raiseAt`, returning tag 1; a caller that pushes at `tryAt`.
FuncId failing(Vm& vm, uint32_t raiseAt, uint32_t tryAt) {
    TypeId errors = vm.types.newErrorSet("E", {vm.name("BadDigit")});
    vm.types.tagId(vm.name("BadDigit"));
    FuncId inner = vm.declare("parse", {}, errors), outer = vm.declare("main", {}, errors);
    Builder b = vm.build(inner);
    b.emit(Op::TraceRaise, TypeId::Void, {b.traceFrame(vm.span(raiseAt)), b.constInt(TypeId::U32, 1)});
    b.ret(b.constInt(errors, 1));
    Builder c = vm.build(outer);
    ValueId tag = c.call(inner, {});
    BlockId fail = c.newBlock(true), ok = c.newBlock();
    c.condBr(c.cast(Op::IntToBool, tag, TypeId::Bool), fail, ok, true);
    c.setBlock(fail);
    c.emit(Op::TracePush, TypeId::Void, {c.traceFrame(vm.span(tryAt))});
    c.ret(tag);
    c.setBlock(ok);
    c.ret(c.constInt(errors, 0));
    return outer;
}

} // namespace

TEST_CASE("an error that escapes comes with its tag and its trace") {
    Vm vm;
    ComptimeResult r = vm.run(failing(vm, 11, 29));
    CHECK(!r.ok);
    CHECK(r.errorTag == 1);
    CHECK(r.error == "");
    CHECK(r.trace == "error return trace (most recent call last):\n"
                     "  parse at test.sx:2:1\n"
                     "    second := line;\n"
                     "    ^\n"
                     "  main at test.sx:3:3\n"
                     "    \tthird\n"
                     "    \t ^\n");
}

TEST_CASE("each evaluation begins and ends with nothing in flight") {
    Vm vm;
    sx_trace_raise(77);
    FuncId f = failing(vm, 0, 1);
    ComptimeResult first = vm.run(f), second = vm.run(f);
    CHECK(first.trace == second.trace);
    REQUIRE(sx_trace_len() == 1);
    CHECK(sx_trace_frame_at(0) == 77);
    sx_trace_absorb();
}

TEST_CASE("frames are packed, and resolved back") {
    Vm vm;
    TypeId frame = vm.structOf({{vm.name("file"), TypeId::String},
                                {vm.name("line"), TypeId::I32},
                                {vm.name("col"), TypeId::I32},
                                {vm.name("func"), TypeId::String},
                                {vm.name("line_text"), TypeId::String}},
                               "TraceFrame");
    FuncId f = vm.declare("where", {}, frame), g = vm.declare("packed", {}, TypeId::U64);
    Builder b = vm.build(f);
    SlotId s = b.newSlot(frame);
    b.emit(Op::TraceResolve, TypeId::Void, {b.slotAddr(s), b.traceFrame(vm.span(18))});
    b.ret(b.slotAddr(s));
    ComptimeResult r = vm.run(f);
    REQUIRE(r.error == "");
    auto text = [&](uint64_t offset) {
        for (const Reloc& reloc : r.value.relocs)
            if (reloc.offset == offset)
                return std::string(reinterpret_cast<const char*>(vm.module.globals[reloc.id].init.bytes.data()));
        return std::string();
    };
    CHECK(text(0) == "test.sx");
    CHECK(text(24) == "where");
    CHECK(text(40) == "second := line;");
    int32_t position[2];
    std::memcpy(position, r.value.bytes.data() + 16, 8);
    CHECK(position[0] == 2);
    CHECK(position[1] == 8);

    Builder c = vm.build(g);
    c.ret(c.traceFrame(vm.span(18)));
    CHECK(vm.value<uint64_t>(g) == (uint64_t{static_cast<uint32_t>(g)} << 32 | vm.span(18).begin.raw));
}

TEST_CASE("an error variable keeps its chain and puts it back") {
    Vm vm;
    FuncId f = vm.declare("f", {}, TypeId::I64), length = vm.external("sx_trace_len", {}, TypeId::U32);
    Builder b = vm.build(f);
    SlotId snapshot = b.newRawSlot(sizeof(sx_trace_snapshot), 8);
    b.zeroBytes(b.slotAddr(snapshot), sizeof(sx_trace_snapshot));
    ValueId empty = b.emit(Op::TraceResume, TypeId::Bool, {b.slotAddr(snapshot)});
    b.emit(Op::TraceRaise, TypeId::Void, {b.traceFrame(vm.span(1)), b.constInt(TypeId::U32, 1)});
    b.emit(Op::TracePush, TypeId::Void, {b.traceFrame(vm.span(2))});
    b.emit(Op::TraceCapture, TypeId::Void, {b.slotAddr(snapshot)});
    b.emit(Op::TraceAbsorb, TypeId::Void, {});
    ValueId none = b.cast(Op::ZExt, b.call(length, {}), TypeId::I64);
    ValueId resumed = b.emit(Op::TraceResume, TypeId::Bool, {b.slotAddr(snapshot)});
    b.emit(Op::TraceRaise, TypeId::Void, {b.traceFrame(vm.span(3)), b.constInt(TypeId::U32, 1)});
    b.emit(Op::TraceLink, TypeId::Void, {}, 1);
    ValueId three = b.cast(Op::ZExt, b.call(length, {}), TypeId::I64);
    b.emit(Op::TraceAbsorb, TypeId::Void, {});
    ValueId after = b.cast(Op::ZExt, b.call(length, {}), TypeId::I64);
    auto times = [&](ValueId v, int64_t n) { return b.binary(Op::Mul, v, b.constInt(TypeId::I64, uint64_t(n))); };
    ValueId sum = b.binary(Op::Add, times(b.cast(Op::ZExt, empty, TypeId::I64), 10000), times(none, 1000));
    sum =
        b.binary(Op::Add, sum, b.binary(Op::Add, times(b.cast(Op::ZExt, resumed, TypeId::I64), 100), times(three, 10)));
    b.ret(b.binary(Op::Add, sum, after));
    CHECK(vm.value<int64_t>(f) == 130);
    CHECK(vm.failure == "");
}
