// The interpreter under a debugger: where it stops, what is seen there, and how it goes on.
#include "vm/debug/Debugger.h"
#include "../CheckedProgram.h"
#include "ir/Passes.h"
#include "vm/RunMain.h"
#include "vm/Thread.h"
#include "vm/code/Disassemble.h"

#include "sx/trace.h"

#include <catch2/catch.hpp>

#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sx;
using test::CheckedProgram;
using test::ProgramText;
using vm::DebugFrame;
using vm::Debugger;
using vm::Stop;

namespace {

constexpr std::chrono::seconds Patience{60};

/// What this process has used: other work on the machine does not count.
std::chrono::nanoseconds timeUsed() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// A program under a debugger, on a thread of its own; the test gives the orders. Lines count from 2.
class Session {
public:
    explicit Session(const std::string& text)
        : text_(text), program(text_.path),
          debugger({[this](const Stop& s) { told(s); }, nullptr, [this](int id) { ended(id); }, {}, {}}) {
        for (const Diagnostic& d : program.diags.all()) UNSCOPED_INFO(d.message);
        REQUIRE(program.ok);
        debugger.isUserCode = [this](ir::FuncId f) {
            const ir::Function& fn = program.module.fn(f);
            return fn.span.isValid() && program.sources.path(program.sources.fileOf(fn.span.begin)) == text_.path;
        };
    }
    ~Session() {
        for (int i = 0; i < 100 && !isOver_; ++i) {
            for (auto kind : {ir::ErrorEventKind::Raise, ir::ErrorEventKind::Propagate, ir::ErrorEventKind::Absorb,
                              ir::ErrorEventKind::Unhandled})
                debugger.setErrorFilter(kind, {});
            for (int id = 1; id < 20; ++id) debugger.removeBreakpoint(id);
            debugger.resume();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        if (runner_.joinable()) runner_.join();
    }

    void start() {
        runner_ = std::thread([this] {
            result = vm::runMain(program.module, {"test"}, nullptr, {}, &debugger);
            isOver_ = true;
        });
    }

    bool isOver() const { return isOver_; }

    /// Waits for the next stop.
    Stop next() {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, Patience, [&] { return !stops_.empty(); })) {
            FAIL_CHECK("the program does not stop");
            return {};
        }
        Stop s = stops_.front();
        stops_.pop_front();
        return s;
    }

    ir::FuncId function(const std::string& name) {
        for (size_t i = 0; i < program.module.functions.size(); ++i)
            if (const ir::Function& fn = *program.module.functions[i];
                fn.name == name && !fn.blocks.empty() && !fn.compilerMade)
                return ir::FuncId(i);
        FAIL("there is no function " + name);
        return ir::FuncId::None;
    }
    uint32_t statementAt(ir::FuncId f, uint32_t line) {
        llvm::ArrayRef<ir::Statement> all = program.module.fn(f).statements;
        for (uint32_t s = 0; s < all.size(); ++s)
            if (all[s].breakable && program.sources.resolve(all[s].begin).line == line) return s;
        FAIL("there is no statement in line " << line);
        return 0;
    }
    void breakAt(int id, const std::string& name, uint32_t line, vm::BreakpointOptions options = {}) {
        ir::FuncId f = function(name);
        debugger.setBreakpoint(id, f, statementAt(f, line), std::move(options));
    }

    std::string describe(const DebugFrame& f) {
        if (f.isForeign) return "C " + f.foreignName;
        if (f.func == ir::FuncId::None) return "?";
        const ir::Function& fn = program.module.fn(f.func);
        SourcePos at = f.statement != DebugFrame::NoStatement ? fn.statements[f.statement].begin : f.span.begin;
        return fn.name + ":" + (at.isValid() ? std::to_string(program.sources.resolve(at).line) : "-");
    }
    /// `function:line` of the innermost frame of the thread.
    std::string where(vm::DebugThreadId thread = 1) {
        std::vector<DebugFrame> f = debugger.frames(thread, 0, 1);
        return f.empty() ? "nowhere" : describe(f[0]);
    }
    std::string stack(vm::DebugThreadId thread = 1) {
        std::string out;
        for (const DebugFrame& f : debugger.frames(thread, 0, 100)) out += (out.empty() ? "" : " ") + describe(f);
        return out;
    }
    /// The variable of this name in a frame: the 8 bytes of its storage.
    uint64_t* variable(const std::string& name, size_t frame = 0, vm::DebugThreadId thread = 1) {
        std::vector<DebugFrame> f = debugger.frames(thread, frame, 1);
        if (f.empty() || !f[0].code) return nullptr;
        const ir::Function& fn = program.module.fn(f[0].func);
        for (size_t s = 0; s < fn.slots.size(); ++s)
            if (fn.slots[s].isVariable && program.types.names().text(fn.slots[s].name) == name) {
                vm::SlotLocation at = vm::slotLocation(f[0], ir::SlotId(s));
                return at.isRegister ? at.word : reinterpret_cast<uint64_t*>(at.address);
            }
        return nullptr;
    }
    int64_t value(const std::string& name, size_t frame = 0, vm::DebugThreadId thread = 1) {
        uint64_t* at = variable(name, frame, thread);
        return at ? static_cast<int64_t>(*at) : -999;
    }

    /// Steps, and says where that led.
    std::string step(Debugger::Step kind, vm::StepOptions options = {}, vm::DebugThreadId thread = 1) {
        Result<void> begun = debugger.step(thread, kind, options);
        if (!begun) return begun.error();
        Stop s = next();
        if (s.reason == Stop::Reason::Exit) return "exit";
        if (s.reason != Stop::Reason::Step) return "no step";
        return where(s.thread);
    }
    std::string over() { return step(Debugger::Step::Over); }
    std::string into() { return step(Debugger::Step::Into); }
    std::string out() { return step(Debugger::Step::Out); }

    ProgramText text_;
    CheckedProgram program;
    Debugger debugger;
    Result<int> result{0};
    std::vector<int> watchesEnded;

    void told(const Stop& s) {
        std::scoped_lock lock(mutex_);
        stops_.push_back(s);
        changed_.notify_all();
    }
    void ended(int id) {
        std::scoped_lock lock(mutex_);
        watchesEnded.push_back(id);
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Stop> stops_;
    std::atomic<bool> isOver_{false};
    std::thread runner_;
};

using Reason = Stop::Reason;

} // namespace

TEST_CASE("a breakpoint stops before its statement, and variables are what they are there") {
    Session s("main :: () -> i64 {\n    x := 1;\n    y := x + 1;\n    x = y * 10;\n    return x;\n}\n");
    s.breakAt(1, "main", 5);
    s.start();
    Stop stop = s.next();
    CHECK(stop.reason == Reason::Breakpoint);
    CHECK(stop.breakpoints == std::vector<int>{1});
    CHECK(stop.thread == 1);
    CHECK(s.stack() == "main:5 main:2");
    CHECK(s.value("x") == 1);
    CHECK(s.value("y") == 2);
    *s.variable("y") = 4;
    CHECK(s.over() == "main:6");
    CHECK(s.value("x") == 40);
    s.debugger.resume();
    CHECK(s.next().reason == Reason::Exit);
}

TEST_CASE("breakpoints of loops, with conditions and counts, set and removed on the way") {
    Session s(
        "main :: () -> i64 {\n    sum := 0;\n    for 0..10 (i) {\n        sum += i;\n    }\n    return sum;\n}\n");
    int asked = 0;
    vm::BreakpointOptions odd;
    odd.predicate = [&](vm::Thread&, const DebugFrame& f) {
        ++asked;
        return f.atStatement && asked % 2 == 0;
    };
    odd.hits = {vm::HitCount::Rule::EachMultiple, 2};
    s.breakAt(1, "main", 5, odd);
    s.breakAt(2, "main", 7);
    s.start();
    CHECK(s.next().breakpoints == std::vector<int>{1});
    CHECK(s.value("i") == 3);
    s.debugger.resume();
    CHECK(s.next().breakpoints == std::vector<int>{1});
    CHECK(s.value("i") == 7);
    s.debugger.removeBreakpoint(1);
    s.debugger.resume();
    CHECK(s.next().breakpoints == std::vector<int>{2});
    CHECK(asked == 8);
    CHECK(s.value("sum") == 45);
}

TEST_CASE("steps follow statements, into calls and out of them") {
    Session s(
        "twice :: (n: i64) -> i64 {\n    m := n * 2;\n    return m;\n}\n"
        "main :: () {\n    x := twice(1) + twice(2);\n    print(\"{}\\n\", x);\n    defer print(\"end\\n\");\n    x = "
        "twice(x);\n}\n");
    s.debugger.stopAtEntry(s.function("main"));
    s.start();
    CHECK(s.next().reason == Reason::Entry);
    CHECK(s.where() == "main:7");
    CHECK(s.into() == "twice:3");
    CHECK(s.over() == "twice:4");
    CHECK(s.over() == "main:7"); // within the statement: the second call comes
    std::optional<vm::StepResult> result = vm::stepResult(s.debugger, 1);
    REQUIRE(result);
    CHECK(result->word == 2);
    CHECK(result->func == s.function("twice"));
    CHECK(s.into() == "twice:3");
    CHECK(s.out() == "main:7");
    CHECK(vm::stepResult(s.debugger, 1)->word == 4);
    CHECK(s.over() == "main:8");
    CHECK(s.into() == "main:10"); // through the library
    CHECK(s.over() == "main:11");
    CHECK(s.over() == "main:9");
    CHECK(s.over() == "exit");
}

TEST_CASE("a step over a recursive call stays in its frame") {
    Session s(
        "sum :: (n: i64) -> i64 {\n    if n == 0 { return 0; }\n    rest := sum(n - 1);\n    return n + rest;\n}\n"
        "main :: () -> i64 {\n    return sum(50);\n}\n");
    vm::BreakpointOptions third;
    third.hits = {vm::HitCount::Rule::Equal, 3};
    s.breakAt(1, "sum", 4, third);
    s.start();
    s.next();
    CHECK(s.value("n") == 48);
    CHECK(s.over() == "sum:5");
    CHECK(s.value("n") == 48);
    CHECK(s.value("rest") == 47 * 48 / 2);
    CHECK(s.out() == "sum:4");
    CHECK(s.value("n") == 49);
    CHECK(vm::stepResult(s.debugger, 1)->word == 48 * 49 / 2);
}

TEST_CASE("a step over a long recursion runs nearly at full speed") {
    Session s("fib :: (n: i64) -> i64 {\n    if n < 2 {\n        return n;\n    }\n    x := fib(n - 1) + fib(n - 2);\n"
              "    return x;\n}\nmain :: () -> i64 {\n    return fib(25) % 100;\n}\n");
    s.breakAt(1, "fib", 6);
    s.start();
    s.next();
    s.debugger.removeBreakpoint(1);
    auto start = timeUsed();
    CHECK(s.over() == "fib:7");
    CHECK(s.value("x") == 75025);
    CHECK(timeUsed() - start < std::chrono::milliseconds(300)); // five times 60 ms
}

TEST_CASE("a step goes by lines or instructions, and into the call that is chosen") {
    Session s("one :: (n: i64) -> i64 { return n; }\nmain :: () -> i64 {\n    a := 1; b := 2;\n"
              "    c := one(a) + one(b);\n    return c;\n}\n");
    s.breakAt(1, "main", 4);
    s.start();
    s.next();
    vm::StepOptions line;
    line.granularity = vm::StepOptions::Granularity::Line;
    CHECK(s.step(Debugger::Step::Over, line) == "main:5");
    std::vector<vm::CallSite> calls = callsOfFunction(s.debugger, 1);
    REQUIRE(calls.size() == 2);
    CHECK(calls[1].callee == s.function("one"));
    vm::StepOptions second;
    second.call = calls[1].index;
    CHECK(s.step(Debugger::Step::Into, second) == "one:2");
    CHECK(s.value("n") == 2);
    uint32_t before = s.debugger.frames(1, 0, 1)[0].index;
    vm::StepOptions instruction;
    instruction.granularity = vm::StepOptions::Granularity::Instruction;
    s.step(Debugger::Step::Over, instruction);
    CHECK(s.debugger.frames(1, 0, 1)[0].index > before);
}

TEST_CASE("steps go through a C function that calls back") {
    Session s("compare :: (a: *void, b: *void) -> i32 abi(.c) {\n    x : *i64 = xx a;\n    y : *i64 = xx b;\n"
              "    return xx (x.* - y.*);\n}\n"
              "sort :: (base: *void, n: usize, size: usize, cmp: (*void, *void) -> i32 abi(.c)) extern \"qsort\";\n"
              "main :: () -> i64 {\n    xs : [3]i64 = .[3, 1, 2];\n    sort(*xs[0], 3, 8, compare);\n"
              "    return xs[0];\n}\n");
    s.breakAt(1, "main", 10);
    s.start();
    s.next();
    CHECK(s.into() == "compare:3");
    CHECK(s.stack() == "compare:3 C qsort main:10 main:8");
    CHECK(frameCount(s.debugger, 1) == 4);
    CHECK(!s.debugger.restartFrame(1, 2));
    CHECK(s.out() == "main:10"); // what C has given back is not known
    CHECK(*s.variable("xs") == 1);
    CHECK(s.over() == "main:11");
}

namespace {
const char* const Errors = "E :: error { Bad, Other }\n"
                           "fails :: (n: i64) -> (i64, !E) {\n    if n == 1 { raise error.Bad; }\n"
                           "    if n == 2 { return .{0, error.Other}; }\n    return n;\n}\n"
                           "through :: (n: i64) -> (i64, !E) {\n    return try fails(n);\n}\n"
                           "main :: () -> ! {\n    a := through(1) catch (e) { 7 };\n    b := through(2) or 8;\n"
                           "    try through(1);\n    a = b;\n}\n";

Debugger::ErrorFilter on() {
    Debugger::ErrorFilter filter;
    filter.enabled = true;
    return filter;
}
} // namespace

TEST_CASE("errors are events") {
    Session s(Errors);
    for (auto kind : {ir::ErrorEventKind::Raise, ir::ErrorEventKind::Propagate, ir::ErrorEventKind::Absorb,
                      ir::ErrorEventKind::Unhandled})
        s.debugger.setErrorFilter(kind, on());
    s.start();
    auto expect = [&](Reason reason, const std::string& where, const char* tag) {
        Stop stop = s.next();
        CHECK(static_cast<int>(stop.reason) == static_cast<int>(reason));
        CHECK(s.where() == where);
        CHECK(stop.tag == s.program.types.tagId(s.program.ast.names.intern(tag)));
        s.debugger.resume();
    };
    expect(Reason::Raise, "fails:4", "Bad");
    expect(Reason::Propagate, "through:9", "Bad");
    expect(Reason::Absorb, "main:12", "Bad");
    expect(Reason::Propagate, "through:9", "Other"); // a return of an error raises nothing
    expect(Reason::Absorb, "main:13", "Other");
    expect(Reason::Raise, "fails:4", "Bad");
    expect(Reason::Propagate, "through:9", "Bad");
    expect(Reason::Propagate, "main:14", "Bad");
    Stop last = s.next();
    CHECK(last.reason == Reason::Unhandled);
    s.debugger.resume();
    CHECK(s.next().exitCode == 1);
}

TEST_CASE("a filter asks for the error") {
    Session s(Errors);
    Debugger::ErrorFilter other = on();
    uint64_t wanted = s.program.types.tagId(s.program.ast.names.intern("Other"));
    other.predicate = [=](vm::Thread&, uint64_t tag) { return tag == wanted; };
    s.debugger.setErrorFilter(ir::ErrorEventKind::Propagate, other);
    s.start();
    Stop stop = s.next();
    CHECK(stop.reason == Reason::Propagate);
    CHECK(stop.tag == wanted);
    s.debugger.resume();
    CHECK(s.next().reason == Reason::Exit);
}

TEST_CASE("a step over a call that fails ends where the error is taken") {
    Session s(Errors);
    s.breakAt(1, "fails", 4);
    s.start();
    s.next();
    CHECK(s.over() == "fails:4"); // the raise
    CHECK(s.over() == "through:9");
    CHECK(s.out() == "main:12");
    CHECK(s.over() == "main:12"); // the handler
    CHECK(s.over() == "main:13");
    CHECK(s.value("a") == 7);
}

TEST_CASE("watched memory stops after a change and ends with its frame") {
    Session s("g : i64 = 5;\nset :: (to: i64) {\n    v := to;\n    v += 1;\n    g = v;\n}\n"
              "main :: () {\n    set(5);\n    set(6);\n    print(\"{}\\n\", g);\n}\n");
    s.breakAt(1, "set", 5);
    s.start();
    s.next();
    std::vector<DebugFrame> f = s.debugger.frames(1, 0, 1);
    const ir::Function& fn = s.program.module.fn(f[0].func);
    for (size_t slot = 0; slot < fn.slots.size(); ++slot)
        if (fn.slots[slot].isVariable && s.program.types.names().text(fn.slots[slot].name) == "v")
            REQUIRE(s.debugger.watchVariable(7, f[0], ir::SlotId(slot)));
    s.debugger.resume();
    Stop stop = s.next();
    CHECK(stop.reason == Reason::Watch);
    CHECK(stop.watches == std::vector<int>{7});
    CHECK(stop.before[0] == 5);
    CHECK(stop.after[0] == 6);
    CHECK(s.where() == "set:6");
    s.debugger.resume();
    CHECK(s.next().reason == Reason::Breakpoint); // of the second call
    CHECK(s.watchesEnded == std::vector<int>{7});
    CHECK(s.value("v") == 6);
}

TEST_CASE("watched globals and memory of the heap") {
    Session s("g : i64 = 5;\nmain :: () {\n    list : List(i64);\n    list.append(1);\n    p := *list.items[0];\n"
              "    q := *g;\n    p.* = 9;\n    q.* = 9;\n    g += 1;\n}\n");
    s.breakAt(1, "main", 8);
    s.start();
    s.next();
    s.debugger.watch(1, static_cast<uint64_t>(s.value("p")), 8);
    s.debugger.watch(2, static_cast<uint64_t>(s.value("q")), 8);
    s.debugger.resume();
    CHECK(s.next().watches == std::vector<int>{1});
    s.debugger.resume();
    CHECK(s.next().watches == std::vector<int>{2});
    s.debugger.removeWatch(2);
    s.debugger.resume();
    CHECK(s.next().reason == Reason::Exit);
}

TEST_CASE("functions are called where the program stands") {
    Session s(
        "g : i64 = 1;\nadd :: (a: i64, b: i64) -> i64 { g = a; return a + b; }\n"
        "forever :: () { while true { g += 1; } }\nbad :: (n: i64) -> i64 { return 10 / n; }\n"
        "wild :: (n: i64) -> i64 { p : *i64 = xx n; return p.*; }\n"
        "libc :: #library \"c\"; pause :: () -> i32 extern libc; raise_ :: (n: i32) -> i32 extern libc \"raise\";\n"
        "main :: () -> i64 {\n    x := 4;\n    if x == 5 { forever(); bad(1); wild(1); asleep(); sends(8); }\n"
        "    return add(x, 2);\n}\nasleep :: () { pause(); }\nsends :: (n: i32) { raise_(n); }\n");
    s.breakAt(1, "main", 10);
    s.breakAt(2, "add", 3);
    s.start();
    s.next();
    std::function<bool()> isCancelled;
    auto call = [&](const char* name, std::vector<uint64_t> args, std::chrono::milliseconds time) {
        ir::FuncId f = s.function(name);
        if (s.program.module.fn(f).hasContext) args.insert(args.begin(), 0);
        return s.debugger.callFunction(1, f, args, {time, isCancelled});
    };
    using std::chrono::milliseconds;
    Result<uint64_t> sum = call("add", {3, 4}, milliseconds(1000));
    REQUIRE(sum);
    CHECK(*sum == 7);
    CHECK(call("forever", {}, milliseconds(50)).error() == "it did not end within 50 ms");
    CHECK(call("asleep", {}, milliseconds(50)).error() == "it did not end within 50 ms");
    CHECK(call("sends", {SIGFPE}, milliseconds(1000)).error() == "the C function `raise` crashed: division by zero");
    isCancelled = [] { return true; };
    CHECK(call("asleep", {}, milliseconds(1000)).error() == "cancelled");
    isCancelled = nullptr;
    CHECK(call("bad", {0}, milliseconds(1000)).error() == "division by zero");
    CHECK(call("wild", {8}, milliseconds(1000)).error().find("null pointer") != std::string::npos);
    CHECK(s.where() == "main:10");
    CHECK(s.value("x") == 4);
    CHECK(s.over() == "main:11");
    s.debugger.resume();
    CHECK(s.next().breakpoints == std::vector<int>{2});
    s.debugger.resume();
    CHECK(s.next().exitCode == 6);
}

TEST_CASE("execution goes on elsewhere, and a call is made again") {
    Session s(
        "f :: (n: i64) -> i64 {\n    m := n + 1;\n    big : [2000]i64 = ---;\n    big[0] = m;\n    return m * 2;\n}\n"
        "main :: () -> i64 {\n    x := 1;\n    x = 50;\n    y := f(x);\n    return x + y;\n}\n");
    s.breakAt(1, "main", 10);
    s.breakAt(2, "f", 6);
    s.start();
    s.next();
    ir::FuncId main = s.function("main");
    REQUIRE(s.debugger.goTo(1, s.statementAt(main, 11)));
    CHECK(s.where() == "main:11");
    CHECK(!s.debugger.goTo(1, 1000));
    s.debugger.resume();
    CHECK(s.next().breakpoints == std::vector<int>{2});
    CHECK(s.value("n") == 1); // x = 50 was left out
    *s.variable("n") = 20;
    REQUIRE(s.debugger.restartFrame(1, 0));
    s.debugger.resume();
    CHECK(s.next().breakpoints == std::vector<int>{2});
    CHECK(s.value("m") == 21);
    s.debugger.resume();
    CHECK(s.next().exitCode == 43);
}

TEST_CASE("a running program is paused, also inside C") {
    Session s("usleep :: (us: u32) -> i32 extern;\ndone : i64 = 0;\n"
              "main :: () {\n    while done == 0 { done = 0; }\n    usleep(300000);\n    done = 5;\n}\n");
    s.start();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    s.debugger.pause();
    Stop stop = s.next();
    CHECK(stop.reason == Reason::Pause);
    CHECK(s.where() == "main:5");
    CHECK(s.debugger.isStopped());
    for (auto& g : s.program.module.globals) CHECK(g.name != "");
    ir::FuncId main = s.debugger.frames(1, 0, 1)[0].func;
    REQUIRE(s.debugger.goTo(1, s.statementAt(main, 6)));
    s.debugger.resume();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    s.debugger.pause();
    CHECK(s.next().reason == Reason::Pause);
    CHECK(s.stack() == "C usleep main:6 main:4");
    CHECK(s.debugger.threads()[0].foreignName == "usleep");
    CHECK(!s.debugger.goTo(1, 0));
    CHECK(s.over() == "main:7");
}

namespace {
// The C11 functions: a program that uses the POSIX ones ends its process.
const char* const Threads =
    "thrd_create :: (thread: *usize, start: (*void) -> i32 abi(.c), arg: *void) -> i32 extern;\n"
    "thrd_join :: (thread: usize, result: *i32) -> i32 extern;\n"
    "counts : [4]i64;\n"
    "count :: (n: *i64) {\n    for 0..20000 (i) {\n        n.* += 1;\n    }\n}\n"
    "work :: (arg: *void) -> i32 abi(.c) {\n    n : *i64 = xx arg;\n    count(n);\n    return 0;\n}\n"
    "main :: () -> i64 {\n    threads : [4]usize = ---; result : i32;\n"
    "    for 0..4 (i) { thrd_create(*threads[i], work, *counts[i]); }\n"
    "    for 0..4 (i) { thrd_join(threads[i], *result); }\n"
    "    sum := counts[0] + counts[1] + counts[2] + counts[3];\n    return sum / 1000;\n}\n";
} // namespace

TEST_CASE("threads stop together, and a step goes through the stops of others") {
    Session s(Threads);
    s.breakAt(1, "work", 12);
    s.breakAt(2, "main", 20);
    s.start();
    std::vector<vm::DebugThreadId> seen;
    for (int i = 0; i < 4; ++i) {
        Stop stop = s.next();
        REQUIRE(stop.breakpoints == std::vector<int>{1});
        seen.push_back(stop.thread);
        CHECK(s.where(stop.thread) == "work:12");
        int64_t before = *reinterpret_cast<int64_t*>(s.value("n", 0, stop.thread));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        CHECK(*reinterpret_cast<int64_t*>(s.value("n", 0, stop.thread)) == before);
        if (i < 3) {
            s.debugger.resume();
            continue;
        }
        CHECK(s.step(Debugger::Step::Over, {}, stop.thread) == "work:13");
    }
    std::sort(seen.begin(), seen.end());
    CHECK(seen == std::vector<vm::DebugThreadId>{2, 3, 4, 5});
    s.debugger.resume();
    CHECK(s.next().breakpoints == std::vector<int>{2});
    CHECK(s.value("sum") == 80000);
    CHECK(s.debugger.threads().size() == 1);
}

TEST_CASE("a step is over when others stop, and threads are paused again and again") {
    Session s(Threads);
    s.breakAt(1, "work", 11);
    s.start();
    Stop first = s.next();
    REQUIRE(first.breakpoints == std::vector<int>{1});
    REQUIRE(s.debugger.step(first.thread, Debugger::Step::Over));
    int steps = 0;
    for (int others = 0; others < 3;) {
        Stop stop = s.next();
        REQUIRE((stop.reason == Reason::Step || stop.reason == Reason::Breakpoint));
        ++(stop.reason == Reason::Step ? steps : others);
        if (others < 3) s.debugger.resume();
    }
    CHECK(steps <= 1); // if it came first
    s.debugger.removeBreakpoint(1);
    s.debugger.resume();
    for (int i = 0; i < 50 && !s.isOver(); ++i) {
        s.debugger.pause();
        if (!s.debugger.isStopped()) break;
        CHECK(s.next().reason == Reason::Pause);
        for (const Debugger::ThreadInfo& t : s.debugger.threads()) // one that begins or ends has no frame
            CHECK((t.id != 1 || !s.stack(t.id).empty()));
        s.debugger.resume();
    }
    CHECK(s.next().exitCode == 80);
}

TEST_CASE("breakpoints come and go while many threads run") {
    Session s(Threads);
    ir::FuncId count = s.function("count");
    uint32_t statement = s.statementAt(count, 7);
    vm::BreakpointOptions never;
    std::atomic<int> hits{0};
    never.predicate = [&](vm::Thread&, const DebugFrame&) {
        ++hits;
        return false;
    };
    s.start();
    for (int i = 0; i < 200; ++i) {
        s.debugger.setBreakpoint(1, count, statement, never);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        s.debugger.removeBreakpoint(1);
    }
    CHECK(s.next().exitCode == 80);
}

TEST_CASE("twenty frames of a deep recursion, and the pace of conditions") {
    Session s(
        "deep :: (n: i64) -> i64 {\n    if n == 0 {\n        return 0;\n    }\n    return deep(n - 1) + 1;\n}\n"
        "main :: () -> i64 {\n    d := deep(200000);\n    x := 0;\n    while x < 200000 {\n        x += 1;\n    }\n"
        "    return d / 10000;\n}\n");
    s.breakAt(1, "deep", 4);
    s.start();
    s.next();
    auto start = timeUsed();
    CHECK(s.debugger.frames(1, 0, 20).size() == 20);
    CHECK(timeUsed() - start < std::chrono::milliseconds(25)); // five times 5 ms
    CHECK(frameCount(s.debugger, 1) == 200003);
    CHECK(s.debugger.frames(1, 200000, 20).size() == 3);
    uint64_t hits = 0;
    vm::BreakpointOptions never;
    never.predicate = [&](vm::Thread&, const DebugFrame&) {
        ++hits;
        return false;
    };
    s.breakAt(2, "main", 12, never);
    start = timeUsed();
    s.debugger.resume();
    CHECK(s.next().exitCode == 20);
    CHECK(hits == 200000);
    CHECK(timeUsed() - start < std::chrono::milliseconds(500));
}

namespace {
/// Runs the program in a process of its own, which the panic or fault ends. `check` looks at the stop.
int endOf(const std::string& text, const std::function<bool(Session&, const Stop&)>& check) {
    auto* looksRight =
        static_cast<bool*>(mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    int pid = fork();
    if (pid == 0) {
        if (FILE* none = freopen("/dev/null", "w", stderr); !none) _exit(90);
        auto s = std::make_unique<Session>(text);
        s->debugger.setPanicFilter(true, true);
        s->start();
        Stop stop = s->next();
        *looksRight = check(*s, stop);
        s->debugger.resume();
        std::this_thread::sleep_for(Patience);
        _exit(92);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    CHECK(*looksRight);
    munmap(looksRight, sizeof(bool));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
} // namespace

TEST_CASE("a panic stops, and then ends the program") {
    CHECK(endOf("main :: () {\n    x := 0;\n    x = 1 / x;\n}\n", [](Session& s, const Stop& stop) {
              return stop.reason == Reason::Panic && stop.text == "division by zero" && s.where() == "main:4" &&
                     !s.debugger.goTo(1, 0) && !s.debugger.restartFrame(1, 0);
          }) == 134);
    CHECK(
        endOf(
            "f :: (n: i64) -> i64 {\n    big : [100000]i64 = ---;\n    big[n] = n;\n    return f(n + 1) + big[n];\n}\n"
            "main :: () {\n    f(1);\n}\n",
            [](Session&, const Stop& stop) { return stop.reason == Reason::Panic && stop.text == "stack overflow"; }) ==
        134);
}

TEST_CASE("a fault stops in interpreted code and in C, and functions can be called there") {
    CHECK(endOf("twice :: (n: i64) -> i64 { return n * 2; }\nmain :: () {\n    twice(1);\n    p : *i64 = xx 4096;\n"
                "    p.* = 1;\n}\n",
                [](Session& s, const Stop& stop) {
                    std::vector<uint64_t> args{21};
                    ir::FuncId f = s.function("twice");
                    if (s.program.module.fn(f).hasContext) args.insert(args.begin(), 0);
                    Result<uint64_t> r = s.debugger.callFunction(1, f, args);
                    return stop.reason == Reason::Fault && stop.signal == SIGSEGV && stop.address == 4096 &&
                           s.where() == "main:6" && r && *r == 42;
                }) == 134);
    CHECK(endOf("strlen :: (s: *void) -> usize extern;\nmain :: () {\n    p : *void = xx 4096;\n    strlen(p);\n}\n",
                [](Session& s, const Stop& stop) {
                    return stop.reason == Reason::Fault && stop.signal == SIGSEGV &&
                           s.stack() == "C strlen main:5 main:3";
                }) == 134);
}

TEST_CASE("a step into a call of the library stops in the code that it calls back") {
    Session s("apply :: (f: Closure(i64) -> i64, n: i64) -> i64 {\n    return f(n);\n}\n"
              "main :: () -> i64 {\n    k := 3;\n    x := apply((n) => n + k, 4);\n    return x;\n}\n");
    ir::FuncId library = s.function("apply");
    auto isOwn = s.debugger.isUserCode;
    s.debugger.isUserCode = [=](ir::FuncId f) { return f != library && isOwn(f); };
    s.breakAt(1, "main", 7);
    s.start();
    s.next();
    CHECK(s.into() == "main.lambda:7");
    CHECK(s.stack() == "main.lambda:7 apply:3 main:7 main:5");
    CHECK(s.over() == "main:7"); // `apply` is left as well
    CHECK(s.over() == "main:8");
    CHECK(s.value("x") == 7);
}

TEST_CASE("variables of any size are found, and the inner one of two by its scope") {
    Session s(
        "main :: () -> i64 {\n    big : [3000]i64 = ---;\n    big[2] = 9;\n    small : [4]i64 = .[5, 6, 7, 8];\n"
        "    x := 1;\n    {\n        x := 2;\n        big[3] = x;\n    }\n    return big[2] + small[0] + x;\n}\n");
    s.breakAt(1, "main", 9);
    s.start();
    s.next();
    CHECK(s.variable("big")[2] == 9);
    CHECK(s.variable("small")[3] == 8);
    DebugFrame f = s.debugger.frames(1, 0, 1)[0];
    const ir::Function& fn = s.program.module.fn(f.func);
    auto isVisible = [&](ir::ScopeId scope) {
        for (ir::ScopeId at = f.scope;; at = fn.scopes[at].parent) {
            if (at == scope) return true;
            if (at == 0) return false;
        }
    };
    int visible = 0;
    for (const ir::Slot& slot : fn.slots)
        visible += slot.isVariable && s.program.types.names().text(slot.name) == "x" && isVisible(slot.scope);
    CHECK(visible == 2);
    REQUIRE(s.debugger.restartFrame(1, 0));
    s.debugger.resume();
    s.next();
    s.debugger.resume();
    CHECK(s.next().exitCode == 15);
}

TEST_CASE("a predicate calls a function of the program") {
    Session s("is_big :: (n: i64) -> bool { return n > 990; }\nmain :: () -> i64 {\n    if is_big(0) { return 1; }\n"
              "    n := 0;\n    while n < 1000 {\n        n += 1;\n    }\n    return n / 100;\n}\n");
    ir::FuncId f = s.function("is_big");
    std::vector<uint64_t> args(s.program.module.fn(f).params.size(), 0);
    uint64_t n = 0;
    vm::BreakpointOptions big;
    big.predicate = [&](vm::Thread& t, const DebugFrame&) {
        args.back() = n++;
        Result<uint64_t> r = s.debugger.callHere(t, f, args);
        return r && *r == 1;
    };
    s.breakAt(1, "main", 7, big);
    s.start();
    CHECK(s.next().reason == Reason::Breakpoint);
    CHECK(s.value("n") == 991);
    DebugFrame at = s.debugger.frames(1, 0, 1)[0];
    CHECK(at.code->words[at.index].opcode() == vm::Opcode::Break);
    CHECK(vm::instructionText(*at.code, at.index).name != "Break");
}

TEST_CASE("the pace of code for a debugger, and of conditions that call a function") {
    ProgramText file("fib :: (n: i64) -> i64 {\n    if n < 2 { return n; }\n    return fib(n - 1) + fib(n - 2);\n}\n"
                     "main :: () -> i64 {\n    s := 0;\n    for 0..2000000 (i) {\n        s += i * 3;\n    }\n"
                     "    return fib(25) % 100;\n}\n");
    CheckedProgram program(file.path);
    auto start = timeUsed();
    CHECK(*vm::runMain(program.module, {"test"}, nullptr) == 25);
    auto plain = timeUsed() - start;
    Debugger debugger(Debugger::Events{});
    start = timeUsed();
    CHECK(*vm::runMain(program.module, {"test"}, nullptr, {}, &debugger) == 25);
    CHECK(timeUsed() - start < 4 * plain);

    Session s("no :: (n: i64) -> bool { return n > 2000000; }\nmain :: () -> i64 {\n    if no(0) { return 1; }\n"
              "    n := 0;\n    while n < 200000 {\n        n += 1;\n    }\n    return 1;\n}\n");
    ir::FuncId f = s.function("no");
    std::vector<uint64_t> args(s.program.module.fn(f).params.size(), 0);
    vm::BreakpointOptions never;
    never.predicate = [&](vm::Thread& t, const DebugFrame&) { return *s.debugger.callHere(t, f, args) == 1; };
    s.breakAt(1, "main", 7, never);
    start = timeUsed();
    s.start();
    CHECK(s.next().reason == Reason::Exit);
    CHECK(timeUsed() - start < std::chrono::milliseconds(400)); // five times 80 ms
}

TEST_CASE("calls of the debugger leave the trace in flight as it is") {
    Session s(Errors);
    s.debugger.setErrorFilter(ir::ErrorEventKind::Propagate, on());
    s.start();
    CHECK(s.next().reason == Reason::Propagate);
    uint32_t before = 0, after = 0;
    CHECK(s.debugger.runOn(1, [&](vm::Thread&) { before = sx_trace_len(); }));
    CHECK(before == 2);
    ir::FuncId f = s.function("fails");
    const ir::Function& fn = s.program.module.fn(f);
    uint64_t result[4] = {};
    std::vector<uint64_t> args;
    if (fn.hasContext) args.push_back(0);
    args.insert(args.end(), {1, reinterpret_cast<uint64_t>(result)});
    CHECK(s.debugger.callFunction(1, f, args));
    CHECK(static_cast<uint32_t>(result[1]) == s.program.types.tagId(s.program.ast.names.intern("Bad")));
    CHECK(s.debugger.runOn(1, [&](vm::Thread&) { after = sx_trace_len(); }));
    CHECK(after == before);
}
