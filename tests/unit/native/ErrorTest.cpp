#include "Debugged.h"

#include <csignal>

using namespace sx::debugger;
using namespace sx::debugger::native;

namespace {

constexpr const char* Errors = R"(#import "modules/std.sx";
E :: error { Low, High }
check :: (n: i64) -> (i64, !E) {
    if n < 0 { raise error.Low; }
    if n > 9 { raise error.High;  }
    return n;
}
pass :: (n: i64) -> (i64, !E) {
    v := try check(n);
    return v + 1;
}
main :: () -> !E {
    a := pass(-1) catch (e) { 5 };
    b := pass(10) or 6;
    print("{} {}\n", a, b);
    c := try pass(-2);
    print("{}\n", c);
}
)";

std::string name(Debugged& d, const Event& event) {
    if (event.kind == Event::Kind::Exited) return "exited " + std::to_string(event.code);
    if (event.stop.reason != Stop::Reason::Error) return "no error";
    const char* names[] = {"raise", "propagate", "absorb", "unhandled", "panic"};
    std::string tag = event.stop.text;
    if (event.stop.event != ErrorEvent::Panic) {
        llvm::ArrayRef<sx::Name> tags = d.program.types.tags();
        REQUIRE((event.stop.tag > 0 && event.stop.tag <= tags.size()));
        tag = d.program.types.names().text(tags[event.stop.tag - 1]);
    }
    return std::string(names[static_cast<int>(event.stop.event)]) + " " + tag + " in " + d.where();
}

} // namespace

TEST_CASE("What happens to errors stops the program in the frame of the statement") {
    if (!hasEngine()) return;
    Debugged d("errors", Errors);
    d.engine.setErrorFilters(
        {{ErrorEvent::Raise, {}}, {ErrorEvent::Propagate, {}}, {ErrorEvent::Absorb, {}}, {ErrorEvent::Unhandled, {}}});
    CHECK(name(d, d.begin()) == "raise Low in check 4:16");
    CHECK(!d.engine.trace(1).state.empty());
    CHECK(name(d, d.go()) == "propagate Low in pass 9:10");
    CHECK(name(d, d.go()).starts_with("absorb Low in main 13:"));
    CHECK(name(d, d.go()) == "raise High in check 5:16");
    CHECK(name(d, d.go()) == "propagate High in pass 9:10");
    CHECK(name(d, d.go()).starts_with("absorb High in main 14:"));
    CHECK(name(d, d.go()) == "raise Low in check 4:16");
    CHECK(name(d, d.go()) == "propagate Low in pass 9:10");
    CHECK(name(d, d.go()) == "propagate Low in main 16:10");
    CHECK(name(d, d.go()).starts_with("unhandled Low in main"));
    CHECK(name(d, d.go()) == "exited 1");
}

TEST_CASE("A filter with tags lets other errors pass") {
    if (!hasEngine()) return;
    Debugged d("errors", Errors);
    uint64_t high = d.program.types.tagId(d.program.ast.names.intern("High"));
    d.engine.setErrorFilters({{ErrorEvent::Propagate, {high}}});
    CHECK(name(d, d.begin()) == "propagate High in pass 9:10");
    CHECK(name(d, d.go()) == "exited 1");
}

TEST_CASE("A panic stops before the program ends, in the frame that panics") {
    if (!hasEngine()) return;
    Debugged d("panics", "#import \"modules/std.sx\";\nmain :: () {\n    xs : [3]i64 = .[1, 2, 3];\n    i := 3;\n"
                         "    print(\"{}\\n\", xs[i]);\n}\n");
    d.engine.setErrorFilters({{ErrorEvent::Panic, {}}});
    CHECK(name(d, d.begin()).starts_with("panic index 3 out of range for length 3 in main 5:"));
    CHECK(name(d, d.go()) == "exited 134");
}

TEST_CASE("A fault stops with its address") {
    if (!hasEngine()) return;
    Debugged d("faults", "#import \"modules/std.sx\";\nmain :: () {\n    p : *i64 = xx 4096;\n    p.* = 1;\n}\n");
    Event fault = d.begin();
    REQUIRE(fault.kind == Event::Kind::Stopped);
    CHECK(fault.stop.signal == SIGSEGV);
    CHECK(fault.stop.address == 4096);
    CHECK(d.where() == "main 4:5");
    CHECK(name(d, d.go()) == "exited 134");
}

TEST_CASE("SIGINT that the program sends itself is no pause") {
    if (!hasEngine()) return;
    Debugged d("interrupts", "libc :: #library \"c\";\n"
                             "raise_signal :: (signal: i32) -> i32 extern libc \"raise\";\n"
                             "main :: () { raise_signal(2); }\n");
    Event stop = d.begin();
    REQUIRE(stop.kind == Event::Kind::Stopped);
    CHECK(stop.stop.reason == Stop::Reason::Signal);
    CHECK(stop.stop.signal == SIGINT);
    CHECK(name(d, d.go()) == "exited 130");
}
