// Whole programs. Each runs in a child process, since a failing program ends its process.
#include "Fixture.h"

#include "vm/Dump.h"
#include "vm/RunMain.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "sx/trace.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace sx;
using namespace sx::ir;

namespace {

struct Outcome {
    int status = 0;
    std::string errors;
};

Outcome run(Vm& vm, std::vector<std::string> argv = {"prog"}) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        std::signal(SIGSEGV, SIG_DFL);
        dup2(ends[1], 2);
        auto report = [](const std::string& why) { std::fprintf(stderr, "error: %s\n", why.c_str()); };
        Result<int> code = vm::runMain(vm.module, argv, report);
        if (!code) report(code.error());
        _exit(code ? *code : 1);
    }
    close(ends[1]);
    Outcome out;
    char buffer[512];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) out.errors.append(buffer, static_cast<size_t>(n));
    close(ends[0]);
    waitpid(child, &out.status, 0);
    return out;
}

/// `main(argc, argv)`, made the entry.
FuncId mainOf(Vm& vm) {
    vm.module.entry = vm.declare("main", {TypeId::I32, vm.pointer(vm.pointer(TypeId::U8))}, TypeId::I32);
    return vm.module.entry;
}

} // namespace

TEST_CASE("the entry gets its arguments and gives the exit code") {
    Vm vm;
    FuncId length = vm.external("strlen", {vm.pointer(TypeId::U8)}, TypeId::I64);
    Builder b = vm.build(mainOf(vm));
    ValueId last =
        emitLoad(b, vm.pointer(TypeId::U8), emitOffset(b, b.param(1), 8, vm.pointer(vm.pointer(TypeId::U8))));
    ValueId n = emitCast(b, Op::Trunc, emitCall(b, length, {last}), TypeId::I32);
    ValueId comptime = emitCast(b, Op::ZExt, b.emit(Op::IsComptime, TypeId::Bool, {}), TypeId::I32);
    emitRet(b, emitBinary(b, Op::Add,
                          emitBinary(b, Op::Add, n, emitBinary(b, Op::Mul, b.param(0), constInt(b, TypeId::I32, 10))),
                          emitBinary(b, Op::Mul, comptime, constInt(b, TypeId::I32, 100))));
    Outcome out = run(vm, {"prog", "four"});
    REQUIRE(WIFEXITED(out.status));
    CHECK(WEXITSTATUS(out.status) == 24);
    CHECK(out.errors == "");
}

TEST_CASE("a panic prints its place and the trace in flight, and aborts") {
    Vm vm;
    Builder b = vm.build(mainOf(vm));
    b.emit(Op::TraceRaise, TypeId::Void, {emitTraceFrame(b, vm.span(0)), constInt(b, TypeId::U32, 1)});
    emitPanic(b, PanicKind::Index, vm.span(18), {constInt(b, TypeId::I64, 4), constInt(b, TypeId::I64, 3)});
    Outcome out = run(vm);
    REQUIRE(WIFSIGNALED(out.status));
    CHECK(WTERMSIG(out.status) == SIGABRT);
    CHECK(out.errors == "panic: index 4 out of range for length 3 at test.sx:2:8\n"
                        "error return trace (most recent call last):\n"
                        "  main at test.sx:1:1\n"
                        "    first line\n"
                        "    ^\n");
}

TEST_CASE("the runtime's report of an unhandled error shows interpreted frames") {
    Vm vm;
    FuncId report =
        vm.external("sx_trace_report_unhandled", {TypeId::U32, vm.pointer(TypeId::U8), TypeId::USize}, TypeId::Void);
    GlobalId name = vm.constant("name", "Low", 3);
    Builder b = vm.build(mainOf(vm));
    b.emit(Op::TraceRaise, TypeId::Void, {emitTraceFrame(b, vm.span(11)), constInt(b, TypeId::U32, 1)});
    emitCall(b, report,
             {constInt(b, TypeId::U32, 1), globalAddr(b, name, vm.pointer(TypeId::U8)), constInt(b, TypeId::USize, 3)});
    emitRet(b, constInt(b, TypeId::I32, 1));
    Outcome out = run(vm);
    REQUIRE(WIFEXITED(out.status));
    CHECK(WEXITSTATUS(out.status) == 1);
    CHECK(out.errors == "error: unhandled error reached main: error.Low\n"
                        "error return trace (most recent call last):\n"
                        "  main at test.sx:2:1\n"
                        "    second := line;\n"
                        "    ^\n");
}

TEST_CASE("compile-time limits do not hold") {
    Vm vm;
    FuncId root = vm.external("malloc", {TypeId::USize}, vm.pointer());
    int64_t one = 1;
    GlobalId counter = vm.constant("counter", &one, 8, false);
    FuncId half = vm.declare("half", {TypeId::F64}, TypeId::F64);
    {
        Builder b = vm.build(half);
        emitRet(b, emitUnary(b, Op::FSqrt, b.param(0)));
    }
    Builder b = vm.build(mainOf(vm));
    ValueId block = emitCall(b, root, {constInt(b, TypeId::USize, 16)});
    ValueId four = emitCast(b, Op::FloatToSInt, emitCall(b, half, {constFloat(b, TypeId::F64, 16)}), TypeId::I64);
    emitStore(b, block, four);
    emitStore(b, globalAddr(b, counter, vm.pointer()), emitLoad(b, TypeId::I64, block));
    emitRet(b, emitCast(b, Op::Trunc, emitLoad(b, TypeId::I64, globalAddr(b, counter, vm.pointer())), TypeId::I32));
    Outcome out = run(vm);
    REQUIRE(WIFEXITED(out.status));
    CHECK(WEXITSTATUS(out.status) == 4);
}

TEST_CASE("what keeps a program from being interpreted is said") {
    Vm vm;
    FuncId missing = vm.external("no_such_function_here", {}, TypeId::Void);
    Builder b = vm.build(mainOf(vm));
    emitCall(b, missing, {});
    emitRet(b, constInt(b, TypeId::I32, 0));
    Outcome out = run(vm);
    REQUIRE(WIFEXITED(out.status));
    CHECK(WEXITSTATUS(out.status) == 1);
    CHECK(out.errors == "error: undefined symbol: no_such_function_here\n");
}

TEST_CASE("the bytecode dump") {
    Vm vm;
    FuncId f = vm.declare("count", {TypeId::I64}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId i = b.newSlot(TypeId::I64);
    emitStore(b, slotAddr(b, i), constInt(b, TypeId::I64, 0));
    BlockId head = b.newBlock(), body = b.newBlock(), done = b.newBlock();
    emitBr(b, head);
    b.setBlock(head);
    emitCondBr(b, emitICmp(b, ICmpPred::SLt, emitLoad(b, TypeId::I64, slotAddr(b, i)), b.param(0)), body, done);
    b.setBlock(body);
    emitStore(b, slotAddr(b, i),
              emitBinary(b, Op::Add, emitLoad(b, TypeId::I64, slotAddr(b, i)), constInt(b, TypeId::I64, 1)));
    emitBr(b, head);
    b.setBlock(done);
    emitRet(b, emitLoad(b, TypeId::I64, slotAddr(b, i)));
    CHECK(vm::dumpBytecode(vm.module) == "count: 2 words\n"
                                         "  0: LoadImm r1, 0\n"
                                         "  1: JSLe r0, r1, -> 3\n"
                                         "  2: LoopSLt r1, r0, -> 2\n"
                                         "  3: Ret r1\n"
                                         "\n");
}
