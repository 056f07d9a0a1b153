#include "Debugged.h"

#include <csignal>
#include <sys/wait.h>

using namespace sx::debugger;
using namespace sx::debugger::native;

namespace {

constexpr const char* Source = R"(#import "modules/std.sx";

twice :: (n: i64) -> i64 {
    sum := n;
    sum += n;
    return sum;
}

deep :: (n: i64) -> i64 {
    if n == 0 { return 0; }
    rest := deep(n - 1);
    return rest + 1;
}

apply :: (f: Closure(i64) -> i64, n: i64) -> i64 {
    return f(n);
}

main :: () {
    total := 0;
    for [3]i64.[1, 2, 3] (x) {
        total += twice(x);
    }
    k := 5;
    a := apply((n) => n + k, 2); b := a + 1;
    c := deep(3);
    print("{} {} {} {}\n", total, a, b, c);
}
)";

} // namespace

TEST_CASE("Breakpoints stop where their statement begins, with parameters in place, and steps go by statements") {
    if (!hasEngine()) return;
    Debugged d("steps", Source);
    d.breakAt(7, 5);
    Event stop = d.begin();
    REQUIRE(stop.kind == Event::Kind::Stopped);
    CHECK(stop.stop.reason == Stop::Reason::Breakpoint);
    CHECK(stop.stop.breakpoints == std::vector<uint32_t>{7});
    CHECK(d.stack() == "twice 5:5, main 22:18");
    CHECK(d.number("n") == 1);
    CHECK(d.number("sum") == 1);
    CHECK(d.number("total", 1) == 0);
    CHECK(d.over() == "twice 6:5");
    CHECK(d.number("sum") == 2);
    d.engine.removeBreakpoint(7);
    CHECK(d.leave() == "main 22:18");
    std::optional<Engine::Returned> returned = d.engine.returned(1);
    REQUIRE(returned);
    CHECK(d.program.module.fn(returned->func).name == "twice");
    CHECK(returned->place.bytes == std::vector<uint8_t>{2, 0, 0, 0, 0, 0, 0, 0});
    CHECK(d.over() == "main 21:5");
    CHECK(d.number("total") == 2);
    CHECK(d.over() == "main 22:9");
    CHECK(d.into() == "twice 4:5");
    CHECK(d.number("n") == 2);
}

TEST_CASE("A breakpoint on the line of a loop stops once for each time that it is entered") {
    if (!hasEngine()) return;
    Debugged d("steps", Source);
    d.breakAt(1, 21);
    d.breakAt(2, 24);
    CHECK(d.begin().stop.breakpoints == std::vector<uint32_t>{1});
    CHECK(d.where() == "main 21:5");
    CHECK(d.go().stop.breakpoints == std::vector<uint32_t>{2});
    CHECK(d.over() == "main 25:5");
    CHECK(d.over() == "main 25:34");
    CHECK(d.over() == "main 26:5");
    CHECK(d.over() == "main 27:5");
    CHECK(d.number("c") == 3);
    Event end = d.go();
    CHECK(end.kind == Event::Kind::Exited);
    CHECK(end.code == 0);
    CHECK(d.output() == "12 7 8 3\n");
}

TEST_CASE("Steps enter closures through code of others, and stay in their frame where a function calls itself") {
    if (!hasEngine()) return;
    Debugged d("steps", Source);
    d.breakAt(1, 25);
    d.begin();
    CHECK(d.into() == "apply 16:5");
    CHECK(d.into() == "main.lambda 25:23");
    CHECK(d.number("n") == 2);
    d.breakAt(2, 11);
    CHECK(d.go().stop.breakpoints == std::vector<uint32_t>{2});
    d.engine.removeBreakpoint(2);
    CHECK(d.stack() == "deep 11:5, main 26:10");
    CHECK(d.over() == "deep 12:5");
    CHECK(d.stack() == "deep 12:5, main 26:10");
    CHECK(d.number("rest") == 2);
    CHECK(d.over() == "main 26:10");
    CHECK(d.over() == "main 27:5");
    CHECK(d.into() == "main 28:1");
    CHECK(d.into() == "exited 0");
}

TEST_CASE("Breakpoints are set while the program runs, and frames of a deep recursion come without all the others") {
    if (!hasEngine()) return;
    Debugged d("runs",
               "count := 0;\nturn :: () {\n    count += 1;\n}\n"
               "dive :: (n: i64) -> i64 {\n    if n == 0 {\n        return 0;\n    }\n    return dive(n - 1) + 1;\n}\n"
               "main :: () {\n    dive(20000);\n    while true { turn(); }\n}\n");
    d.breakAt(1, 7);
    d.begin();
    Frames frames = d.engine.frames(1, 0, 20);
    CHECK(frames.frames.size() == 20);
    CHECK_FALSE(frames.total);
    CHECK(d.where(19) == "dive 9:12");
    CHECK(d.engine.frames(1, 20000, 5).total == 20002);
    d.engine.removeBreakpoint(1);
    REQUIRE(d.engine.resume());
    d.breakAt(2, 3);
    Event hit = d.next();
    CAPTURE(int(hit.kind), int(hit.stop.reason), hit.stop.text);
    CHECK(hit.stop.breakpoints == std::vector<uint32_t>{2});
    CHECK(d.stack() == "turn 3:5, main 13:18");
    d.engine.removeBreakpoint(2);
    REQUIRE(d.engine.resume());
    REQUIRE(d.engine.pause());
    CHECK(d.next().stop.reason == Stop::Reason::Pause);
    d.engine.terminate();
    CHECK(d.next().code == 128 + 15);
}

TEST_CASE("A process that runs already is attached to, and runs on when it is let go") {
    if (!hasEngine()) return;
    const std::string source = "count := 0;\nmain :: () {\n    while true { count += 1; }\n}\n";
    std::string executable = built("attached", source);
    pid_t child = fork();
    if (child == 0) execl(executable.c_str(), executable.c_str(), nullptr);
    {
        Debugged d("attached", source, 0, child);
        d.breakAt(1, 3);
        CHECK(d.begin().stop.reason == Stop::Reason::Breakpoint);
        d.engine.detach();
    }
    usleep(50000);
    CHECK(waitpid(child, nullptr, WNOHANG) == 0);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}
