// One mistake, one message; several mistakes, several messages.
#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::test;

TEST_CASE("each broken statement is reported once") {
    CHECK(bodyMismatch("x := 1 +@@;\ny := 2;\nz := (3 @@4);\ng();\n@@);\nh();").empty());
}

TEST_CASE("a missing semicolon loses nothing") {
    const Parsed parsed("f :: () {\n    x := 1\n    y := 2;\n    g()\n    return y\n}\ng :: () { }\n");
    CHECK(parsed.positions() == "3:5 5:5 6:1");
    CHECK(parsed.tree() == "File t.sx(Function f(body: Block(Var x(init: Int 1), Var y(init: Int 2), ExprStmt "
                           "value(Call(callee: Name g)), "
                           "Return(Name y))), Function g(body: Block))");
}

TEST_CASE("errors in nested blocks stay there") {
    CHECK(
        bodyMismatch("if c {\n    x := @@;\n    f();\n} else {\n    y := 1 @@2;\n}\nz := 3;\nwhile d {\n    a @@b;\n}")
            .empty());
}

TEST_CASE("a broken header costs its block, not the rest") {
    CHECK(bodyMismatch("while (a @@b) {\n    f();\n} \ng();").empty());
    CHECK(bodyMismatch("for xs (@@1) {\n    f();\n    g();\n}\nh();\n@@);").empty());
    CHECK(bodyMismatch("if a @@b {\n    f();\n} else {\n    g();\n}\nh();").empty());
}

TEST_CASE("brackets that do not fit") {
    CHECK(bodyMismatch("f(a, b@@;\ng(c);\nh(d[1@@);\ni();").empty());
    CHECK(bodyMismatch("f(a)@@);\ng();").empty());
    CHECK(bodyMismatch("x := .{ a = 1@@;\ny := 2;").empty());
    CHECK(bodyMismatch("f(a, (b + c@@;\ng();").empty());
}

TEST_CASE("a missing closing brace is reported once, at its partner") {
    CHECK(mismatch("f :: () {\n    if a @@{\n        x();\n    y();\n}\ng :: () { }\n").empty());
    CHECK(mismatch("f :: () @@{\n    x();\n\ng :: () {\n    y();\n}\n").empty());
    CHECK(mismatch("S :: struct @@{\n    a: i64;\n\nf :: () { }\n").empty());
    const Parsed parsed("f :: () {\n    if a {\n        x();\n    y();\n}\n");
    CHECK(parsed.positions() == "2:10"); // the block by its indentation
}

TEST_CASE("the end of the file is reported once") {
    CHECK(mismatch("f :: () { if a { g@@(").empty());
    CHECK(mismatch("f :: () { x := 1 +@@").empty());
    CHECK(mismatch("S :: struct { f :: () { .{ a = [@@").empty());
    CHECK(mismatch("x@@").empty());
    CHECK(mismatch("f :: @@(a: i64 -> i64 {\n    a\n}\ng :: () { h @@i; }\n").empty());
}

TEST_CASE("a spare closing brace is reported once") {
    CHECK(mismatch("f :: () {\n    if a { }\n}\n@@}\ng :: () { }\n").empty());
    CHECK(
        mismatch("f :: () {\n    if a {\n    } }\n    @@return x();\n    y := 2;\n    z(y);\n}\n\ng :: () { h @@i; }\n")
            .empty());
}

TEST_CASE("items after a broken item are read") {
    CHECK(mismatch("fn @@main() -> i32 {\n    return 0;\n}\n\ng :: () {\n    x @@y;\n}\n").empty());
    CHECK(mismatch("f :: (a: i64 @@b: i64) -> i64 {\n    a + b\n}\ng :: () { x @@y; }\n").empty());
    CHECK(mismatch("x @@= 5;\ny :: 3;\n@@5;\nz :: 1 +@@;\nw :: 2;\n").empty());
    CHECK(mismatch("@@struct Point {\n    x: i64;\n}\nf :: () { @@) }\n").empty());
    CHECK(mismatch("@@/* a comment\n   over lines */\nf :: () { @@) }\n").empty());
}

TEST_CASE("members, variants, arms and methods recover on their own") {
    CHECK(mismatch("S :: struct {\n    a @@i64;\n    b: i64;\n    c: @@;\n    d: i64;\n}\n").empty());
    CHECK(mismatch("E :: enum {\n    a: @@;\n    b;\n    @@5;\n    c;\n}\n").empty());
    CHECK(mismatch("P :: protocol {\n    a :: ()@@;\n    b :: (self: *Self);\n    @@5;\n}\n").empty());
    CHECK(mismatch("impl P for T {\n    a @@= 3;\n    b :: () { x @@y; }\n}\n").empty());
    CHECK(bodyMismatch("if e == {\n    case .a@@, .b:\n        f();\n        g();\n    case .c: (x @@y);\n    case "
                       "@@-1: h();\n    else: i "
                       "@@j;\n}\nk();")
              .empty());
}

TEST_CASE("a string that is never closed ends at its line") {
    CHECK(bodyMismatch("x @@y;\nz := @@\"open;\nw := 3 @@4;\ng();").empty());
    CHECK(bodyMismatch("f(@@\"open);\nw := 3 @@4;\ng();").empty());
}

TEST_CASE("a bracket that is never closed is reported where it opens") {
    CHECK(bodyMismatch("f@@(a, b\ng();\nh @@i;").empty());
    CHECK(bodyMismatch("x := @@(1 + 2\ny := 3;\nh @@i;").empty());
    CHECK(bodyMismatch("x := .@@[1, 2\ny := 3;").empty());
}

TEST_CASE("a token that swallows the file ends it") { CHECK(bodyMismatch("z := @@#string END\n w w w\n").empty()); }

TEST_CASE("the number of errors of a file is limited") {
    std::string text = "f :: () {\n";
    for (int i = 0; i < 1000; ++i) text += "    x y;\n";
    const Parsed parsed(text + "}\n");
    CHECK(parsed.diags.errorCount() == 50);
}

TEST_CASE("a forgotten quote shows where the string began") {
    const Parsed parsed("f :: () {\n    print(\"one);\n    print(\"two\");\n}\n");
    CHECK(parsed.positions() == "2:11");
}
