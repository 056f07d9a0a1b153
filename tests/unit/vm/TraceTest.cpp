#include "Fixture.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
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
    b.emit(Op::TraceRaise, TypeId::Void, {emitTraceFrame(b, vm.span(raiseAt)), constInt(b, TypeId::U32, 1)});
    emitRet(b, constInt(b, errors, 1));
    Builder c = vm.build(outer);
    ValueId tag = emitCall(c, inner, {});
    BlockId fail = c.newBlock(true), ok = c.newBlock();
    emitCondBr(c, emitCast(c, Op::IntToBool, tag, TypeId::Bool), fail, ok, true);
    c.setBlock(fail);
    c.emit(Op::TracePush, TypeId::Void, {emitTraceFrame(c, vm.span(tryAt))});
    emitRet(c, tag);
    c.setBlock(ok);
    emitRet(c, constInt(c, errors, 0));
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
    b.emit(Op::TraceResolve, TypeId::Void, {slotAddr(b, s), emitTraceFrame(b, vm.span(18))});
    emitRet(b, slotAddr(b, s));
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
    emitRet(c, emitTraceFrame(c, vm.span(18)));
    CHECK(vm.value<uint64_t>(g) == (uint64_t{static_cast<uint32_t>(g)} << 32 | vm.span(18).begin.raw));
}

TEST_CASE("an error variable keeps its chain and puts it back") {
    Vm vm;
    FuncId f = vm.declare("f", {}, TypeId::I64), length = vm.external("sx_trace_len", {}, TypeId::U32);
    Builder b = vm.build(f);
    SlotId snapshot = b.newRawSlot(sizeof(sx_trace_snapshot), 8);
    emitZeroBytes(b, slotAddr(b, snapshot), sizeof(sx_trace_snapshot));
    ValueId empty = b.emit(Op::TraceResume, TypeId::Bool, {slotAddr(b, snapshot), constInt(b, TypeId::U32, 1)});
    b.emit(Op::TraceRaise, TypeId::Void, {emitTraceFrame(b, vm.span(1)), constInt(b, TypeId::U32, 1)});
    b.emit(Op::TracePush, TypeId::Void, {emitTraceFrame(b, vm.span(2))});
    b.emit(Op::TraceCapture, TypeId::Void, {slotAddr(b, snapshot)});
    b.emit(Op::TraceAbsorb, TypeId::Void, {});
    ValueId none = emitCast(b, Op::ZExt, emitCall(b, length, {}), TypeId::I64);
    ValueId resumed = b.emit(Op::TraceResume, TypeId::Bool, {slotAddr(b, snapshot), constInt(b, TypeId::U32, 1)});
    b.emit(Op::TraceRaise, TypeId::Void, {emitTraceFrame(b, vm.span(3)), constInt(b, TypeId::U32, 1)});
    b.emit(Op::TraceLink, TypeId::Void, {}, 1);
    ValueId three = emitCast(b, Op::ZExt, emitCall(b, length, {}), TypeId::I64);
    b.emit(Op::TraceAbsorb, TypeId::Void, {});
    ValueId after = emitCast(b, Op::ZExt, emitCall(b, length, {}), TypeId::I64);
    auto times = [&](ValueId v, int64_t n) { return emitBinary(b, Op::Mul, v, constInt(b, TypeId::I64, uint64_t(n))); };
    ValueId sum = emitBinary(b, Op::Add, times(emitCast(b, Op::ZExt, empty, TypeId::I64), 10000), times(none, 1000));
    sum = emitBinary(b, Op::Add, sum,
                     emitBinary(b, Op::Add, times(emitCast(b, Op::ZExt, resumed, TypeId::I64), 100), times(three, 10)));
    emitRet(b, emitBinary(b, Op::Add, sum, after));
    CHECK(vm.value<int64_t>(f) == 130);
    CHECK(vm.failure == "");
}
