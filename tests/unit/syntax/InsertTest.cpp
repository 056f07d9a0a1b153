#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx;

namespace {

struct Inserted {
    SourceManager sources;
    AstContext context;
    llvm::ArrayRef<ast::Stmt*> stmts;
    explicit Inserted(std::string text) {
        stmts = parseStatements(sources, sources.addFile("insert", "insert", std::move(text)), context);
    }
};

} // namespace

TEST_CASE("inserted text is statements") {
    const Inserted inserted("x := 1; f(x);\nif x { } x");
    REQUIRE(inserted.stmts.size() == 4);
    CHECK(inserted.stmts[0]->kind == ast::StmtKind::Var);
    const auto* last = llvm::cast<ast::ExprStmt>(inserted.stmts[3]); // the value
    CHECK_FALSE(last->semicolon);
    CHECK(Inserted("").stmts.empty());
    CHECK(Inserted("// nothing").stmts.empty());
}

TEST_CASE("inserted text ends at its first error") {
    CHECK(Inserted("a(); b(); x := ; c();").stmts.size() == 2);
    CHECK(Inserted("a(); }").stmts.size() == 1);
    CHECK(Inserted("a(); x := 1\ny := 2;").stmts.size() == 1);
    CHECK(Inserted("a(); \"open").stmts.size() == 1);
    CHECK(Inserted(")").stmts.empty());
    CHECK(Inserted("a(); if c {").stmts.size() == 1);
}

TEST_CASE("inserted text may stand in a loop") { CHECK(Inserted("if c { break; } continue;").stmts.size() == 2); }
