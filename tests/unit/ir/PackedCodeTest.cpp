#include "Fixture.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/PackedCode.h"

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
    fn.targets[2].argCount = 0; // the verifier is not asked
    b.setBlock(cold);
    emitCondBr(b, emitICmp(b, ICmpPred::SLt, sum, small), end, end);
    fn.instrs.back().unlikely = true;
    b.setBlock(end);
    emitLoad(b, TypeId::I64, raw);
    emitRet(b, n);
    removeUnreachableBlocks(fn);
}

} // namespace

TEST_CASE_METHOD(Ir, "a function that was put away comes back as it was") {
    Function& fn = function("loop", {TypeId::I64}, TypeId::I64);
    buildLoop(*this, fn);
    const Code before = fn;
    pack(fn);
    CHECK(!fn.packed.empty());
    CHECK(static_cast<const Code&>(fn) == Code{});
    pack(fn); // it has nothing more to put away
    unpack(fn);
    CHECK(fn.packed.empty());
    CHECK(static_cast<const Code&>(fn) == before);
    unpack(fn);
    CHECK(static_cast<const Code&>(fn) == before);
}

TEST_CASE_METHOD(Ir, "what is not in the order of a finished function is not put away") {
    Function& fn = function("loop", {TypeId::I64}, TypeId::I64);
    buildLoop(*this, fn);
    SECTION("a block without one of its instructions") { fn.blocks[1].instrs.erase(fn.blocks[1].instrs.begin() + 2); }
    SECTION("an operand that nothing has") { fn.operands.push_back(ValueId{0}); }
    SECTION("targets in another order") { std::swap(fn.targets[0].argStart, fn.targets[1].argStart); }
    SECTION("a parameter that is no instruction of its block") { fn.blocks[1].params[0] = ValueId{0}; }
    SECTION("assembly") { fn.assembly.emplace_back(); }
    const Code before = fn;
    pack(fn);
    CHECK(fn.packed.empty());
    CHECK(static_cast<const Code&>(fn) == before);
}
