#include "FormatFixture.h"

#include <catch2/catch.hpp>
#include <sstream>

namespace {

const std::string A(30, 'a'), B(30, 'b'), C(30, 'c'), D(30, 'd');

size_t longestLine(const std::string& text) {
    size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    return longest;
}

} // namespace

TEST_CASE("lists are filled") {
    CHECK(formatted("f :: () { g(" + A + ", " + B + ", " + C + ", " + D + "); }\n") ==
          "f :: () {\n    g(" + A + ", " + B + ", " + C + ",\n        " + D + ");\n}\n");
    CHECK(formatted("f :: (" + A + ": i64, " + B + ": i64, " + C + ": i64, " + D + ": i64) -> i64 { 1 }\n") ==
          "f :: (" + A + ": i64, " + B + ": i64, " + C + ": i64,\n    " + D + ": i64) -> i64 { 1 }\n");
    CHECK(formatted("x := .[" + A + ", " + B + ", " + C + ", " + D + "];\n") ==
          "x := .[" + A + ", " + B + ", " + C + ",\n    " + D + "];\n");
}

TEST_CASE("blocks are unfolded, the outermost first") {
    CHECK(formatted("f :: () { if " + A + " { " + B + "(); " + C + "(); } else { " + D + "(); } }\n") ==
          "f :: () {\n    if " + A + " {\n        " + B + "();\n        " + C + "();\n    } else {\n        " + D +
              "();\n    }\n}\n");
    CHECK(formatted("S :: struct { " + A + ": i64; " + B + ", " + C + ": i64; " + D + ": i64; }\n") ==
          "S :: struct {\n    " + A + ": i64;\n    " + B + ", " + C + ": i64;\n    " + D + ": i64;\n}\n");
    CHECK(formatted("f :: () { if x == { case .a: " + A + "(); case .b: " + B + "(" + C + "); else: " + D +
                    "(); } }\n") == "f :: () {\n    if x == {\n        case .a: " + A + "();\n        case .b: " + B +
                                        "(" + C + ");\n        else: " + D + "();\n    }\n}\n");
}

TEST_CASE("operators break by their level, chains before the dot") {
    CHECK(formatted("x := " + A + " * 2 + " + B + " and " + C + " + " + D + " * 3;\n") ==
          "x := " + A + " * 2 + " + B + " and\n    " + C + " + " + D + " * 3;\n");
    CHECK(formatted("x := " + A + "().b(1, 2)." + B + "(3, 4)." + C + "(5, 6)." + D + "(7);\n") ==
          "x := " + A + "().b(1, 2)." + B + "(3, 4)." + C + "(5, 6)\n    ." + D + "(7);\n");
    CHECK(formatted("x := if " + A + " then " + B + " + " + C + " else " + D + " + 1;\n") ==
          "x := if " + A + " then " + B + " + " + C + "\n    else " + D + " + 1;\n");
}

TEST_CASE("what cannot be broken stays, and comments do not count") {
    const std::string text(130, 'x');
    CHECK(isStable("f :: () {\n    print(\"" + text + "\");\n}\n"));
    CHECK(isStable("a :: 1; // " + text + "\n"));
    CHECK(isStable("x := " + text + ";\n") == false);
    CHECK(formatted("x := " + text + ";\n") == "x :=\n    " + text + ";\n");
}

TEST_CASE("a line of ten thousand elements") {
    std::string list = "x := .[0";
    for (int i = 1; i < 10000; ++i) list += ", " + std::to_string(i);
    const std::string result = formatted(list + "];\n");
    CHECK(longestLine(result) <= 120);
    CHECK(isStable(result));
    std::string statements = "f :: () { ";
    for (int i = 1; i < 10000; ++i) statements += "g(); { h(1); } ";
    CHECK(isStable(formatted(statements + "}\n")));
}
