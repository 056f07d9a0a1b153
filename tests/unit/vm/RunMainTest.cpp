// Whole programs. Each runs in a child process, since a failing program ends its process.
#include "Fixture.h"

#include "vm/Dump.h"
#include "vm/RunMain.h"

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
    ValueId last = b.load(vm.pointer(TypeId::U8), b.offset(b.param(1), 8, vm.pointer(vm.pointer(TypeId::U8))));
    ValueId n = b.cast(Op::Trunc, b.call(length, {last}), TypeId::I32);
    ValueId comptime = b.cast(Op::ZExt, b.emit(Op::IsComptime, TypeId::Bool, {}), TypeId::I32);
    b.ret(b.binary(Op::Add, b.binary(Op::Add, n, b.binary(Op::Mul, b.param(0), b.constInt(TypeId::I32, 10))),
                   b.binary(Op::Mul, comptime, b.constInt(TypeId::I32, 100))));
    Outcome out = run(vm, {"prog", "four"});
    REQUIRE(WIFEXITED(out.status));
    CHECK(WEXITSTATUS(out.status) == 24);
    CHECK(out.errors == "");
}

TEST_CASE("a panic prints its place and the trace in flight, and aborts") {
    Vm vm;
    Builder b = vm.build(mainOf(vm));
    b.emit(Op::TraceRaise, TypeId::Void, {b.traceFrame(vm.span(0)), b.constInt(TypeId::U32, 1)});
    b.panic(PanicKind::Index, vm.span(18), {b.constInt(TypeId::I64, 4), b.constInt(TypeId::I64, 3)});
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
    b.emit(Op::TraceRaise, TypeId::Void, {b.traceFrame(vm.span(11)), b.constInt(TypeId::U32, 1)});
    b.call(report,
           {b.constInt(TypeId::U32, 1), b.globalAddr(name, vm.pointer(TypeId::U8)), b.constInt(TypeId::USize, 3)});
    b.ret(b.constInt(TypeId::I32, 1));
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
        b.ret(b.unary(Op::FSqrt, b.param(0)));
    }
    Builder b = vm.build(mainOf(vm));
    ValueId block = b.call(root, {b.constInt(TypeId::USize, 16)});
    ValueId four = b.cast(Op::FloatToSInt, b.call(half, {b.constFloat(TypeId::F64, 16)}), TypeId::I64);
    b.store(block, four);
    b.store(b.globalAddr(counter, vm.pointer()), b.load(TypeId::I64, block));
    b.ret(b.cast(Op::Trunc, b.load(TypeId::I64, b.globalAddr(counter, vm.pointer())), TypeId::I32));
    Outcome out = run(vm);
    REQUIRE(WIFEXITED(out.status));
    CHECK(WEXITSTATUS(out.status) == 4);
}

TEST_CASE("what keeps a program from being interpreted is said") {
    Vm vm;
    FuncId missing = vm.external("no_such_function_here", {}, TypeId::Void);
    Builder b = vm.build(mainOf(vm));
    b.call(missing, {});
    b.ret(b.constInt(TypeId::I32, 0));
    Outcome out = run(vm);
    REQUIRE(WIFEXITED(out.status));
    CHECK(WEXITSTATUS(out.status) == 1);
    CHECK(out.errors == "error: the C function `no_such_function_here` was not found\n");
}

TEST_CASE("the bytecode dump") {
    Vm vm;
    FuncId f = vm.declare("count", {TypeId::I64}, TypeId::I64);
    Builder b = vm.build(f);
    SlotId i = b.newSlot(TypeId::I64);
    b.store(b.slotAddr(i), b.constInt(TypeId::I64, 0));
    BlockId head = b.newBlock(), body = b.newBlock(), done = b.newBlock();
    b.br(head);
    b.setBlock(head);
    b.condBr(b.icmp(ICmpPred::SLt, b.load(TypeId::I64, b.slotAddr(i)), b.param(0)), body, done);
    b.setBlock(body);
    b.store(b.slotAddr(i), b.binary(Op::Add, b.load(TypeId::I64, b.slotAddr(i)), b.constInt(TypeId::I64, 1)));
    b.br(head);
    b.setBlock(done);
    b.ret(b.load(TypeId::I64, b.slotAddr(i)));
    CHECK(vm::dumpBytecode(vm.module) == "count: 2 words\n"
                                         "  0: LoadImm r1, 0\n"
                                         "  1: JSLe r0, r1, -> 3\n"
                                         "  2: LoopSLt r1, r0, -> 2\n"
                                         "  3: Ret r1\n"
                                         "\n");
}
