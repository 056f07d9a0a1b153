#include "Fixture.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

/// return n > 0 ? n : 0, with dead code in between.
void buildWithDeadCode(Ir& ir, Function& fn) {
    Builder b(ir.module, fn);
    BlockId dead = b.newBlock(), yes = b.newBlock(), no = b.newBlock(true), join = b.newBlock();
    ValueId result = b.blockParam(join, TypeId::I64);
    ValueId n = b.param(0);
    emitCondBr(b, emitICmp(b, ICmpPred::SGt, n, constInt(b, TypeId::I64, 0)), yes, no);
    b.setBlock(dead);
    emitBr(b, join, {constInt(b, TypeId::I64, 9)});
    b.setBlock(no);
    emitBr(b, join, {constInt(b, TypeId::I64, 0)});
    b.setBlock(yes);
    emitBr(b, join, {n});
    emitBinary(b, Op::Add, n, n); // dead code behind the branch
    emitSwitch(b, n, dead, {{1, join}, {2, dead}});
    b.setBlock(join);
    emitRet(b, result);
}

} // namespace

TEST_CASE_METHOD(Ir, "blocks that nothing leads to are removed, the rest is numbered afresh") {
    Function& fn = function("clamp", {TypeId::I64}, TypeId::I64);
    buildWithDeadCode(*this, fn);
    CHECK(fn.blocks.size() == 6);
    removeUnreachableBlocks(fn);
    CHECK(print(module, fn) == R"(fn clamp(i64) -> i64 {
b0:
  v0: i64 = param 0
  v1: i64 = const 0
  v2: bool = icmp sgt v0, v1
  cond_br v2, b1, b2
b1:
  br b3(v0)
b2: cold
  v5: i64 = const 0
  br b3(v5)
b3(v7: i64):
  ret v7
}
)");
    CHECK(verify(module).empty());
    CHECK(fn.switches.empty());
    CHECK(fn.instrs.size() == 9);
}

TEST_CASE_METHOD(Ir, "switches and loops keep their meaning") {
    Function& fn = function("f", {TypeId::I64});
    Builder b(module, fn);
    BlockId dead = b.newBlock(), loop = b.newBlock(), done = b.newBlock();
    emitBr(b, loop);
    b.setBlock(dead);
    emitSwitch(b, b.param(0), done, {{8, done}});
    b.setBlock(loop);
    emitSwitch(b, b.param(0), done, {{5, loop}, {6, done}});
    b.setBlock(done);
    emitRet(b);
    removeUnreachableBlocks(fn);
    CHECK(verify(module).empty());
    CHECK(fn.blocks.size() == 3);
    REQUIRE(fn.switches.size() == 1);
    CHECK(fn.switches[0].values == std::vector<uint64_t>{5, 6});
}

TEST_CASE_METHOD(Ir, "a second cleanup changes nothing") {
    Function& fn = function("clamp", {TypeId::I64}, TypeId::I64);
    buildWithDeadCode(*this, fn);
    removeUnreachableBlocks(fn);
    std::string once = print(module, fn);
    removeUnreachableBlocks(fn);
    CHECK(print(module, fn) == once);
    Function& empty = function("empty");
    removeUnreachableBlocks(empty);
    CHECK(empty.blocks.empty());
}

TEST_CASE_METHOD(Ir, "marks go with their instructions") {
    Function& fn = function("f", {pointer()});
    Builder b(module, fn);
    BlockId dead = b.newBlock(), end = b.newBlock();
    b.setBlock(dead);
    b.beginStatement({1});
    b.noteError(ErrorEventKind::Raise, constInt(b, TypeId::U32, 1));
    emitBr(b, end);
    b.setBlock(end);
    b.beginStatement({2});
    b.noteError(ErrorEventKind::Absorb, constInt(b, TypeId::U32, 2));
    emitRet(b);
    b.setBlock(BlockId{0});
    b.beginStatement({3});
    emitNullCheck(b, b.param(0), {{1}, {2}});
    emitBr(b, end);
    removeUnreachableBlocks(fn);
    CHECK(verify(module).empty());
    REQUIRE(fn.statements.size() == 2);
    CHECK(fn.statements[0].begin == SourcePos{2});
    CHECK(fn.instr(fn.statements[0].first).op == Op::Const);
    CHECK(fn.instr(fn.statements[1].first).op == Op::NullCheck);
    REQUIRE(fn.errorEvents.size() == 1);
    CHECK(fn.instr(fn.errorEvents[0].at).op == Op::Ret);

    dropChecks(module);
    CHECK(verify(module).empty());
    CHECK(fn.instr(fn.statements[1].first).op == Op::Br);
}
