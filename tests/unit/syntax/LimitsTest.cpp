// Deep and long programs end in a diagnostic, in linear time, never in a stack overflow.
#include "SyntaxFixture.h"

#include "syntax/Limits.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::test;

namespace {

std::string repeat(std::string_view text, size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (size_t i = 0; i < times; ++i) out += text;
    return out;
}

/// One error, and its message holds `words`.
std::string onlyError(const std::string& source, std::string_view words) {
    const Parsed parsed(source);
    if (parsed.diags.errorCount() == 1 && parsed.diags.all()[0].message.find(words) != std::string::npos) return {};
    return std::to_string(parsed.diags.errorCount()) + " errors" +
           (parsed.diags.hasErrors() ? ": " + parsed.diags.all()[0].message : "");
}

std::string inBody(const std::string& stmts) { return "f :: () { " + stmts + " }"; }

constexpr size_t many = 10000;

} // namespace

TEST_CASE("nesting that needs recursion") {
    const auto nested = [](std::string_view open, std::string_view middle, std::string_view close, size_t times) {
        return repeat(open, times) + std::string(middle) + repeat(close, times);
    };
    CHECK(onlyError(inBody("x := " + nested("(", "1", ")", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("f(", "1", ")", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("a[", "1", "]", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested(".{", "1", "}", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested(".[", "1", "]", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("{", "1", "}", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody(nested("if a {", "", "}", many)), "nested too deeply") == "");
    CHECK(onlyError(inBody(nested("while a {", "", "}", many)), "nested too deeply") == "");
    CHECK(onlyError(inBody(nested("for a {", "", "}", many)), "nested too deeply") == "");
    CHECK(onlyError(inBody(nested("for a => ", "f();", "", many)), "nested too deeply") == "");
    CHECK(onlyError(inBody(nested("push a {", "", "}", many)), "nested too deeply") == "");
    CHECK(onlyError(inBody(nested("defer {", "", "}", many)), "nested too deeply") == "");
    CHECK(onlyError(inBody(nested("if a == { case 1: ", "", "}", many)), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("() => ", "1", "", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("f() {", "1", "}", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("f() catch (e) ", "1", "", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("if a then ", "1", " else 2", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("if a then 1 else ", "2", "", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("return ", "1", "", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("#run ", "1", "", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("- ", "1", "", many) + ";"), "nested too deeply") == "");
    CHECK(onlyError(inBody("x := " + nested("a + - ", "1", "", many) + ";"), "too long") == "");
    CHECK(onlyError("g : " + nested("*", "T", "", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("[]", "T", "", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("? ", "T", "", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("[", "1", "]T", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("(", "T", ")", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("() -> ", "T", "", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("Box(", "T", ")", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("Tuple(", "T", ")", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("struct { a: ", "T", "; }", many) + ";", "nested too deeply") == "");
    CHECK(onlyError("g : " + nested("enum { a: ", "T", "; }", many) + ";", "nested too deeply") == "");
    CHECK(onlyError(nested("inline if A {", "", "}", many), "nested too deeply") == "");
    CHECK(onlyError(nested("f :: () { ", "", "}", many), "nested too deeply") == "");
    CHECK(onlyError("S :: " + nested("struct { a :: ", "1", "}", many), "nested too deeply") == "");
}

TEST_CASE("ordinary nesting is accepted") {
    CHECK(exprTree(repeat("(", 100) + "1" + repeat(")", 100)).find("error") == std::string::npos);
    CHECK(bodyTree(repeat("if a { ", 60) + repeat("}", 60)).find("error") == std::string::npos);
}

TEST_CASE("flat chains are limited by the height of their tree") {
    CHECK(onlyError(inBody("x := 1" + repeat(" + 1", 100000) + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := a" + repeat(".b", 100000) + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := a" + repeat("()", 100000) + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := a" + repeat("!", 100000) + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := a" + repeat(" ?\? b", 100000) + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := a" + repeat(" |> b", 100000) + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := a" + repeat(" and b", 100000) + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := a" + repeat(" in b", 100000) + ";"), "too long") == "");
    CHECK(onlyError(inBody("if a { }" + repeat(" else if b { }", 100000)), "too long") == "");
    CHECK(onlyError("g : a" + repeat(".b", 100000) + ";", "too long") == "");
    CHECK(onlyError("inline if A { }" + repeat(" else if B { }", 100000), "too long") == "");
    // Chains within chains add up.
    const std::string half = repeat(" + 1", maxTreeHeight / 2);
    CHECK(onlyError(inBody("x := ((1" + half + ")" + half + ")" + half + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := f(1" + half + ")" + half + half + ";"), "too long") == "");
    CHECK(onlyError(inBody("x := { y := 1" + half + "; y }" + half + half + ";"), "too long") == "");
}

TEST_CASE("long is no problem where it is not deep") {
    CHECK_FALSE(Parsed(inBody("x := 1" + repeat(" + 1", maxTreeHeight - 100) + ";")).diags.hasErrors());
    CHECK_FALSE(Parsed(inBody("x := a" + repeat(" < b", 20000) + ";")).diags.hasErrors()); // one node
    CHECK_FALSE(Parsed(inBody("x := .[ " + repeat("1 + 2, ", 50000) + "];")).diags.hasErrors());
    CHECK_FALSE(Parsed(inBody(repeat("f(1 + 2); ", 50000))).diags.hasErrors());
    CHECK_FALSE(Parsed(inBody("f(" + repeat("g(1), ", 50000) + ");")).diags.hasErrors());
    CHECK_FALSE(Parsed("E :: enum { " + repeat("a; ", 50000) + "}").diags.hasErrors());
}

TEST_CASE("brackets without partners stay linear") {
    for (const char* text : {"(", "[", "{", ")", "]", "}", "([", "({", "[(", "f(", "a :: (", "a :: (b) -> ", "(a) -> ",
                             "for a (", "for ("}) {
        const Parsed top(repeat(text, 20000));
        CHECK(top.diags.hasErrors());
        const Parsed body(inBody(repeat(text, 20000)));
        CHECK(body.diags.hasErrors());
        const Parsed lines("f :: () {\n" + repeat(std::string(text) + "\n", 20000) + "}\n");
        CHECK(lines.diags.hasErrors());
    }
}
