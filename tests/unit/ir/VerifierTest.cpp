// The rules for functions and modules: blocks, branches, dominance, slots, globals.
#include "Verifying.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"

#include "llvm/ADT/STLExtras.h"

using namespace sx;
using namespace sx::ir;

TEST_CASE_METHOD(Verifying, "a function has a body, an extern one has none") {
    module.functions.pop_back();
    Function& none = function("none");
    complains("none: body: there is none");
    none.dead = true;
    isValid();
    none.dead = false;
    none.isExtern = true;
    isValid();
    none.cVariadic = true;
    isValid();
    Builder body(module, none);
    emitRet(body);
    complains("none: body: an extern function has one");
    none.isExtern = false;
    complains("C variadic arguments of a function with a body");
}

TEST_CASE_METHOD(Verifying, "a block ends in its one terminator") {
    complains("f: b0: v3 = param: the block does not end in a terminator");
    emitRet(b);
    isValid();
    BlockId empty = b.newBlock();
    complains("f: b1: no terminator");
    b.setBlock(empty);
    emitRet(b);
    isValid();
    ValueId early = b.emit(Op::Unreachable, TypeId::Void, {});
    fn.blocks.pop_back(); // where the builder put it
    at(fn, empty).instrs.insert(at(fn, empty).instrs.begin(), early);
    complains("unreachable: a terminator before the end of its block");
}

TEST_CASE_METHOD(Verifying, "the entry has neither parameters nor predecessors") {
    BlockId next = b.newBlock();
    emitBr(b, next);
    b.setBlock(next);
    emitBr(b, BlockId{0});
    complains("f: b1: v5 = br: branches to the entry");
    b.blockParam(BlockId{0}, TypeId::I64);
    complains("f: b0: the entry has parameters");
}

TEST_CASE_METHOD(Verifying, "param belongs into the entry") {
    BlockId next = b.newBlock();
    emitBr(b, next);
    b.setBlock(next);
    b.emit(Op::Param, TypeId::I64, {}, 0);
    emitRet(b);
    complains("f: b1: v5 = param: outside the entry block");
}

TEST_CASE_METHOD(Verifying, "block parameters are listed, numbered and in front") {
    BlockId next = b.newBlock();
    ValueId p = b.blockParam(next, TypeId::I64);
    emitBr(b, next, {n});
    b.setBlock(next);
    emitRet(b);
    isValid();

    at(fn, p).imm = 3;
    complains("block_param: numbered 3, is parameter 0");
    at(fn, p).imm = 0;
    std::swap(at(fn, next).instrs[0], at(fn, next).instrs[1]);
    complains("block_param: does not stand at the head of its block");
    std::swap(at(fn, next).instrs[0], at(fn, next).instrs[1]);
    at(fn, next).params.clear();
    complains("block_param: not a parameter of its block");
    at(fn, next).params = {n};
    complains("f: b1: parameter 0 is no block_param");
    at(fn, next).params = {p};
    at(fn, p).type = TypeId::String;
    complains("block_param: the result is string, not a scalar");
}

TEST_CASE_METHOD(Verifying, "arguments fit the parameters of their block") {
    BlockId next = b.newBlock();
    b.blockParam(next, TypeId::I64);
    b.blockParam(next, pointer());
    emitBr(b, next, {n, nullOf(b, TypeId::CString)});
    b.setBlock(next);
    emitRet(b);
    Instr& branch = last(BlockId{0});
    isValid();
    Target& target = fn.targets[branch.targetStart];
    target.argCount = 1;
    complains("br: passes 1 arguments to b1, which takes 2");
    target.argCount = 2;
    fn.operands[target.argStart] = d;
    complains("br: argument 0 of b1 is f64, not i64");
    fn.operands[target.argStart] = n;
    fn.operands[target.argStart + 1] = n;
    complains("br: argument 1 of b1 is i64, not *i64");
}

TEST_CASE_METHOD(Verifying, "branches have the targets of their kind") {
    BlockId next = b.newBlock();
    emitCondBr(b, flag, next, next);
    b.setBlock(next);
    emitRet(b);
    Instr& branch = last(BlockId{0});
    isValid();
    branch.targetCount = 1;
    complains("cond_br: has 1 targets");
    branch.targetCount = 2;
    fn.operands[branch.operandStart] = n;
    complains("cond_br: operand 0 is i64, not a bool");
    fn.operands[branch.operandStart] = flag;
    last().targetCount = 1;
    last().targetStart = 0;
    complains("ret: has 1 targets");
    last().targetCount = 0;
    at(fn, n).targetCount = 1;
    complains("param: has targets");
}

TEST_CASE_METHOD(Verifying, "cases are distinct, fit the value, and have a target each") {
    BlockId next = b.newBlock();
    ValueId byte = emitCast(b, Op::Trunc, n, TypeId::I8);
    emitSwitch(b, byte, next, {{1, next}, {2, next}});
    b.setBlock(next);
    emitRet(b);
    Instr& branch = last(BlockId{0});
    isValid();
    std::vector<uint64_t>& values = fn.switches[0].values;
    values = {1, 1};
    complains("switch: case 1 stands twice");
    values = {1, 256};
    complains("switch: case 256 does not fit the value");
    values = {1};
    complains("switch: has 1 cases and 3 targets");
    values = {1, 2};
    fn.operands[branch.operandStart] = d;
    complains("switch: operand 0 is f64, not an integer");
    fn.operands[branch.operandStart] = byte;
    branch.imm = 5;
    complains("switch: there is no list of cases 5");
}

TEST_CASE_METHOD(Verifying, "a return fits the result") {
    emitRet(b);
    Instr& ret = last();
    isValid();
    fn.result = TypeId::I64;
    complains("ret: takes 1 operands, has 0");
    ret.operandStart = static_cast<uint32_t>(fn.operands.size());
    ret.operandCount = 1;
    fn.operands.push_back(n);
    isValid();
    fn.result = TypeId::USize;
    isValid();
    fn.result = TypeId::F64;
    complains("ret: operand 0 is i64, not f64");
    fn.result = TypeId::String;
    complains("ret: operand 0 is i64, not a pointer");
    fn.operands.back() = text;
    isValid();
    fn.result = TypeId::Void;
    complains("ret: takes 0 operands, has 1");
    fn.result = TypeId::NoReturn;
    complains("ret: the function does not return");
    fn.result = TypeId::String;
    fn.noReturn = true;
    complains("ret: the function does not return");
}

TEST_CASE_METHOD(Verifying, "panics take the operands of their kind") {
    emitPanic(b, PanicKind::Index, {}, {n, n});
    isValid();
    last().imm = static_cast<uint64_t>(PanicKind::SliceBounds);
    complains("panic: takes 3 operands, has 2");
    last().imm = static_cast<uint64_t>(PanicKind::DivisionByZero);
    complains("panic: takes 0 operands, has 2");
    last().imm = 77;
    complains("panic: panic 77 does not exist");
    last().imm = static_cast<uint64_t>(PanicKind::Index);
    fn.operands[last().operandStart] = d;
    complains("panic: operand 0 is f64, not an integer of 64 bits");
}

TEST_CASE_METHOD(Verifying, "a definition dominates its uses") {
    BlockId yes = b.newBlock(), no = b.newBlock(), join = b.newBlock();
    emitCondBr(b, flag, yes, no);
    b.setBlock(yes);
    ValueId sum = emitBinary(b, Op::Add, n, n);
    ValueId more = emitBinary(b, Op::Add, sum, n);
    emitBr(b, join);
    b.setBlock(no);
    emitBr(b, join);
    b.setBlock(join);
    ValueId use = emitBinary(b, Op::Add, n, n);
    emitRet(b);
    isValid();

    fn.operands[at(fn, use).operandStart] = sum; // defined on one of two ways here
    complains("f: b3: v9 = add: v5 does not dominate its use");
    fn.operands[at(fn, use).operandStart] = n;
    fn.operands[at(fn, sum).operandStart] = more; // defined later in the block
    complains("f: b1: v5 = add: v6 does not dominate its use");
    fn.operands[at(fn, sum).operandStart] = sum; // by itself
    complains("f: b1: v5 = add: v5 does not dominate its use");
}

TEST_CASE_METHOD(Verifying, "an argument of a branch is a use") {
    BlockId loop = b.newBlock(), done = b.newBlock();
    ValueId i = b.blockParam(loop, TypeId::I64);
    emitBr(b, loop, {n});
    Instr first = last();
    b.setBlock(loop);
    ValueId next = emitBinary(b, Op::Add, i, n);
    emitCondBr(b, flag, loop, {next}, done, {});
    b.setBlock(done);
    emitRet(b);
    isValid(); // the value of the round before comes back as an argument
    fn.operands[fn.targets[first.targetStart].argStart] = next;
    complains("br: v6 does not dominate its use");
}

TEST_CASE_METHOD(Verifying, "unreachable blocks are accepted") {
    emitRet(b);
    ValueId v = emitBinary(b, Op::Add, n, n);
    BlockId other = b.newBlock();
    emitBr(b, other);
    b.setBlock(other);
    emitBinary(b, Op::Add, v, v);
    emitUnreachable(b);
    isValid();
}

TEST_CASE_METHOD(Verifying, "a live block does not use what an unreachable one defines") {
    ValueId use = emitBinary(b, Op::Add, n, n);
    emitRet(b);
    ValueId dead = emitBinary(b, Op::Add, n, n);
    emitUnreachable(b);
    fn.operands[at(fn, use).operandStart] = dead;
    complains("does not dominate its use");
}

TEST_CASE_METHOD(Verifying, "operands have a value and a place") {
    emitStore(b, text, n);
    ValueId store = at(fn, b.block()).instrs.back();
    ValueId use = emitBinary(b, Op::Add, n, n);
    emitRet(b);
    fn.operands[at(fn, use).operandStart] = store;
    complains("add: v4 has no value");
    fn.operands[at(fn, use).operandStart] = ValueId{1000};
    complains("add: operand v1000 does not exist");
    fn.operands[at(fn, use).operandStart] = ValueId::None;
    complains("add: operand v? does not exist");
    fn.operands[at(fn, use).operandStart] = n;
    isValid();
    llvm::erase(at(fn, b.block()).instrs, n);
    complains("add: v0 stands in no block");
    at(fn, b.block()).instrs.insert(at(fn, b.block()).instrs.begin(), {n, n});
    complains("param: stands in a block already");
}

TEST_CASE_METHOD(Verifying, "numbers are in range") {
    BlockId next = b.newBlock();
    emitBr(b, next, {});
    b.setBlock(next);
    emitRet(b);
    Instr& branch = last(BlockId{0});
    isValid();
    Target& target = fn.targets[branch.targetStart];
    target.block = BlockId{9};
    complains("br: target b9 does not exist");
    target = {next, 1000, 1};
    complains("br: arguments out of range");
    target = {next, 0, 0};
    branch.targetStart = 1000;
    complains("br: targets out of range");
    branch.targetStart = 0;
    branch.operandCount = 1000;
    complains("br: operands out of range");
    branch.operandCount = 0;
    branch.scope = 4;
    complains("br: there is no scope 4");
    branch.scope = 0;
    branch.type = TypeId{99999};
    complains("f: v4: the type does not exist");
    branch.type = TypeId::Void;
    at(fn, next).instrs.insert(at(fn, next).instrs.begin(), ValueId{1000});
    complains("f: b1: instruction v1000 does not exist");
}

TEST_CASE_METHOD(Verifying, "slots") {
    b.newSlot(TypeId::String);
    b.newRawSlot(100, 8);
    emitRet(b);
    isValid();
    Slot good = fn.slots[0];
    auto damaged = [&](auto damage, const char* expected) {
        fn.slots[0] = good;
        damage(fn.slots[0]);
        complains(std::string("f: slot s0: ") + expected);
    };
    damaged([](Slot& s) { s.size = 8; }, "smaller than its type");
    damaged([](Slot& s) { s.align = 3; }, "the alignment is not a power of two");
    damaged([](Slot& s) { s.align = 0; }, "the alignment is not a power of two");
    damaged([](Slot& s) { s.scope = 7; }, "there is no scope 7");
    damaged([](Slot& s) { s.paramIndex = 4; }, "there is no parameter 4");
    damaged([&](Slot& s) { s.type = types.newStruct("Later"); }, "the type has no size");
    damaged([](Slot& s) { s.type = TypeId{99999}; }, "the type has no size");
}

TEST_CASE_METHOD(Verifying, "scopes come after their parents") {
    b.pushScope({});
    b.popScope();
    emitRet(b);
    isValid();
    fn.scopes[1].parent = 1;
    complains("f: scope 1: does not come after its parent");
    fn.scopes.clear();
    complains("f: scopes: the body has none");
}

TEST_CASE_METHOD(Verifying, "globals") {
    emitRet(b);
    GlobalId id = global("g", 16);
    Global good = module.global(id);
    isValid();
    auto damaged = [&](auto damage, const char* expected) {
        module.global(id) = good;
        damage(module.global(id));
        complains(std::string("module: global g: ") + expected);
    };
    auto reloc = [](Global& g, Reloc::Kind kind, uint64_t offset, uint32_t target) {
        g.init.relocs.push_back({kind, offset, target, 0});
    };
    damaged([](Global& g) { g.align = 12; }, "the alignment is not a power of two");
    damaged([](Global& g) { g.init.bytes.resize(24); }, "has 24 bytes of data");
    damaged([](Global& g) { g.init.bytes.resize(16), g.isExtern = true; }, "an extern global has data");
    damaged([&](Global& g) { g.type = arrayOf(types, 3, TypeId::I64); }, "smaller than its type");
    damaged([&](Global& g) { reloc(g, Reloc::Kind::Global, 9, 0); }, "address at 9 is outside the data");
    damaged([&](Global& g) { reloc(g, Reloc::Kind::Global, UINT64_MAX, 0); },
            "address at 18446744073709551615 is outside the data");
    damaged([&](Global& g) { reloc(g, Reloc::Kind::Global, 8, 1); }, "address at 8 names nothing");
    damaged([&](Global& g) { reloc(g, Reloc::Kind::Function, 8, 1); }, "address at 8 names nothing");
    damaged([&](Global& g) { reloc(g, Reloc::Kind::TypeHandle, 8, 99999); }, "address at 8 names nothing");
    module.global(id) = good;
    reloc(module.global(id), Reloc::Kind::Function, 8, 0);
    isValid();
}

TEST_CASE_METHOD(Verifying, "symbols are there and unique; the entry exists") {
    emitRet(b);
    FuncId other = declare("f"), another = declare("g");
    module.fn(other).isExtern = module.fn(another).isExtern = true;
    isValid(); // C functions may be declared as often as one likes
    module.fn(another).symbol = "f";
    isValid();
    module.fn(another).symbol = "g";
    module.fn(other).symbol = "";
    complains("module: function f: no symbol");
    module.fn(other).symbol = "other";
    isValid();
    global("other");
    isValid();
    module.globals.clear();
    global("f");
    complains("module: function f: the symbol f is taken");
    module.globals.clear();
    global("x");
    global("x");
    complains("the symbol x is taken");
    module.globals.clear();
    module.entry = FuncId{5};
    complains("module: entry: the function does not exist");
}

TEST_CASE_METHOD(Verifying, "marks stand at instructions of the function") {
    fn.statements.push_back({ValueId{1000}, {1}});
    complains("f: statement 0: begins nowhere");
    fn.statements.clear();
    fn.errorEvents.push_back({ValueId::None, ErrorEventKind::Raise, ValueId::None});
    complains("f: error event 0: happens nowhere");
}
