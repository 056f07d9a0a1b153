#include "ir/PackedCode.h"
#include "Fixture.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

Span span(uint32_t begin, uint32_t end) { return {{begin}, {end}}; }

/// A loop with a switch, constants of all sizes, a variable, and marks for debuggers.
void buildLoop(Ir& ir, Function& fn) {
    Builder b(ir.module, fn);
    b.setSpan(span(5000, 5040));
    BlockId loop = b.newBlock(), cold = b.newBlock(true), end = b.newBlock();
    ValueId variable = slotAddr(b, b.newSlot(TypeId::I64));
    ValueId raw = slotAddr(b, b.newRawSlot(TraceSnapshotBytes, 16));
    ValueId n = b.param(0);
    emitStore(b, variable, constInt(b, TypeId::I64, static_cast<uint64_t>(-3)));
    emitBr(b, loop, {n, constInt(b, TypeId::I64, INT64_MAX)});
    ValueId left = b.blockParam(loop, TypeId::I64), sum = b.blockParam(loop, TypeId::I64);
    b.setBlock(loop);
    b.pushScope(span(4000, 4800)); // what is written elsewhere, before
    b.showAt(span(5001, 5002));
    b.needEntry();
    b.setSpan({});
    ValueId small = emitBinary(b, Op::Sub, left, constInt(b, TypeId::I64, 1));
    b.popScope();
    b.declareVariable(variable, ir.name("x"), span(5010, 5011));
    b.setSpan(span(5010, 5020));
    b.beginStatement({5010}, false);
    b.noteError(ErrorEventKind::Absorb, ValueId::None);
    emitSwitch(b, small, loop, {{1, end}, {UINT64_MAX, cold}});
    b.setBlock(cold);
    emitCondBr(b, emitICmp(b, ICmpPred::SLt, sum, small), end, end);
    fn.instrs.back().unlikely = true;
    b.setBlock(end);
    emitLoad(b, TypeId::I64, raw);
    emitRet(b, n);
    b.beginStatement({5030}); // dead code, with another switch
    b.noteError(ErrorEventKind::Raise, n);
    emitBinary(b, Op::Add, n, n);
    emitSwitch(b, n, end, {{7, end}});
}

} // namespace

TEST_CASE_METHOD(Ir, "a function that was put away comes back without its dead code") {
    Function& fn = function("loop", {TypeId::I64}, TypeId::I64);
    buildLoop(*this, fn);
    Function cleaned = fn;
    removeUnreachableBlocks(cleaned);
    CHECK(cleaned.blocks.size() < fn.blocks.size());
    CHECK(cleaned.statements.size() < fn.statements.size());
    pack(fn);
    CHECK(!fn.packed.empty());
    CHECK(static_cast<const Code&>(fn) == Code{});
    CHECK(fn.instrs.capacity() == 0);
    pack(fn); // it has nothing more to put away
    unpack(fn);
    CHECK(fn.packed.empty());
    CHECK(static_cast<const Code&>(fn) == static_cast<const Code&>(cleaned));
    unpack(fn);
    CHECK(static_cast<const Code&>(fn) == static_cast<const Code&>(cleaned));
}

TEST_CASE_METHOD(Ir, "a function with assembly is cleaned up only") {
    Function& fn = function("loop", {TypeId::I64}, TypeId::I64);
    buildLoop(*this, fn);
    fn.assembly.emplace_back();
    Function cleaned = fn;
    removeUnreachableBlocks(cleaned);
    pack(fn);
    CHECK(fn.packed.empty());
    CHECK(static_cast<const Code&>(fn) == static_cast<const Code&>(cleaned));
}
