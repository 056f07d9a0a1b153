// The text form, in full: a golden module with every kind of line.
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

TEST_CASE_METHOD(Ir, "a function with slots, branches and calls") {
    FuncId puts = declare("puts", {TypeId::CString}, TypeId::I32);
    module.fn(puts).isExtern = true;
    module.fn(puts).conv = CallConv::C;
    FuncId read = declare("read", {pointer(TypeId::Void)}, TypeId::String);
    module.fn(read).isExtern = true;

    Function& fn = function("main.parse", {pointer(TypeId::Void), TypeId::I64});
    fn.symbol = "main.parse.1";
    fn.paramNames = {Name::None, name("n")};
    fn.hasContext = true;
    Builder b(module, fn);
    SlotId count = b.newSlot(TypeId::I64, name("count"));
    fn.slots[0].paramIndex = 1;
    b.pushScope({});
    SlotId line = b.newSlot(TypeId::String);
    SlotId raw = b.newRawSlot(96, 8);
    b.popScope();
    BlockId loop = b.newBlock(), rare = b.newBlock(true), done = b.newBlock();
    ValueId i = b.blockParam(loop, TypeId::I64);
    ValueId context = b.param(0), n = b.param(1);
    ValueId half = constFloat(b, TypeId::F64, 0.5), countAt = slotAddr(b, count), lineAt = slotAddr(b, line),
            rawAt = slotAddr(b, raw);
    emitStore(b, countAt, n);
    emitCallInto(b, read, lineAt, {context});
    b.emit(Op::TraceCapture, TypeId::Void, {rawAt});
    emitBr(b, loop, {constInt(b, TypeId::I64, static_cast<uint64_t>(-1))});
    b.setBlock(loop);
    ValueId sine = emitUnary(b, Op::FSin, half);
    emitCondBr(b, emitFCmp(b, FCmpPred::Lt, sine, half), rare, done, true);
    b.setBlock(rare);
    emitCall(b, puts, {emitLoad(b, TypeId::CString, emitOffset(b, lineAt, 8, pointer(TypeId::CString)))});
    b.emit(Op::AtomicRmw, TypeId::I64, {countAt, i}, 1, 4);
    b.emit(Op::TraceLink, TypeId::Void, {}, 2);
    emitSwitch(b, i, done, {{1, rare}, {2, done}});
    b.setBlock(done);
    TypeId type = functionTypeOf(types, {TypeId::I64}, TypeId::String);
    ValueId callee = nullOf(b, type), handle = typeHandle(b, sliceOf(types, TypeId::U8)),
            none = nullOf(b, TypeId::Type);
    emitCallIndirect(b, callee, type, {i}, lineAt);
    emitCopy(b, lineAt, rawAt, TypeId::String);
    emitZero(b, lineAt, TypeId::String);
    emitSelect(b, emitICmp(b, ICmpPred::UGe, i, n), handle, none);
    emitPanic(b, PanicKind::Index, {}, {i, n});

    CHECK(print(module, fn) == R"(fn main.parse "main.parse.1"(*void, n: i64) context {
  s0: i64 count param 1
  s1: string scope 1
  s2: 96 bytes align 8 scope 1
b0:
  v1: *void = param 0
  v2: i64 = param 1
  v3: f64 = const 0.5
  v4: *i64 = slot_addr s0
  v5: *string = slot_addr s1
  v6: *u8 = slot_addr s2
  store v4, v2
  call @read (v1) into v5
  trace_capture v6, 0
  v10: i64 = const -1
  br b1(v10)
b1(v0: i64):
  v12: f64 = fsin v3
  v13: bool = fcmp lt v12, v3
  cond_br v13, b2, b3 unlikely
b2: cold
  v15: *cstring = offset v5, 8
  v16: cstring = load v15
  v17: i32 = call @puts (v16)
  v18: i64 = atomic_rmw sub seq_cst v4, v0
  trace_link 2
  switch v0 [1: b2, 2: b3] else b3
b3:
  v21: (i64) -> string = const null
  v22: Type = type_handle []u8
  v23: Type = const null
  call_indirect v21 as (i64) -> string (v0) into v5
  copy v5, v6, 16
  zero v5, 16
  v27: bool = icmp uge v0, v2
  v28: Type = select v27, v22, v23
  panic index v0, v2
}
)");
    CHECK(print(module, module.fn(puts)) == "extern fn puts(cstring) -> i32 abi(.c)\n");
}

TEST_CASE_METHOD(Ir, "constants of all classes") {
    Function& fn = function("f");
    Builder b(module, fn);
    constInt(b, TypeId::I8, 0x80);
    constInt(b, TypeId::U8, 0x80);
    constInt(b, plainEnum(), 3);
    constBool(b, true);
    constFloat(b, TypeId::F32, 0.1);
    constFloat(b, TypeId::F64, -1e300);
    b.emit(Op::Const, TypeId::F64, {}, 0x7FF8000000000000);
    undefOf(b, TypeId::I64);
    emitUnreachable(b);
    CHECK(print(module, fn) == R"(fn f() {
b0:
  v0: i8 = const -128
  v1: u8 = const 128
  v2: Dir = const 3
  v3: bool = const true
  v4: f32 = const 0.1
  v5: f64 = const -1e+300
  v6: f64 = const 0x7FF8000000000000
  v7: i64 = undef
  unreachable
}
)");
}

TEST_CASE_METHOD(Ir, "positions on request") {
    FileId file = sources.addFile("a.sx", "a.sx", "first\n  second\n");
    Function& fn = function("f");
    Builder b(module, fn);
    constInt(b, TypeId::I64, 1);
    b.setSpan({sources.start(file) + 8, sources.start(file) + 14});
    b.newSlot(TypeId::I64, name("x"), b.span());
    emitRet(b);
    CHECK(print(module, fn, {.positions = true}) == R"(fn f() {
  s0: i64 x  ; 2:3
b0:
  v0: i64 = const 1
  ret  ; 2:3
}
)");
    CHECK(print(module, fn).find(';') == std::string::npos);
}

TEST_CASE_METHOD(Ir, "a module with globals") {
    module.libraries = {"m"};
    module.global(global("hello", 3)).init.bytes = {'h', '\n', 0};
    Global& text = module.globals.back();
    text.isConst = text.mergeable = true;
    text.align = 1;
    module.global(global("counter", 8)).type = TypeId::I64;
    module.globals.back().name = "main.counter";
    Global& table = module.global(global("table", 32));
    table.align = 8;
    table.init.bytes.resize(32);
    table.init.bytes[8] = 0x2A;
    table.init.bytes[15] = 0x80;
    table.init.relocs = {{Reloc::Kind::TypeHandle, 24, static_cast<uint32_t>(TypeId::I64), 0},
                         {Reloc::Kind::Function, 16, 0, 0},
                         {Reloc::Kind::Global, 0, 0, 2}};
    module.global(global("environ", 8)).isExtern = true;
    for (const char* name : {"f", "g"}) {
        Builder body(module, function(name));
        emitRet(body);
    }
    CHECK(print(module) == R"(library m
global @hello: 3 bytes align 1 const mergeable = "h\0A\00"
global @counter: i64, 8 bytes align 1 (main.counter) = zero
global @table: 32 bytes align 8 = {
  0: @hello + 2
  8: 0x800000000000002A
  16: @f
  24: type i64
}
extern global @environ: 8 bytes align 1

fn f() {
b0:
  ret
}

fn g() {
b0:
  ret
}
)");
}

TEST_CASE_METHOD(Ir, "a damaged function prints without harm") {
    Function& fn = function("f");
    Builder b(module, fn);
    ValueId v = constInt(b, TypeId::I64, 1);
    b.emit(Op::Call, TypeId::Void, {v}, 99);
    b.emit(Op::GlobalAddr, pointer(), {}, 99);
    b.emit(Op::TypeHandle, TypeId::Type, {}, 99999);
    b.emit(Op::CallIndirect, TypeId::Void, {}, 99999);
    b.emit(Op::Switch, TypeId::Void, {v}, 99);
    std::string text = print(module, fn);
    CHECK(text.find("@<function 99>") != std::string::npos);
    CHECK(text.find("@<global 99>") != std::string::npos);
    CHECK(text.find("<type 99999>") != std::string::npos);
}
