#include "debugger/program/Places.h"

#include "CheckedProgram.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::debugger;

namespace {

/// A program of a text (its first line, an import, is line 1), checked.
struct Checked {
    test::ProgramText text;
    debugger::Program program;
    std::optional<Places> places;
    FileId file{};

    explicit Checked(const std::string& source)
        : text(source), program(ProgramOptions{.file = text.path, .workingDirectory = "/"}) {
        setenv("SX_STDLIB_PATH", SX_SOURCE_DIR "/library", 1);
        REQUIRE(program.check());
        places.emplace(program);
        file = *program.findFile(text.path);
    }
    std::string at(uint32_t line, uint32_t column = 0) {
        Resolved r = places->atLine(file, line, column);
        if (r.points.empty()) return r.why;
        Location l = program.sources.resolve(r.at);
        return std::to_string(l.line) + ":" + std::to_string(l.col) + " x" + std::to_string(r.points.size());
    }
};

} // namespace

TEST_CASE("A line means the first statement at or after it in its function") {
    Checked c("unused :: () {\n" // 2
              "    x := 1;\n"    // 3
              "    print(\"{}\", x);\n"
              "}\n"                       // 5
              "\n"                        // 6
              "twice :: (n: $T) -> T {\n" // 7
              "    // first\n"            // 8
              "    a := n; b := a;\n"     // 9
              "    a + b\n"               // 10
              "}\n"                       // 11
              "main :: () -> i32 {\n"     // 12
              "    x := twice(1);\n"      // 13
              "    y := twice(1.5);\n"
              "    f : Closure(i64) -> i64 = (k) {\n" // 15
              "        k + 1\n"                       // 16
              "    };\n"
              "    print(\"{} {} {}\", x, y, f(2));\n" // 18
              "    0\n"
              "}\n");
    CHECK(c.at(3) == "nothing in the program reaches this function");
    CHECK(c.at(6) == "no code at this line");
    CHECK(c.at(7) == "9:5 x2");
    CHECK(c.at(8) == "9:5 x2");
    CHECK(c.at(9) == "9:5 x2");
    CHECK(c.at(9, 6) == "9:13 x2");
    CHECK(c.at(11) == "no code at this line");
    CHECK(c.at(12) == "13:5 x1");
    CHECK(c.at(15) == "15:5 x1");
    CHECK(c.at(16) == "16:9 x1");
    CHECK(c.at(17) == "no code at this line"); // after the last statement of the lambda
    CHECK(c.at(99) == "no code at this line");
    CHECK(c.places->inLines(c.file, 9, 9).size() == 2);
}

TEST_CASE("Functions are found by their names in traces") {
    Checked c("Box :: struct {\n    n: i64;\n    get :: (self: *Box) -> i64 { self.n }\n}\n"
              "biggest :: (a: $T, b: T) -> T { if a > b then a else b }\n"
              "main :: () -> i32 {\n    b := Box.{ n = 1 };\n    f : Closure(i64) -> i64 = (k) { k + 1 };\n"
              "    print(\"{} {} {} {}\", b.get(), biggest(1, 2), biggest(1.5, 2.5), f(1));\n    0\n}\n");
    auto count = [&](const char* name) { return c.places->ofFunction(name).points.size(); };
    CHECK(count("main") == 1);
    CHECK(count("Box.get") == 1);
    CHECK(count("get") == 1);
    CHECK(count("biggest") == 2);
    CHECK(count("biggest(f64)") == 1);
    CHECK(count("main.lambda") == 1);
    CHECK(count("nobody") == 0);
    CHECK(c.places->ofFunction("nobody").why == "no function `nobody` is reached by the program");
}
