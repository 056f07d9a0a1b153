#include "syntax/Tests.h"

#include "syntax/Parser.h"

#include <catch2/catch.hpp>

using namespace sx;

namespace {

/// The names of the tests of a text, and after a bar of what only looks like one.
std::string names(const std::string& text) {
    SourceManager sources;
    AstContext ast;
    Diagnostics diags;
    const FileId id = sources.addFile("a.sx", "a.sx", text);
    const TestFunctions found = testsOf(parseFile(sources, id, ast, diags), ast.names);
    std::string out;
    for (const ast::FunctionDecl* test : found.tests) out += std::string(ast.names.text(test->name.name)) + " ";
    out += "|";
    for (const ast::FunctionDecl* other : found.withValue) out += " " + std::string(ast.names.text(other->name.name));
    return out;
}

} // namespace

TEST_CASE("tests have a name, no parameters, and no value") {
    CHECK(
        names("test_a :: () { } test_b :: () -> ! { } test_c :: () -> !E { } test_d :: () -> void { } test_e :: { }") ==
        "test_a test_b test_c test_d test_e |");
    CHECK(names("private test_a :: () { } test_ :: () { }") == "test_a test_ |");
    CHECK(names("test_a :: (n: i64) { } test :: () { } tests :: () { } a_test_b :: () { } test_c :: 3;") == "|");
    CHECK(names("test_a :: () -> i64 { 3 } test_b :: () -> (i64, !) { 3 }") == "| test_a test_b");
    CHECK(names("test_a :: () -> void extern libc;") == "|");
    CHECK(names("S :: struct { test_a :: (self: *S) { } test_b :: () { } }") == "|");
    CHECK(names("f :: () { test_a :: () { } }") == "|");
}

TEST_CASE("tests are found in a text that does not parse") {
    CHECK(names("test_a :: () { } test_b :: (").substr(0, 7) == "test_a ");
}
