#include "Built.h"

#include "debugger/native/target/Loader.h"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace sx::debugger::native;

namespace {

constexpr const char* TargetSource = R"(#import "modules/std.sx";

twice :: (n: i64) -> i64 {
    sum := n;
    sum += n;
    return sum;
}

main :: () {
    print("{}\n", twice(21));
}
)";

std::unique_ptr<Target> target() {
    auto made = makeTarget();
    if (!made) printf("%s\n", made.error().c_str());
    return made ? std::move(*made) : nullptr;
}

TargetEvent nextEvent(Target& target) {
    for (;;) {
        pollfd wait{target.eventDescriptor(), POLLIN, 0};
        REQUIRE(poll(&wait, 1, 20000) == 1);
        if (std::optional<TargetEvent> event = target.nextEvent()) return *event;
    }
}

struct Pipe {
    int ends[2];
    Pipe() { REQUIRE(pipe2(ends, O_CLOEXEC) == 0); }
    ~Pipe() {
        close(ends[0]);
        close(ends[1]);
    }
    std::string text() {
        std::string out(4096, '\0');
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        ssize_t length = read(ends[0], out.data(), out.size());
        out.resize(length < 0 ? 0 : length);
        return out;
    }
};

LaunchOptions options(const std::string& program, std::vector<int> stdio) {
    LaunchOptions made;
    made.program = program;
    made.environment = {"PATH=/usr/bin:/bin"};
    made.stdio = std::move(stdio);
    return made;
}

} // namespace

TEST_CASE("A program stops at an address, is looked at, and runs to its end") {
    std::unique_ptr<Target> t = target();
    if (!t) return;
    Pipe out;
    REQUIRE(t->launch(options(built("twice", TargetSource), {0, out.ends[1], out.ends[1]})) == "");
    uint64_t address = t->symbolAddress("sx.twice");
    REQUIRE(address != 0);
    t->addBreakpoints({address});
    REQUIRE(t->resume() == "");
    TargetEvent event = nextEvent(*t);
    REQUIRE(event.kind == TargetEvent::Kind::Stopped);
    REQUIRE(event.stops.size() == 1);
    CHECK(event.stops[0].kind == ThreadStop::Kind::Breakpoint);
    CHECK(event.stops[0].pc == address);
    SystemThread thread = event.stops[0].thread;
    std::vector<TargetFrame> frames = t->frames(thread, 0, 2);
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].name == "twice");
    CHECK(frames[1].name == "main");
    CHECK(frames[1].line == 10);
    CHECK(frames[0].cfa < frames[1].cfa);

    t->removeBreakpoints({address});
    REQUIRE(t->stepInstruction(thread) == "");
    event = nextEvent(*t);
    REQUIRE(event.stops.size() == 1);
    CHECK(event.stops[0].kind == ThreadStop::Kind::SingleStep);
    CHECK(event.stops[0].pc > address);
    std::vector<TargetVariable> variables = t->variables(thread, 0);
    REQUIRE(variables.size() == 2);
    CHECK(variables[0].name == "n");
    CHECK(variables[0].address != 0);
    CHECK(variables[1].name == "sum");
    CHECK(variables[1].line == 4);
    CHECK_FALSE(variables[1].inScope);

    REQUIRE(t->resume() == "");
    event = nextEvent(*t);
    CHECK(event.kind == TargetEvent::Kind::Exited);
    CHECK(event.status == 0);
    CHECK(out.text() == "42\n");
}

TEST_CASE("A program gets more streams than three, and none where it is to have none") {
    std::unique_ptr<Target> t = target();
    if (!t) return;
    constexpr const char* Streams = R"(#import "modules/std.sx";
libc :: #library "c";
write :: (fd: i32, text: [*]u8, n: usize) -> isize extern libc "write";
main :: () {
    text := "five";
    write(5, text.ptr, 4);
    if write(1, text.ptr, 4) >= 0 { write(5, text.ptr, 1); }
    if write(2, text.ptr, 4) < 0 { write(5, text.ptr, 2); }
}
)";
    Pipe five, two;
    LaunchOptions made = options(built("streams", Streams), {0, -1, two.ends[1], -1, -1, five.ends[1]});
    REQUIRE(t->launch(made) == "");
    REQUIRE(t->resume() == "");
    CHECK(nextEvent(*t).status == 0);
    CHECK(five.text() == "five");
    CHECK(two.text() == "five");
}

TEST_CASE("A signal that ends a program is told from an exit code of that number") {
    const std::string calls = "libc :: #library \"c\";\n"
                              "raise_signal :: (signal: i32) -> i32 extern libc \"raise\";\n"
                              "exit :: (code: i32) extern libc \"exit\";\n";
    const std::pair<const char*, int> endings[] = {{"exit(15)", 15}, {"raise_signal(15)", 128 + 15}};
    for (auto& [ending, status] : endings) {
        std::unique_ptr<Target> t = target();
        if (!t) return;
        REQUIRE(t->launch(options(built("ends", calls + "main :: () { " + ending + "; }\n"), {0, 1, 2})) == "");
        REQUIRE(t->resume() == "");
        TargetEvent event = nextEvent(*t);
        if (status > 128) { // it stops before the signal reaches it
            CHECK(event.kind == TargetEvent::Kind::Stopped);
            REQUIRE(t->resume() == "");
            event = nextEvent(*t);
        }
        CHECK(event.kind == TargetEvent::Kind::Exited);
        CHECK(event.status == status);
    }
}

TEST_CASE("A running program is interrupted, and killed") {
    std::unique_ptr<Target> t = target();
    if (!t) return;
    REQUIRE(t->launch(options(built("endless", "main :: () { i := 0; while true { i += 1; } }\n"), {0, 1, 2})) == "");
    REQUIRE(t->resume() == "");
    usleep(20000);
    REQUIRE(t->interrupt() == "");
    TargetEvent event = nextEvent(*t);
    REQUIRE(event.kind == TargetEvent::Kind::Stopped);
    REQUIRE(t->resume() == "");
    t->kill();
    event = nextEvent(*t);
    CHECK(event.kind == TargetEvent::Kind::Exited);
    CHECK(event.status == 128 + SIGKILL);
}
