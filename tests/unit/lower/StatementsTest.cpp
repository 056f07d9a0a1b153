// Where statements begin in the code of a function, and what happens to errors there: what debuggers are told.
#include "../CheckedProgram.h"
#include "ir/Passes.h"

#include <catch2/catch.hpp>

using namespace sx;
using test::CheckedProgram;
using test::ProgramText;

namespace {

/// The function of this name.
const ir::Function& functionNamed(const ir::Module& module, const std::string& name) {
    for (const auto& fn : module.functions)
        if (fn->name == name && !fn->blocks.empty()) return *fn;
    FAIL("there is no function " + name);
    return *module.functions[0];
}

/// `line:column` of each statement, `~` in front of one where no breakpoint stops. The text begins in line 2.
std::string statementsOf(const std::string& text, const std::string& function = "main") {
    ProgramText file(text);
    CheckedProgram program(file.path);
    if (!program.ok) return "the program has errors";
    CHECK(ir::verify(program.module).empty());
    std::string out;
    for (const ir::Statement& s : functionNamed(program.module, function).statements) {
        Location at = program.sources.resolve(s.begin);
        out += (out.empty() ? "" : " ") + std::string(s.breakable ? "" : "~") + std::to_string(at.line) + ":" +
               std::to_string(at.col);
    }
    return out;
}

/// The kinds of what happens to errors, in order.
std::string errorsOf(const std::string& text, const std::string& function) {
    ProgramText file(text);
    CheckedProgram program(file.path);
    if (!program.ok) return "the program has errors";
    std::string out;
    for (const ir::ErrorEvent& e : functionNamed(program.module, function).errorEvents)
        out += "rpau"[static_cast<size_t>(e.kind)];
    return out;
}

} // namespace

TEST_CASE("each statement has a place, and so has the end of the function") {
    CHECK(statementsOf("main :: () {\n    x := 1;\n    y := x + 1; print(\"{}\\n\", y);\n}\n") == "3:5 4:5 4:17 5:1");
    CHECK(statementsOf("f :: (n: i64) -> i64 => n + 1;\nmain :: () { f(1); }\n", "f") == "2:25");
    CHECK(statementsOf("f :: (n: i64) -> i64 {\n    m := n;\n    m + 1\n}\nmain :: () { f(1); }\n", "f") == "3:5 4:5");
    CHECK(statementsOf("main :: () {\n    f := (n: i64) { print(\"{}\\n\", n); };\n    f(1);\n}\n", "main.lambda") ==
          "3:21 3:39");
}

TEST_CASE("a constant and a cleanup have no place where they are written; what leaves has one before the cleanups") {
    CHECK(statementsOf(
              "main :: () {\n    K :: 3;\n    defer print(\"a\\n\");\n    print(\"{}\\n\", K);\n    return;\n}\n") ==
          "5:5 6:5 4:11");
}

TEST_CASE("conditions and branches have places") {
    CHECK(statementsOf(
              "main :: () {\n    x := 3;\n    if x > 1 {\n        x = 1;\n    } else if x > 0 {\n        x = 2;\n"
              "    }\n}\n") == "3:5 4:5 5:9 6:12 7:9 9:1");
    CHECK(statementsOf("main :: () {\n    x := 3;\n    y := if x > 1 { 1 } else { x = 5; 2 };\n    x = y;\n}\n") ==
          "3:5 4:5 4:32 4:21 4:39 5:5 6:1");
    CHECK(statementsOf("main :: () {\n    x := 3;\n    y := if x == {\n        case 1: 7;\n        else: 8;\n    };\n"
                       "    x = y;\n}\n") == "3:5 4:5 5:17 6:15 8:5 9:1");
}

TEST_CASE("a loop has a place at each round") {
    CHECK(statementsOf("main :: () {\n    x := 3;\n    while x > 0 {\n        x -= 1;\n    }\n}\n") ==
          "3:5 4:5 5:9 7:1");
    CHECK(statementsOf("main :: () {\n    s := 0;\n    for 0..<3 (i) {\n        s += i;\n    }\n}\n") ==
          "3:5 4:5 5:9 ~4:5 7:1");
}

TEST_CASE("inserted text is one statement") {
    CHECK(statementsOf("main :: () {\n    #insert \"x := 1; y := x;\";\n    print(\"{}\\n\", y);\n}\n") ==
          "3:5 4:5 5:1");
}

TEST_CASE("what happens to errors is marked") {
    const std::string start = "E :: error { Bad }\nbad :: (n: i64) -> (i64, !E) { if n > 0 { raise error.Bad; } n }\n";
    CHECK(errorsOf(start + "main :: () { bad(0) catch { 1 }; }\n", "bad") == "r");
    CHECK(errorsOf(start + "quiet :: () -> !E { return error.Bad; }\nmain :: () { quiet() catch {}; }\n", "quiet")
              .empty());
    CHECK(errorsOf(start + "pass :: () -> !E { try bad(1); }\nmain :: () { pass() catch {}; }\n", "pass") == "p");
    CHECK(errorsOf(start + "main :: () { x := bad(1) catch { 2 }; y := bad(1) or bad(2) or x; print(\"{}\\n\", y); }\n",
                   "main") == "aaa");
    CHECK(errorsOf(start + "main :: () -> ! { v, e := bad(1); if e { raise e; } print(\"{}\\n\", v); }\n", "main") ==
          "aruu");
}
