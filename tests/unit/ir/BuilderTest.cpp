#include "Fixture.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/Ops.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

struct Building : Ir {
    Function& fn = function("f", {TypeId::I64, TypeId::String, TypeId::F64, TypeId::Bool});
    Builder b{module, fn};

    Op op(ValueId v) { return fn.instr(v).op; }
    uint64_t imm(ValueId v) { return fn.instr(v).imm; }
    size_t count() { return fn.instrs.size(); }
    void isConst(ValueId v, TypeId type, uint64_t bits) {
        CHECK(op(v) == Op::Const);
        CHECK(b.typeOf(v) == type);
        CHECK(imm(v) == bits);
    }
    Instr last() { return fn.instr(fn.blocks[static_cast<uint32_t>(b.block())].instrs.back()); }
};

} // namespace

TEST_CASE_METHOD(Building, "a builder starts in the entry block") {
    CHECK(b.block() == BlockId{0});
    CHECK(fn.blocks.size() == 1);
    CHECK(fn.scopes.size() == 1);
    CHECK_FALSE(b.terminated());
    CHECK(b.newBlock(true) == BlockId{1});
    CHECK(fn.blocks[1].cold);
    Builder second(module, fn);
    CHECK(fn.blocks.size() == 2);
    CHECK(second.terminated()); // nowhere until it is told
}

TEST_CASE_METHOD(Building, "code after a terminator goes into a block of its own") {
    emitRet(b);
    CHECK(b.terminated());
    CHECK(b.block() == BlockId{0});
    emitBr(b, BlockId{0}); // dropped: nothing can follow, nothing was lost
    CHECK(fn.blocks[0].instrs.size() == 1);
    CHECK(fn.blocks.size() == 1);
    ValueId v = constInt(b, TypeId::I64, 1);
    CHECK_FALSE(b.terminated());
    CHECK(b.block() == BlockId{1});
    CHECK(fn.blocks[1].instrs == List<ValueId>{v});
    CHECK(fn.blocks[0].instrs.size() == 1);
    emitUnreachable(b);
    CHECK(b.terminated());
}

TEST_CASE_METHOD(Building, "each parameter has one instruction at the head of the entry") {
    BlockId next = b.newBlock();
    constInt(b, TypeId::I64, 1);
    emitBr(b, next);
    b.setBlock(next);
    ValueId text = b.param(1), number = b.param(0);
    CHECK(b.param(1) == text);
    CHECK(b.param(0) == number);
    CHECK(b.typeOf(number) == TypeId::I64);
    CHECK(b.typeOf(text) == pointer(TypeId::String)); // the address of the aggregate
    CHECK(fn.blocks[0].instrs[0] == text);
    CHECK(fn.blocks[0].instrs[1] == number);
    CHECK(fn.blocks[1].instrs.empty());
}

TEST_CASE_METHOD(Building, "block parameters stand before the instructions of their block") {
    BlockId next = b.newBlock();
    ValueId first = b.blockParam(next, TypeId::I64);
    b.setBlock(next);
    ValueId sum = emitBinary(b, Op::Add, first, first);
    ValueId second = b.blockParam(next, TypeId::Bool);
    CHECK(fn.blocks[1].instrs == List<ValueId>{first, second, sum});
    CHECK(fn.blocks[1].params == List<ValueId>{first, second});
    CHECK(imm(second) == 1);
}

TEST_CASE_METHOD(Building, "spans and scopes mark what is emitted") {
    Span outer{{1}, {9}}, inner{{3}, {5}};
    b.setSpan(outer);
    ValueId a = constInt(b, TypeId::I64, 1);
    ScopeId scope = b.pushScope(inner);
    b.setSpan(inner);
    ValueId c = constInt(b, TypeId::I64, 2);
    SlotId slot = b.newSlot(TypeId::I32, name("x"), inner);
    b.popScope();
    ValueId d = emitTraceFrame(b, outer);
    CHECK(fn.instr(a).span == outer);
    CHECK(fn.instr(a).scope == 0);
    CHECK(fn.instr(c).scope == scope);
    CHECK(fn.scopes[scope].span == inner);
    CHECK(fn.slots[static_cast<uint32_t>(slot)].scope == scope);
    CHECK(fn.instr(d).scope == 0);
    CHECK(fn.instr(d).span == outer);
    CHECK(b.span() == inner);
    emitPanic(b, PanicKind::NullUnwrap, outer);
    CHECK(last().span == outer);
    CHECK(b.span() == inner);
}

TEST_CASE_METHOD(Building, "slots take size and alignment from their type") {
    SlotId typed = b.newSlot(TypeId::String), untyped = b.newRawSlot(40, 16);
    CHECK(fn.slots[0].size == 16);
    CHECK(fn.slots[0].align == 8);
    CHECK(fn.slots[1].size == 40);
    CHECK(fn.slots[1].align == 16);
    CHECK(b.typeOf(slotAddr(b, typed)) == pointer(TypeId::String));
    CHECK(b.typeOf(slotAddr(b, untyped)) == pointer(TypeId::U8));
}

TEST_CASE_METHOD(Building, "constants are truncated to their width") {
    isConst(constInt(b, TypeId::I8, static_cast<uint64_t>(-1)), TypeId::I8, 0xFF);
    isConst(constInt(b, integerType(3, true), 9), integerType(3, true), 1);
    isConst(constInt(b, TypeId::Bool, 1), TypeId::Bool, 1);
    TypeId dir = plainEnum(TypeId::U8);
    isConst(constInt(b, dir, 0x1FF), dir, 0xFF);
    isConst(constFloat(b, TypeId::F32, 0.1), TypeId::F32, 0x3DCCCCCD);
    isConst(constFloat(b, TypeId::F64, 1.0), TypeId::F64, 0x3FF0000000000000);
    isConst(nullOf(b, pointer()), pointer(), 0);
}

TEST_CASE_METHOD(Building, "constant operands are folded, others are not") {
    ValueId two = constInt(b, TypeId::I8, 2), max = constInt(b, TypeId::I8, 127), zero = constInt(b, TypeId::I8, 0);
    isConst(emitBinary(b, Op::Add, max, two), TypeId::I8, 129);
    CHECK(op(emitBinary(b, Op::SDiv, two, zero)) == Op::SDiv);
    isConst(emitICmp(b, ICmpPred::SLt, two, max), TypeId::Bool, 1);
    isConst(emitUnary(b, Op::FNeg, constFloat(b, TypeId::F64, 1.0)), TypeId::F64, 0xBFF0000000000000);
    isConst(emitFCmp(b, FCmpPred::Gt, constFloat(b, TypeId::F64, 1.0), constFloat(b, TypeId::F64, 2.0)), TypeId::Bool,
            0);
    isConst(emitICmp(b, ICmpPred::Eq, nullOf(b, pointer()), nullOf(b, pointer(TypeId::Bool))), TypeId::Bool, 1);
    isConst(emitNot(b, constBool(b, true)), TypeId::Bool, 0);
    CHECK(emitSelect(b, constBool(b, true), two, max) == two);
    CHECK(emitSelect(b, constBool(b, false), two, max) == max);
    CHECK(emitSelect(b, b.param(3), two, two) == two);
    CHECK(op(emitSelect(b, b.param(3), two, max)) == Op::Select);
    CHECK(op(emitBinary(b, Op::Add, b.param(0), b.param(0))) == Op::Add);
    CHECK(op(emitNot(b, b.param(3))) == Op::Xor);
    CHECK(op(emitFCmp(b, FCmpPred::Ne, b.param(2), b.param(2))) == Op::FCmp);
}

TEST_CASE_METHOD(Building, "casts") {
    ValueId n = b.param(0), f = b.param(2), flag = b.param(3);
    isConst(emitCast(b, Op::SExt, constInt(b, TypeId::I8, 0xFF), TypeId::I64), TypeId::I64, UINT64_MAX);
    isConst(emitCast(b, Op::IntToPtr, constInt(b, TypeId::I64, 0), pointer()), pointer(), 0);
    CHECK(op(emitCast(b, Op::IntToPtr, constInt(b, TypeId::I64, 8), pointer())) == Op::IntToPtr);
    CHECK(emitCast(b, Op::ZExt, n, TypeId::I64) == n);
    CHECK(op(emitCast(b, Op::ZExt, n, TypeId::U64)) == Op::Reinterpret);
    CHECK(emitCast(b, Op::FloatResize, f, TypeId::F64) == f);
    CHECK(emitCast(b, Op::Reinterpret, n, TypeId::I64) == n);
    CHECK(op(emitCast(b, Op::ZExt, flag, TypeId::U8)) == Op::ZExt);
    CHECK(op(emitCast(b, Op::ZExt, flag, integerType(1, false))) == Op::Reinterpret);
    CHECK(op(emitCast(b, Op::Trunc, n, TypeId::I8)) == Op::Trunc);
}

TEST_CASE_METHOD(Building, "a float becomes a narrow integer by way of 64 bits") {
    for (Op from : {Op::FloatToSInt, Op::FloatToUInt}) {
        ValueId narrow = emitCast(b, from, b.param(2), TypeId::U8);
        REQUIRE(op(narrow) == Op::Trunc);
        ValueId wide = fn.operandsOf(fn.instr(narrow))[0];
        CHECK(op(wide) == Op::FloatToSInt);
        CHECK(b.typeOf(wide) == TypeId::I64);
    }
    CHECK(op(emitCast(b, Op::FloatToUInt, b.param(2), TypeId::U64)) == Op::FloatToUInt);
    isConst(emitCast(b, Op::FloatToUInt, constFloat(b, TypeId::F64, 700.9), TypeId::U8), TypeId::U8, 188);
}

TEST_CASE_METHOD(Building, "offsets add up") {
    ValueId base = b.param(1);
    CHECK(emitOffset(b, base, 0, pointer(TypeId::String)) == base);
    CHECK(op(emitOffset(b, base, 0, pointer())) == Op::Reinterpret);
    ValueId field = emitOffset(b, base, 8, pointer());
    CHECK(imm(field) == 8);
    ValueId inner = emitOffset(b, field, 4, pointer(TypeId::I32));
    CHECK(imm(inner) == 12);
    CHECK(fn.operandsOf(fn.instr(inner))[0] == base);
    ValueId third = emitIndex(b, base, constInt(b, TypeId::I64, 3), 16, pointer());
    CHECK(op(third) == Op::Offset);
    CHECK(imm(third) == 48);
    CHECK(op(emitIndex(b, base, constInt(b, TypeId::I64, static_cast<uint64_t>(-1)), 16, pointer())) == Op::Index);
    CHECK(op(emitIndex(b, base, b.param(0), 16, pointer())) == Op::Index);
}

TEST_CASE_METHOD(Building, "nothing is emitted for no bytes") {
    ValueId p = b.param(1);
    size_t before = count();
    emitCopy(b, p, p, 16);
    emitCopy(b, p, p, TypeId::Void);
    emitZero(b, p, TypeId::Void);
    emitZeroBytes(b, p, 0);
    CHECK(count() == before);
    isConst(emitMemEq(b, p, p, constInt(b, TypeId::I64, 0)), TypeId::Bool, 1);
    CHECK(op(emitMemEq(b, p, p, constInt(b, TypeId::I64, 1))) == Op::MemEq);
    emitZero(b, p, TypeId::String);
    CHECK(last().imm == 16);
}

TEST_CASE_METHOD(Building, "calls") {
    FuncId scalar = declare("scalar", {TypeId::I64}, TypeId::I32), text = declare("text", {}, TypeId::String);
    module.fn(scalar).cold = true;
    ValueId n = b.param(0);
    ValueId v = emitCall(b, scalar, {n});
    CHECK(b.typeOf(v) == TypeId::I32);
    CHECK(fn.instr(v).unlikely);
    ValueId dest = slotAddr(b, b.newSlot(TypeId::String));
    emitCallInto(b, text, dest, {});
    CHECK(last().type == TypeId::Void);
    CHECK(fn.operandsOf(last()).front() == dest);
    CHECK_FALSE(last().unlikely);

    TypeId type = functionTypeOf(types, {TypeId::I64}, TypeId::String);
    ValueId callee = funcAddr(b, text, type);
    emitCallIndirect(b, callee, type, {n}, dest);
    CHECK(fn.operandsOf(last()).vec() == std::vector<ValueId>{callee, dest, n});
    CHECK(last().imm == static_cast<uint32_t>(type));
    TypeId plain = functionTypeOf(types, {TypeId::I64}, TypeId::Bool);
    CHECK(b.typeOf(emitCallIndirect(b, callee, plain, {n})) == TypeId::Bool);
}

TEST_CASE_METHOD(Building, "operands may come from the function itself") {
    ValueId v = emitBinary(b, Op::Add, b.param(0), b.param(0));
    for (int i = 0; i < 200; ++i) v = b.emit(Op::Add, TypeId::I64, fn.operandsOf(fn.instr(v)));
    CHECK(fn.operandsOf(fn.instr(v)).vec() == std::vector<ValueId>{b.param(0), b.param(0)});
}

TEST_CASE_METHOD(Building, "branches on constants") {
    BlockId yes = b.newBlock(), no = b.newBlock();
    emitCondBr(b, constBool(b, false), yes, no, true);
    CHECK(last().op == Op::Br);
    CHECK(fn.targetsOf(last())[0].block == no);
    b.setBlock(yes);
    emitSwitch(b, constInt(b, TypeId::I64, 7), no, {{3, no}, {7, yes}});
    CHECK(last().op == Op::Br);
    CHECK(fn.targetsOf(last())[0].block == yes);
}

TEST_CASE_METHOD(Building, "a conditional branch says which side is rare") {
    BlockId yes = b.newBlock(), no = b.newBlock();
    emitCondBr(b, b.param(3), yes, no, true);
    CHECK(last().unlikely);
    b.setBlock(yes);
    emitCondBr(b, b.param(3), yes, {}, no, {});
    CHECK_FALSE(last().unlikely);
    emitCondBr(b, b.param(3), no, yes, true); // dropped: the branch before it keeps its hint
    CHECK_FALSE(last().unlikely);
}

TEST_CASE_METHOD(Building, "case values have the width of the value") {
    BlockId next = b.newBlock();
    ValueId byte = emitCast(b, Op::Trunc, b.param(0), TypeId::I8);
    emitSwitch(b, byte, next, {{static_cast<uint64_t>(-1), next}, {1, next}});
    CHECK(fn.switches[last().imm].values == std::vector<uint64_t>{0xFF, 1});
    CHECK(last().targetCount == 3);
}

TEST_CASE_METHOD(Building, "a long list of cases becomes several switches") {
    std::vector<std::pair<uint64_t, BlockId>> cases;
    std::vector<BlockId> ends{b.newBlock()};
    for (uint64_t i = 0; i < 1000; ++i) {
        ends.push_back(b.newBlock());
        cases.push_back({i, ends.back()});
    }
    emitSwitch(b, b.param(0), ends[0], cases);
    CHECK(b.block() == BlockId{0});
    CHECK(b.terminated());
    for (BlockId end : ends) {
        b.setBlock(end);
        emitRet(b);
    }
    CHECK(verify(module).empty());
    size_t values = 0;
    for (const SwitchCases& s : fn.switches) values += s.values.size();
    CHECK(values == 1000);
}

TEST_CASE_METHOD(Building, "a statement begins at the next instruction, and is none without one") {
    auto places = [&] {
        std::vector<std::pair<uint32_t, uint32_t>> out;
        for (const Statement& s : fn.statements) out.push_back({s.begin.raw, static_cast<uint32_t>(s.first)});
        return out;
    };
    b.beginStatement({1}); // the one that follows takes its place
    b.beginStatement({2});
    ValueId two = constInt(b, TypeId::I64, 2);
    b.beginStatement({3});
    b.endStatement();
    b.beginStatement({4});
    b.keepStatement();
    b.beginStatement({5}, false);
    ValueId sum = emitBinary(b, Op::Add, b.param(0), two);
    emitRet(b);
    using Place = std::pair<uint32_t, uint32_t>;
    uint32_t first = static_cast<uint32_t>(two), second = static_cast<uint32_t>(sum);
    CHECK(places() == std::vector<Place>{{2, first}, {4, second}, {5, second}});
    CHECK(fn.statements[1].breakable);
    CHECK(!fn.statements[2].breakable);
    CHECK(verify(module).empty());
}

TEST_CASE_METHOD(Building, "what is shown elsewhere has no statements of its own") {
    Span before = b.showAt({{7}, {8}});
    b.beginStatement({1});
    constInt(b, TypeId::I64, 1);
    b.showAt(before);
    CHECK(fn.statements.empty());
    emitRet(b);
}
