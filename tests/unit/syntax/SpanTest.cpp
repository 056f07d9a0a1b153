#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ast;
using namespace sx::test;

namespace {

/// Source text of the first value in a function with these statements.
std::string valueText(const std::string& stmts) {
    const Parsed parsed("f :: () { " + stmts + " }");
    REQUIRE_FALSE(parsed.diags.hasErrors());
    return std::string(parsed.textOf(firstValue(parsed)->span));
}

/// Source texts of the statements of a function, joined by `|`.
std::string stmtTexts(const std::string& stmts) {
    const Parsed parsed("f :: () { " + stmts + " }");
    INFO(parsed.rendered());
    REQUIRE_FALSE(parsed.diags.hasErrors());
    std::string out;
    for (const Stmt* stmt : llvm::cast<BlockExpr>(llvm::cast<FunctionDecl>(parsed.ast.items[0])->body())->stmts)
        out += (out.empty() ? "" : "|") + std::string(parsed.textOf(stmt->span));
    return out;
}

} // namespace

TEST_CASE("spans of statements include their semicolon") {
    const std::string all =
        "raise error.X;|return 1, 2;|onfail f();|defer g();|x = 1;|x += 1;|a, b = 1, 2;|a, b := f();|x := 1;|"
        "y : i64;|z :: 3;|#insert s;|#error(\"e\");|#import \"i\";|f();|onfail (e) { }|{ };";
    std::string source = all;
    for (char& c : source)
        if (c == '|') c = ' ';
    CHECK(stmtTexts(source) == all);
    CHECK(stmtTexts("while c { break; continue; }") == "while c { break; continue; }");
    CHECK(stmtTexts("if c { } f()") == "if c { }|f()");
}

TEST_CASE("spans of expressions do not") {
    CHECK(valueText("_ = f(1) + 2;") == "f(1) + 2");
    CHECK(valueText("_ = (a);") == "(a)");
    CHECK(valueText("_ = a < b <= c;") == "a < b <= c");
    CHECK(valueText("_ = -x.y;") == "-x.y");
    CHECK(valueText("_ = try f() or g();") == "try f() or g()");
    CHECK(valueText("_ = f() catch (e) { 0 };") == "f() catch (e) { 0 }");
    CHECK(valueText("_ = a.b?.c[1]![2..].(T).*;") == "a.b?.c[1]![2..].(T).*");
    CHECK(valueText("_ = if c { 1 } else if d { 2 } else { 3 };") == "if c { 1 } else if d { 2 } else { 3 }");
    CHECK(valueText("_ = if c then a else b;") == "if c then a else b");
    CHECK(valueText("_ = if e == { else: 1; };") == "if e == { else: 1; }");
    CHECK(valueText("_ = T.{ 1 } { x(); };") == "T.{ 1 } { x(); }");
    CHECK(valueText("_ = .[ 1, 2, ];") == ".[ 1, 2, ]");
    CHECK(valueText("_ = f(x) { y(); };") == "f(x) { y(); }");
    CHECK(valueText("_ = (n: i64) -> i64 => n + 1;") == "(n: i64) -> i64 => n + 1");
    CHECK(valueText("_ = ?*[4]ns.T(A);") == "?*[4]ns.T(A)");
    CHECK(valueText("_ = (A) -> B abi(.c);") == "(A) -> B abi(.c)");
    CHECK(valueText("_ = error.Tag;") == "error.Tag");
    CHECK(valueText("_ = .tag(1);") == ".tag(1)");
    CHECK(valueText("_ = `if;") == "if");
    CHECK(valueText("_ = #run f();") == "#run f()");
    CHECK(valueText("_ = a ?\? b ?\? c;") == "a ?\? b ?\? c");
    CHECK(valueText("_ = a |> f(x);") == "a |> f(x)");
    CHECK(valueText("_ = a |> try f(x);") == "try f(x)");
    CHECK(valueText("_ = asm volatile { \"nop\" };") == "asm volatile { \"nop\" }");
}

TEST_CASE("places inside expressions") {
    const Parsed parsed("f :: () { _ = g(a, n = b, ..c)! + s[1..2]; }");
    const auto* sum = llvm::cast<Binary>(firstValue(parsed));
    CHECK(parsed.textOf(sum->opSpan) == "+");
    const auto* unwrap = llvm::cast<Unwrap>(sum->lhs);
    CHECK(parsed.textOf(unwrap->bang) == "!");
    const auto* call = llvm::cast<Call>(unwrap->base);
    CHECK(parsed.textOf(call->rparen) == ")");
    CHECK(parsed.textOf(call->args[0].span) == "a");
    CHECK(parsed.textOf(call->args[1].span) == "n = b");
    CHECK(parsed.textOf(call->args[1].name.span) == "n");
    CHECK(parsed.textOf(call->args[2].span) == "..c");
    CHECK(parsed.textOf(llvm::cast<SliceExpr>(sum->rhs)->bracket) == "[1..2]");
}

TEST_CASE("places inside literals, matches and loops") {
    const Parsed parsed("f :: () { _ = if e == { case .a: (n) { n } else: 1; 2 }; for xs, 0..3 (x, i) { } }");
    const auto* match = llvm::cast<Match>(firstValue(parsed));
    REQUIRE(match->arms.size() == 2);
    CHECK(parsed.textOf(match->arms[0].span) == "case .a: (n) { n }");
    CHECK(parsed.textOf(match->arms[0].caseKeyword) == "case");
    CHECK(parsed.textOf(match->arms[0].bodySpan) == "{ n }");
    CHECK(parsed.textOf(match->arms[0].capture.span) == "n");
    CHECK(parsed.textOf(match->arms[1].span) == "else: 1; 2");
    CHECK(parsed.textOf(match->arms[1].bodySpan) == "1; 2");
    const auto* body = llvm::cast<BlockExpr>(llvm::cast<FunctionDecl>(parsed.ast.items[0])->body());
    const auto* loop = llvm::cast<For>(llvm::cast<ExprStmt>(body->stmts[1])->expr);
    CHECK(parsed.textOf(loop->iters[0].span) == "xs");
    CHECK(parsed.textOf(loop->iters[1].span) == "0..3");
    CHECK(parsed.textOf(loop->captures[1].name.span) == "i");
}

TEST_CASE("spans of declarations") {
    const Parsed parsed("private A :: 1;\nx : i64 = 2;\nf :: (a: i64 = 3) -> i64 { }\nS :: struct { a, b: i64 = 4; }\n"
                        "g :: #import \"p\";\n#run f();\nimpl P for T { }\nE :: error { A };\nF :: enum { a: i64; }\n");
    REQUIRE_FALSE(parsed.diags.hasErrors());
    const auto text = [&](size_t i) { return parsed.textOf(parsed.ast.items[i]->span); };
    CHECK(text(0) == "A :: 1;");
    CHECK(text(1) == "x : i64 = 2;");
    CHECK(text(2) == "f :: (a: i64 = 3) -> i64 { }");
    CHECK(text(3) == "S :: struct { a, b: i64 = 4; }");
    CHECK(text(4) == "g :: #import \"p\";");
    CHECK(parsed.textOf(llvm::cast<ImportDecl>(parsed.ast.items[4])->directive) == "#import \"p\";");
    CHECK(text(5) == "#run f();");
    CHECK(text(6) == "impl P for T { }");
    CHECK(text(7) == "E :: error { A };");
    const auto* fn = llvm::cast<FunctionDecl>(parsed.ast.items[2]);
    CHECK(parsed.textOf(fn->paramList) == "(a: i64 = 3)");
    CHECK(parsed.textOf(fn->params[0].span) == "a: i64 = 3");
    const auto* record = llvm::cast<StructDecl>(parsed.ast.items[3]);
    REQUIRE(record->members.size() == 2);
    CHECK(parsed.textOf(record->members[0].field.span) == "a, b: i64 = 4");
    CHECK(parsed.textOf(record->members[1].field.span) == "b: i64 = 4");
    CHECK(record->members[0].field.type == record->members[1].field.type);
    const auto* variants = llvm::cast<EnumDecl>(parsed.ast.items[8]);
    CHECK(parsed.textOf(variants->variants[0].payloadColon) == ":");
}

TEST_CASE("an inline form starts at inline, a failable list at its parenthesis") {
    CHECK(stmtTexts("inline if A { }") == "inline if A { }");
    CHECK(stmtTexts("inline for 0..3 { }") == "inline for 0..3 { }");
    const Parsed parsed("f :: () -> (a: i64, !E) { }");
    CHECK(parsed.textOf(llvm::cast<FunctionDecl>(parsed.ast.items[0])->result->span) == "(a: i64, !E)");
}
