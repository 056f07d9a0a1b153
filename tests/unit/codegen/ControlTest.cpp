// Branches, block parameters, switches, memory and panics.
#include "Program.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::codegen;
using namespace sx::codegen::test;
using ir::BlockId;
using ir::Builder;
using ir::FuncId;
using ir::Op;
using ir::ValueId;

TEST_CASE("a branch may reach one block twice with different arguments") {
    Program p;
    TypeId i32 = TypeId::I32;
    FuncId choose = p.function("choose", {TypeId::Bool}, i32);
    {
        Builder b(p.module, p.module.fn(choose));
        BlockId join = b.newBlock();
        ValueId v = b.blockParam(join, i32);
        emitCondBr(b, b.param(0), join, {constInt(b, i32, 3)}, join, {constInt(b, i32, 4)});
        b.setBlock(join);
        emitRet(b, v);
    }
    p.main([&](Builder& b) {
        ValueId a = emitCall(b, choose, {constBool(b, true)}), c = emitCall(b, choose, {constBool(b, false)});
        emitRet(b, emitBinary(b, Op::Add, emitBinary(b, Op::Mul, a, constInt(b, i32, 10)), c));
    });
    CHECK(p.run().exitCode == 34);
}

TEST_CASE("loops carry values in block parameters") {
    Program p;
    TypeId i64 = TypeId::I64;
    p.main([&](Builder& b) {
        // 1 + 2 + … + 10; the two values also swap places once a round.
        BlockId loop = b.newBlock(), done = b.newBlock();
        ValueId i = b.blockParam(loop, i64), sum = b.blockParam(loop, i64), x = b.blockParam(loop, i64),
                y = b.blockParam(loop, i64);
        ValueId result = b.blockParam(done, i64), last = b.blockParam(done, i64);
        emitBr(b, loop, {constInt(b, i64, 10), constInt(b, i64, 0), constInt(b, i64, 7), constInt(b, i64, 9)});
        b.setBlock(loop);
        ValueId next = emitBinary(b, Op::Add, sum, i), rest = emitBinary(b, Op::Sub, i, constInt(b, i64, 1));
        emitCondBr(b, emitICmp(b, ir::ICmpPred::SGt, rest, constInt(b, i64, 0)), loop, {rest, next, y, x}, done,
                   {next, x});
        b.setBlock(done);
        emitRet(b, emitCast(b, Op::Trunc, emitBinary(b, Op::Add, result, last), TypeId::I32));
    });
    CHECK(p.run().exitCode == 55 + 9);
}

TEST_CASE("switches over integers and bools") {
    Program p;
    TypeId i8 = TypeId::I8, i32 = TypeId::I32;
    auto addSwitch = [&](const char* name, TypeId subject, std::vector<std::pair<uint64_t, uint64_t>> cases,
                         uint64_t otherwise) {
        FuncId f = p.function(name, {subject}, i32);
        Builder b(p.module, p.module.fn(f));
        std::vector<std::pair<uint64_t, BlockId>> targets;
        for (auto [value, result] : cases) targets.push_back({value, b.newBlock()});
        BlockId other = b.newBlock();
        emitSwitch(b, b.param(0), other, targets);
        for (size_t i = 0; i < cases.size(); ++i) {
            b.setBlock(targets[i].second);
            emitRet(b, constInt(b, i32, cases[i].second));
        }
        b.setBlock(other);
        emitRet(b, constInt(b, i32, otherwise));
        return f;
    };
    FuncId byte = addSwitch("byte", i8, {{0, 1}, {0xFF, 2}, {100, 4}}, 8),
           flag = addSwitch("flag", TypeId::Bool, {{1, 16}}, 32);
    p.main([&](Builder& b) {
        ValueId sum = constInt(b, i32, 0);
        for (uint64_t v : {uint64_t{0}, ~uint64_t{0}, uint64_t{100}, uint64_t{7}})
            sum = emitBinary(b, Op::Add, sum, emitCall(b, byte, {constInt(b, i8, v)}));
        for (bool v : {false, true}) sum = emitBinary(b, Op::Add, sum, emitCall(b, flag, {constBool(b, v)}));
        emitRet(b, sum);
    });
    CHECK(p.run().exitCode == 63);
}

TEST_CASE("copies, comparisons of memory, select and indexing") {
    Program p;
    TypeId i64 = TypeId::I64, array = arrayOf(p.types, 8, i64), ptr = pointerTo(p.types, i64);
    p.main([&](Builder& b) {
        ValueId a = slotAddr(b, b.newSlot(array)), c = slotAddr(b, b.newSlot(array));
        emitZero(b, a, array);
        for (uint64_t i = 0; i < 8; ++i)
            emitStore(b, emitIndex(b, a, constInt(b, i64, i), 8, ptr), constInt(b, i64, i));
        emitCopy(b, c, a, array);
        ValueId same = emitMemEq(b, a, c, constInt(b, i64, 64));
        emitCopyN(b, emitOffset(b, c, 8, ptr), c, constInt(b, i64, 56)); // overlaps: 0 0 1 2 3 4 5 6
        ValueId differs = emitNot(b, emitMemEq(b, a, c, constInt(b, i64, 64)));
        ValueId last = emitLoad(b, i64, emitIndex(b, c, constInt(b, i64, 7), 8, ptr));
        ValueId ok = emitSelect(b, same, emitSelect(b, differs, last, constInt(b, i64, 100)), constInt(b, i64, 101));
        emitRet(b, emitCast(b, Op::Trunc, ok, TypeId::I32));
    });
    CHECK(p.run().exitCode == 6);
}

TEST_CASE("panics name what happened and where, and abort") {
    struct Case {
        ir::PanicKind kind;
        std::vector<uint64_t> operands;
        const char* text;
    };
    for (const Case& c : {Case{ir::PanicKind::NullUnwrap, {}, "unwrapped a null optional"},
                          {ir::PanicKind::Index, {uint64_t(-1), 5}, "index -1 out of range for length 5"},
                          {ir::PanicKind::SliceBounds, {4, 2, 9}, "slice 4..2 out of range for length 9"},
                          {ir::PanicKind::DivisionByZero, {}, "division by zero"},
                          {ir::PanicKind::DivisionOverflow, {}, "integer overflow in division"},
                          {ir::PanicKind::Unreachable, {}, "reached unreachable code"}}) {
        INFO(c.text);
        Program p;
        p.source("first line\n    here it is\n", "lib/part.sx");
        FuncId fail = p.function("fail", {}, TypeId::Void);
        {
            Builder b(p.module, p.module.fn(fail));
            std::vector<ValueId> operands;
            for (uint64_t v : c.operands) operands.push_back(constInt(b, TypeId::I64, v));
            emitPanic(b, c.kind, p.at("here"), operands);
        }
        p.main([&](Builder& b) { emitCall(b, fail, {}); });
        Outcome outcome = p.run();
        CHECK(outcome.exitCode == 134);
        CHECK(outcome.err == std::string("panic: ") + c.text + " at lib/part.sx:2:5\n");
        std::string text = p.assemblyText(level(2, false));
        CHECK(text.find("sx.frame") == std::string::npos);
        CHECK(text.find("sx.position") != std::string::npos);
    }
}

TEST_CASE("an executable is written whole or not at all") {
    Program p;
    p.main([](Builder& b) { emitRet(b, constInt(b, TypeId::I32, 5)); });
    Result<ObjectFile> object = emitObject(p.module, {});
    REQUIRE(object);
    LinkOptions link;
    auto problem = [&] {
        Result<void> linked = linkExecutable({*object}, link);
        return linked ? "" : linked.error();
    };
    link.output = scratch("whole");
    REQUIRE(problem() == "");
    link.extraFlags = {"-Wl,--no-such-flag"};
    CHECK(problem().find("unknown argument '--no-such-flag'") == 0);
    CHECK(runFile(link.output).exitCode == 5); // the former one is still there
    link.output = "/no/such/folder/program";
    link.extraFlags.clear();
    CHECK(problem().find("/no/such/folder/program") != std::string::npos);
    link.output = scratch(".");
    CHECK(problem().find("is a directory") != std::string::npos);

    link.output = scratch("by-command");
    link.linkerCommand = "cc";
    REQUIRE(problem() == "");
    CHECK(runFile(link.output).exitCode == 5);
    link.linkerCommand = "no-such-linker";
    CHECK(problem() == "cannot find the program `no-such-linker`");
}

TEST_CASE("an unknown CPU is an error") {
    Program p;
    p.main([](Builder&) {});
    Options options;
    options.cpu = "abacus";
    Result<ObjectFile> object = emitObject(p.module, options);
    REQUIRE_FALSE(object);
    CHECK(object.error() == "unknown CPU 'abacus'");
    options.cpu = "native";
    CHECK(p.runJit(options).exitCode == 0);
}
