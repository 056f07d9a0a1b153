// Which checks for null are repeated: those that another one of the same pointer precedes in every way.
#include "Fixture.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/NullChecks.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

/// A function `(pointer, bool)` with a variable for the pointer.
struct Checked {
    Ir ir;
    Function& fn = ir.function("f", {ir.pointer(), TypeId::Bool});
    Builder b{ir.module, fn};
    ValueId pointer = b.param(0), flag = b.param(1);
    ValueId variable = slotAddr(b, b.newSlot(ir.pointer()));

    void write() { emitStore(b, variable, pointer); }
    /// Reads the variable and checks what it holds; the check.
    ValueId check() {
        emitNullCheck(b, emitLoad(b, ir.pointer(), variable), {});
        return ValueId(fn.instrs.size() - 1);
    }
    bool isRepeated(ValueId check) { return repeatedNullChecks(fn)[raw(check)]; }
};

} // namespace

TEST_CASE("a check after another one is repeated") {
    Checked f;
    f.write();
    ValueId first = f.check(), second = f.check();
    emitRet(f.b);
    CHECK_FALSE(f.isRepeated(first));
    CHECK(f.isRepeated(second));
}

TEST_CASE("a check holds for both branches, and that of a branch for the branch") {
    Checked f;
    f.write();
    bool isBefore = GENERATE(true, false);
    if (isBefore) f.check();
    BlockId then = f.b.newBlock(), otherwise = f.b.newBlock(), after = f.b.newBlock();
    emitCondBr(f.b, f.flag, then, otherwise);
    f.b.setBlock(then);
    ValueId inThen = f.check();
    emitBr(f.b, after);
    f.b.setBlock(otherwise);
    ValueId inOtherwise = f.check();
    emitBr(f.b, after);
    f.b.setBlock(after);
    ValueId last = f.check();
    emitRet(f.b);
    for (ValueId check : {inThen, inOtherwise, last}) CHECK(f.isRepeated(check) == isBefore);
}

TEST_CASE("a variable that is written twice, or whose address is known elsewhere, is checked each time") {
    Checked f;
    f.write();
    f.check();
    SECTION("written twice") { f.write(); }
    SECTION("its address is stored") { emitStore(f.b, slotAddr(f.b, f.b.newSlot(f.ir.pointer())), f.variable); }
    SECTION("its address is computed with") { emitOffset(f.b, f.variable, 4, f.ir.pointer()); }
    SECTION("its address goes to another block") {
        BlockId next = f.b.newBlock();
        f.b.blockParam(next, f.ir.pointer());
        emitBr(f.b, next, {f.variable});
        f.b.setBlock(next);
    }
    ValueId second = f.check();
    emitRet(f.b);
    CHECK_FALSE(f.isRepeated(second));
}

TEST_CASE("a variable of a loop's round is checked once a round") {
    Checked f;
    BlockId loop = f.b.newBlock(), after = f.b.newBlock();
    emitBr(f.b, loop);
    f.b.setBlock(loop);
    f.write();
    ValueId first = f.check(), second = f.check();
    emitCondBr(f.b, f.flag, loop, after);
    f.b.setBlock(after);
    emitRet(f.b);
    CHECK_FALSE(f.isRepeated(first));
    CHECK(f.isRepeated(second));
}

TEST_CASE("a check before the variable is written counts for nothing") {
    Checked f;
    f.check();
    f.write();
    ValueId second = f.check(), third = f.check();
    emitRet(f.b);
    CHECK_FALSE(f.isRepeated(second));
    CHECK(f.isRepeated(third));
}
