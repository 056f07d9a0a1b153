// What traces add to a program: calls on failing paths, frames, and nothing else.
#include "Program.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

#include <regex>
#include <set>
#include <sstream>

using namespace sx;
using namespace sx::codegen;
using namespace sx::codegen::test;
using ir::BlockId;
using ir::Builder;
using ir::FuncId;
using ir::Op;
using ir::ValueId;

namespace {

constexpr const char* Source = "check :: (p: *i64, n: i64) -> ! {\n"
                               "    if n < 0 raise error.Negative;\n"
                               "    if p.* == 3 raise error.Three;\n"
                               "}\n"
                               "outer :: (p: *i64, n: i64) -> ! {\n"
                               "    try check(p, n);\n"
                               "    retry check(p, n);\n"
                               "}\n";

void raiseAt(Program& p, Builder& b, std::string_view part) {
    b.emit(Op::TraceRaise, TypeId::Void, {emitTraceFrame(b, p.at(part)), constInt(b, TypeId::U32, 1)});
}
void pushAt(Program& p, Builder& b, std::string_view part) {
    b.emit(Op::TracePush, TypeId::Void, {emitTraceFrame(b, p.at(part))});
}

/// Fails with tag 1 for negative `n`, with tag 2 where 3 stands; a leaf function.
FuncId addCheck(Program& p, const char* name = "check") {
    FuncId f = p.function(name, {pointerTo(p.types, TypeId::I64), TypeId::I64}, TypeId::U32);
    p.module.fn(f).isExport = true;
    Builder b(p.module, p.module.fn(f));
    auto failing = [&](ValueId condition, std::string_view part, uint64_t tag) {
        BlockId fail = b.newBlock(true), rest = b.newBlock();
        emitCondBr(b, condition, fail, rest, true);
        b.setBlock(fail);
        raiseAt(p, b, part);
        emitRet(b, constInt(b, TypeId::U32, tag));
        b.setBlock(rest);
    };
    failing(emitICmp(b, ir::ICmpPred::SLt, b.param(1), constInt(b, TypeId::I64, 0)), "raise error.Negative", 1);
    failing(emitICmp(b, ir::ICmpPred::Eq, emitLoad(b, TypeId::I64, b.param(0)), constInt(b, TypeId::I64, 3)),
            "raise error.Three", 2);
    emitRet(b, constInt(b, TypeId::U32, 0));
    return f;
}

/// Calls `check` twice and passes its errors on.
FuncId addOuter(Program& p, FuncId check) {
    FuncId f = p.function("outer", {pointerTo(p.types, TypeId::I64), TypeId::I64}, TypeId::U32);
    p.module.fn(f).isExport = true;
    Builder b(p.module, p.module.fn(f));
    for (std::string_view part : {"try check", "retry check"}) {
        ValueId tag = emitCall(b, check, {b.param(0), b.param(1)});
        BlockId fail = b.newBlock(true), rest = b.newBlock();
        emitCondBr(b, emitICmp(b, ir::ICmpPred::Ne, tag, constInt(b, TypeId::U32, 0)), fail, rest, true);
        b.setBlock(fail);
        pushAt(p, b, part);
        emitRet(b, tag);
        b.setBlock(rest);
    }
    emitRet(b, constInt(b, TypeId::U32, 0));
    return f;
}

/// Sums a * x[i] over the elements that `check` accepts, and drops the errors of the others: many values live
/// in registers, of both kinds, while the failing path runs.
FuncId addSum(Program& p, FuncId check) {
    TypeId f64 = TypeId::F64, i64 = TypeId::I64, ptr = pointerTo(p.types, i64);
    FuncId f = p.function("sum", {ptr, i64, f64}, f64);
    p.module.fn(f).isExport = true;
    Builder b(p.module, p.module.fn(f));
    BlockId head = b.newBlock(), body = b.newBlock(), bad = b.newBlock(true), good = b.newBlock(), next = b.newBlock(),
            done = b.newBlock();
    ValueId i = b.blockParam(head, i64), sum = b.blockParam(head, f64), newSum = b.blockParam(next, f64);
    emitBr(b, head, {constInt(b, i64, 0), constFloat(b, f64, 0)});
    b.setBlock(head);
    emitCondBr(b, emitICmp(b, ir::ICmpPred::SLt, i, b.param(1)), body, done);
    b.setBlock(body);
    ValueId at = emitIndex(b, b.param(0), i, 8, ptr);
    ValueId tag = emitCall(b, check, {at, i});
    emitCondBr(b, emitICmp(b, ir::ICmpPred::Ne, tag, constInt(b, TypeId::U32, 0)), bad, good, true);
    b.setBlock(bad);
    b.emit(Op::TraceAbsorb, TypeId::Void, {});
    emitBr(b, next, {sum});
    b.setBlock(good);
    ValueId scaled = emitBinary(b, Op::FMul, b.param(2), emitCast(b, Op::SIntToFloat, emitLoad(b, i64, at), f64));
    emitBr(b, next, {emitBinary(b, Op::FAdd, sum, scaled)});
    b.setBlock(next);
    emitBr(b, head, {emitBinary(b, Op::Add, i, constInt(b, i64, 1)), newSum});
    b.setBlock(done);
    emitRet(b, sum);
    return f;
}

/// Keeps the trace of a failing call and puts it back: every trace operation there is.
FuncId addKeeper(Program& p, FuncId check) {
    FuncId f = p.function("keeper", {pointerTo(p.types, TypeId::I64), TypeId::I64}, TypeId::U32);
    p.module.fn(f).isExport = true;
    Builder b(p.module, p.module.fn(f));
    ValueId snapshot = slotAddr(b, b.newRawSlot(896, 8));
    ValueId tag = emitCall(b, check, {b.param(0), b.param(1)});
    BlockId fail = b.newBlock(true), resumed = b.newBlock(true), empty = b.newBlock(true), rest = b.newBlock();
    emitCondBr(b, emitICmp(b, ir::ICmpPred::Ne, tag, constInt(b, TypeId::U32, 0)), fail, rest, true);
    b.setBlock(fail);
    b.emit(Op::TraceCapture, TypeId::Void, {snapshot});
    b.emit(Op::TraceAbsorb, TypeId::Void, {});
    emitCondBr(b, b.emit(Op::TraceResume, TypeId::Bool, {snapshot, tag}), resumed, empty);
    b.setBlock(resumed);
    pushAt(p, b, "retry");
    b.emit(Op::TraceLink, TypeId::Void, {}, 2);
    emitRet(b, tag);
    b.setBlock(empty);
    ValueId other = slotAddr(b, b.newRawSlot(896, 8));
    b.emit(Op::TraceCopy, TypeId::Void, {other, snapshot});
    b.emit(Op::TraceFind, TypeId::U32, {other, tag});
    b.emit(Op::TraceForget, TypeId::Void, {other});
    emitRet(b, constInt(b, TypeId::U32, 77));
    b.setBlock(rest);
    emitRet(b, constInt(b, TypeId::U32, 0));
    return f;
}

/// main: calls keeper(&value, n) and prints the trace, then exits with the tag.
void addMain(Program& p, FuncId callee, int64_t value, int64_t n) {
    FuncId print = p.external("sx_trace_print", {TypeId::I32}, TypeId::Void);
    p.main([&](Builder& b) {
        ValueId slot = slotAddr(b, b.newSlot(TypeId::I64));
        emitStore(b, slot, constInt(b, TypeId::I64, static_cast<uint64_t>(value)));
        ValueId tag = emitCall(b, callee, {slot, constInt(b, TypeId::I64, static_cast<uint64_t>(n))});
        emitCall(b, print, {constInt(b, TypeId::I32, 2)});
        emitRet(b, emitCast(b, Op::Reinterpret, tag, TypeId::I32));
    });
}

struct Sample : Program {
    FuncId check, outer, sum, keeper;
    Sample() {
        source(Source);
        check = addCheck(*this);
        outer = addOuter(*this, check);
        sum = addSum(*this, check);
        keeper = addKeeper(*this, check);
    }
};

/// The instructions and labels of assembly text, without those of traces.
std::vector<std::string> instructionsOutsideTraces(const std::string& text) {
    std::vector<std::string> kept;
    std::istringstream in(text);
    bool inTrace = false, inCode = true;
    for (std::string line; std::getline(in, line);) {
        if (line.find("#APP") != std::string::npos) inTrace = true;
        if (line.find("@object") != std::string::npos) inCode = false;
        if (line.find("@function") != std::string::npos) inCode = true;
        bool isDirective = line.starts_with("\t.");
        if (!inTrace && inCode && !isDirective) kept.push_back(line);
        if (line.find("#NO_APP") != std::string::npos) inTrace = false;
    }
    return kept;
}

std::set<std::string> symbolsOf(const std::string& assembly) {
    std::set<std::string> symbols;
    std::regex word("sx[_.][a-z_0-9.]+");
    for (std::sregex_iterator it(assembly.begin(), assembly.end(), word), end; it != end; ++it)
        symbols.insert(it->str());
    return symbols;
}

} // namespace

TEST_CASE("without traces optimised code is the same but for the trace statements") {
    for (int optLevel : {1, 2, 3}) {
        Sample p;
        std::vector<std::string> with = instructionsOutsideTraces(p.assemblyText(level(optLevel, true)));
        std::vector<std::string> without = instructionsOutsideTraces(p.assemblyText(level(optLevel, false)));
        CHECK(with.size() > 50);
        CHECK(with == without);
    }
}

TEST_CASE("trace calls cost the succeeding path nothing: no stack use, no saved register") {
    Sample p;
    std::string text = p.assemblyText(level(2, true));
    std::string check = text.substr(text.find("check:"));
    check = check.substr(0, check.find("#APP"));
    CHECK(check.find("push") == std::string::npos);
    CHECK(check.find("rsp") == std::string::npos);
}

TEST_CASE("without traces a program has no trace call and no frame") {
    Sample p;
    addMain(p, p.keeper, 3, 5);
    CHECK(symbolsOf(p.assemblyText(level(2, false))) == std::set<std::string>{"sx_trace_print"});
    std::string withTraces = p.assemblyText(level(2, true));
    CHECK(withTraces.find("sx.frame") != std::string::npos);
    CHECK(withTraces.find("raise error.Three") != std::string::npos);
    CHECK(p.assemblyText(level(2, false)).find("raise error") == std::string::npos);
    CHECK(p.assemblyText(level(0, false)).find("sx.frame") == std::string::npos);
}

TEST_CASE("a trace shows the frames of the failing path") {
    Sample p;
    addMain(p, p.outer, 3, 5);
    Outcome outcome = p.run();
    CHECK(outcome.exitCode == 2);
    CHECK(outcome.err == "error return trace (most recent call last):\n"
                         "  check at main.sx:3:17\n"
                         "        if p.* == 3 raise error.Three;\n"
                         "                    ^\n"
                         "  outer at main.sx:6:5\n"
                         "        try check(p, n);\n"
                         "        ^\n");
    CHECK(p.runNative(level(2, false)).err == "");
    CHECK(p.runNative(level(2, false)).exitCode == 2);
}

TEST_CASE("a captured trace is resumed") {
    Sample p;
    addMain(p, p.keeper, 0, -1);
    Outcome outcome = p.run();
    CHECK(outcome.exitCode == 1);
    CHECK(outcome.err.find("check at main.sx:2:14\n") != std::string::npos);
    CHECK(outcome.err.find("keeper at main.sx:7:5\n") != std::string::npos);
    // Nothing is captured without traces: resuming says so.
    CHECK(p.runNative(level(2, false)).exitCode == 77);
    CHECK(p.runNative(level(0, false)).exitCode == 77);
}

TEST_CASE("values in registers survive the failing path") {
    Sample p;
    TypeId i64 = TypeId::I64, array = arrayOf(p.types, 6, i64);
    p.main([&](Builder& b) {
        ValueId slot = slotAddr(b, b.newSlot(array));
        for (uint64_t i = 0; i < 6; ++i)
            emitStore(b, emitOffset(b, slot, i * 8, pointerTo(p.types, i64)), constInt(b, i64, i + 1));
        ValueId sum = emitCall(b, p.sum, {slot, constInt(b, i64, 6), constFloat(b, TypeId::F64, 2)});
        emitRet(b, emitCast(b, Op::FloatToSInt, sum, TypeId::I32));
    });
    CHECK(p.run().exitCode == 2 * (1 + 2 + 4 + 5 + 6));
}

TEST_CASE("a long line is cut to a window around the position") {
    auto frameText = [](const std::string& line, std::string_view part) {
        Program p;
        p.source("first\n" + line + "\n");
        FuncId f = p.function("fails", {}, TypeId::U32);
        {
            Builder b(p.module, p.module.fn(f));
            raiseAt(p, b, part);
            emitRet(b, constInt(b, TypeId::U32, 1));
        }
        FuncId print = p.external("sx_trace_print", {TypeId::I32}, TypeId::Void);
        p.main([&](Builder& b) {
            emitCall(b, f, {});
            emitCall(b, print, {constInt(b, TypeId::I32, 2)});
        });
        std::string err = p.run().err;
        std::istringstream lines(err);
        std::string text, caret;
        for (int i = 0; i < 3; ++i) std::getline(lines, text);
        std::getline(lines, caret);
        return std::pair(text, caret);
    };
    std::string dots(150, '.'), dashes(180, '-');
    auto [text, caret] = frameText(dots + "raise error.X;" + dashes, "raise");
    CHECK(text == "    …" + std::string(99, '.') + "raise error.X;" + std::string(85, '-') + "…");
    CHECK(caret == std::string(4 + 100, ' ') + "^");

    std::string wide; // two columns and three bytes each
    for (int i = 0; i < 80; ++i) wide += "語";
    std::tie(text, caret) = frameText(wide + "raise error.X;" + dashes, "raise");
    CHECK(text.find("raise error.X;---") != std::string::npos);
    CHECK(caret == std::string(4 + 100, ' ') + "^");

    std::tie(text, caret) = frameText("    raise error.X;", "raise");
    CHECK(text == "        raise error.X;");
    CHECK(caret == "        ^");
}
