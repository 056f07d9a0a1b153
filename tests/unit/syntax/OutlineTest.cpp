// Bodies that are read when they are asked for (parseOutline).
#include "SyntaxFixture.h"

#include "source/Files.h"
#include "syntax/Lexer.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace sx;
using namespace sx::test;

namespace {

struct Outline {
    explicit Outline(std::string text)
        : file(sources.addFile("t.sx", "t.sx", std::move(text))), ast(parseOutline(sources, file, context, diags)) {}

    std::string dump() {
        std::string out;
        llvm::raw_string_ostream stream(out);
        dumpAst(sources, context, ast, stream);
        return out;
    }
    size_t deferred() {
        std::vector<Token> tokens = lexOutline(sources, file, context.names);
        return static_cast<size_t>(std::count_if(tokens.begin(), tokens.end(),
                                                 [](const Token& t) { return t.kind == TokenKind::DeferredBody; }));
    }

    SourceManager sources;
    FileId file{};
    AstContext context;
    Diagnostics diags;
    ast::File ast;
};

/// How many bodies are read later; -1: the tree differs from that of the whole file.
int deferredIn(const std::string& text) {
    Outline outline(text);
    int count = static_cast<int>(outline.deferred());
    return outline.dump() == Parsed(text).dump() ? count : -1;
}

} // namespace

TEST_CASE("Bodies that are read later give the tree of a whole file", "[syntax]") {
    size_t files = 0, bodies = 0;
    for (const char* folder : {"library", "examples", "tests/corpus"}) {
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::string(SX_SOURCE_DIR "/") + folder)) {
            if (entry.path().extension() != ".sx") continue;
            Result<std::string> text = readTextFile(entry.path().string());
            REQUIRE(text);
            Parsed whole(*text);
            if (whole.diags.hasErrors()) continue;
            Outline outline(*text);
            INFO(entry.path().string());
            CHECK(outline.dump() == whole.dump());
            CHECK_FALSE(outline.diags.hasErrors());
            ++files;
            bodies += outline.deferred();
        }
    }
    CHECK(files > 100);
    CHECK(bodies > 10 * files / 2);
}

TEST_CASE("The bodies of functions are found at the top level and among members", "[syntax]") {
    CHECK(deferredIn("f :: () { } g :: (x: i64) -> i64 { x } h :: { f(); }") == 3);
    CHECK(deferredIn("private f :: ufcs (x: $T/Eq) -> []T { x }") == 1);
    CHECK(deferredIn("S :: struct($T: Type) { x: T; f :: (self: *S(T)) { } N :: 3; g :: () { } } h :: () { }") == 3);
    CHECK(deferredIn("impl P for S { f :: (self: *S) { { } } } P :: protocol { f :: (self: *Self) { } }") == 2);
    CHECK(deferredIn("E :: enum { a; b; } f :: () { }") == 1);
    CHECK(deferredIn("f :: () => 3; C :: (1 + 2) * 3; g :: () { }") == 1);
}

TEST_CASE("A brace in a text or a comment ends no body", "[syntax]") {
    CHECK(deferredIn("f :: () { s := \"}\\\"}\"; c := '}'; // }\n t := #string END\n}\nEND; } g :: () { }") == 2);
    CHECK(deferredIn("f :: () { x := a / b; if x { } } g :: () { }") == 2);
}

TEST_CASE("What is written unusually is read at once", "[syntax]") {
    CHECK(deferredIn("f :: () -> struct { x: i64; } { .{ 1 } }") == 0);
    CHECK(deferredIn("f :: (x: struct { y: i64; }) { }") == 1);
    CHECK(deferredIn("v := if a { 1 } else { 2 }; f :: () { }") == 1);
}

TEST_CASE("Mistakes in a body are reported when it is read", "[syntax]") {
    Outline outline("f :: () { x := ; }\ng :: () { }\n");
    CHECK_FALSE(outline.diags.hasErrors());
    const auto* f = llvm::cast<ast::FunctionDecl>(outline.ast.items[0]);
    CHECK(llvm::cast<ast::BlockExpr>(f->body())->stmts.empty());
    REQUIRE(outline.diags.all().size() == 1);
    CHECK(outline.sources.resolve(outline.diags.all()[0].span.begin).col == 16);
    f->body();
    CHECK(outline.diags.all().size() == 1);
    CHECK(outline.context.lateErrors.all().size() == 1);
}

TEST_CASE("A file that is broken outside of bodies is read as a whole", "[syntax]") {
    for (const char* text : {"f :: () {", "f :: ( { }", "f :: () { } }", "x = 3; f :: () { y := ; }"}) {
        Outline outline(text);
        Parsed whole(text);
        INFO(text);
        CHECK(renderDiagnostics(outline.sources, outline.diags, {}) == whole.rendered());
        CHECK(outline.diags.hasErrors());
    }
}
