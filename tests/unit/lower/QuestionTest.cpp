// What an expression at some place is, asked of a program that was checked; and that asking changes nothing.
#include "lower/Question.h"
#include "../CheckedProgram.h"
#include "../MarkedText.h"
#include "ir/Passes.h"
#include "syntax/Lexer.h"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace sx;
using test::CheckedProgram;
using test::ProgramText;

namespace {

/// `@name@` marks a place and is no part of the program.
const char* const Program = R"(
E :: error { Bad, Late }
Point :: struct { x: i64; y: f64 = 2.5; }
Box :: struct($T: Type) {
    value: T;
    get :: (self: *Box(T)) -> T { return self.value; }
}
LIMIT :: 4 * 3;
UNUSED :: Point.{ x = LIMIT };
NAMES : []string : .["one", "two"];
parse :: (s: string) -> (i64, !E) { @parse@ if s.len == 0 { raise error.Bad; } return 1; }
never :: (n: i64) { deep := n; @never@ print("{}\n", deep); }
larger :: (a: $T, b: T) -> T { @larger@ if a > b { return a; } return b; }
square :: (n: i64) -> i64 { return n * n; }
main :: () -> !E {
    n := 3;
    p := Point.{ x = n };
    @early@
    later := "text";
    xs : []i64 = .[1, 2, 3];
    maybe : ?i64 = 4;
    for xs, 0.. (x, i) { @loop@ print("{} {}\n", x, i); }
    if maybe != null { @narrowed@ print("{}\n", maybe + 1); }
    if bound := maybe { @bound@ print("{}\n", bound); }
    add := (a: i64) => a + n + @lambda@ p.x;
    print("{} {} {}\n", add(square(1)), larger(1, 2), larger(1.5, 2.5));
    if v := maybe { n := later; @shadowed@ print("{} {}\n", n, v); }
    v := try parse(later);
    @end@ print("{}\n", v);
}
)";

class Asked {
public:
    Asked() : marked_(Program), text_(marked_.text), program_(text_.path) {
        REQUIRE(program_.ok);
        before_ = state();
    }

    lower::Answer ask(const std::string& expression, const std::string& mark) {
        lower::Answer answer;
        SourcePos at = marked_.position(program_, mark);
        withLargeStack([&] { answer = lower::typeOf(program_.sema, expression, at); });
        INFO(expression);
        CHECK(state() == before_);
        return answer;
    }
    /// The type, or the first error.
    std::string type(const std::string& expression, const std::string& mark = "end") {
        lower::Answer answer = ask(expression, mark);
        return answer.errors.empty() ? answer.typeText : answer.errors.front().message;
    }
    CheckedProgram& program() { return program_; }

private:
    /// All that later stages see, and what tells them apart.
    std::string state() {
        ir::Module& m = program_.module;
        std::string s = ir::print(m);
        const std::initializer_list<size_t> sizes = {m.functions.size(),
                                                     m.globals.size(),
                                                     m.constants.size(),
                                                     m.libraries.size(),
                                                     m.typeInfos.size(),
                                                     m.typeDescriptors.size(),
                                                     program_.diags.all().size(),
                                                     program_.sema.stringPool.size(),
                                                     program_.sema.impls.vtables.size(),
                                                     program_.sema.instances.byFunc.size()};
        for (size_t n : sizes) s += "\n" + std::to_string(n);
        return s;
    }

    test::MarkedText marked_;
    ProgramText text_;
    CheckedProgram program_;
    std::string before_;
};

} // namespace

TEST_CASE("expressions have the types that code at a place sees") {
    Asked a;
    CHECK(a.type("p") == "Point");
    CHECK(a.type("p.x + 1") == "i64");
    CHECK(a.type("p.y") == "f64");
    CHECK(a.type("*p") == "*Point");
    CHECK(a.type("xs[0]") == "i64");
    CHECK(a.type("xs[1..2]") == "[]i64");
    CHECK(a.type("maybe") == "?i64");
    CHECK(a.type("add") == "Closure(i64) -> i64");
    CHECK(a.type("add(1)") == "i64");
    CHECK(a.type("LIMIT * 2.5") == "f64");
    CHECK(a.type(".[1.5, 2]") == "[2]f64");
    CHECK(a.type("if n > 3 then 1 else 2") == "i64");
    CHECK(a.type("Point") == "Point");
    CHECK(a.type("[LIMIT]*Point") == "[12]*Point");
    CHECK(a.type("square") == "(i64) -> i64");
}

TEST_CASE("a name is what is declared where it is asked") {
    Asked a;
    CHECK(a.type("n", "early") == "i64");
    CHECK(a.type("n", "shadowed") == "string");
    CHECK(a.type("later", "early").find("`later`") != std::string::npos);
    CHECK(a.type("later", "loop") == "string");
    CHECK(a.type("x + i", "loop") == "i64");
    CHECK(a.type("x", "end").find("`x`") != std::string::npos);
    CHECK(a.type("maybe + 1", "narrowed") == "i64");
    CHECK(a.type("bound", "bound") == "i64");
    CHECK(a.type("a + n", "lambda") == "i64");
    CHECK(a.type("s", "parse") == "string");
}

TEST_CASE("what is asked may fail, be generic, or need code that nothing else does") {
    Asked a;
    CHECK(a.type("try parse(later)") == "i64");
    CHECK(a.type("parse(later)") == "(i64, !E)");
    CHECK(a.type("parse(later) or 7") == "i64");
    CHECK(a.type("parse(later) catch (e) { 3 }") == "i64");
    CHECK(a.type("larger(p.y, 2)") == "f64");
    CHECK(a.type("larger(cast_u8(), 2)").find("`cast_u8`") != std::string::npos);
    CHECK(a.type("Box(string).{ value = later }") == "Box(string)");
    CHECK(a.type("Box(string).{ value = later }.get()") == "string");
    CHECK(a.type("(a: i64) => a * n") == "Closure(i64) -> i64");
    CHECK(a.type("UNUSED") == "Point");
    CHECK(a.type("UNUSED.x") == "i64");
    CHECK(a.type("NAMES[0]") == "string");
    CHECK(a.type("#run square(LIMIT)") == "i64");
    CHECK(a.type("[#run square(3)]u8") == "[9]u8");
    CHECK(a.type("type_info(Point)").find("TypeInfo") != std::string::npos);
}

TEST_CASE("an expression that is wrong is told so apart from the program's errors") {
    Asked a;
    CHECK(a.type("p.z").find("`z`") != std::string::npos);
    CHECK(a.type("n +") != "");
    CHECK(a.ask("n +", "end").errors.size() == 1);
    CHECK(a.ask("n +", "end").errors.size() == 1); // asked again
    CHECK(a.ask("{ n + }", "end").errors.size() == 1);
    CHECK(a.type("1; 2").find("the end of the expression") != std::string::npos);
    CHECK(a.type("\"a\" * 2") != "");
    CHECK(a.type("square(later)").find("string") != std::string::npos);
    CHECK(a.program().diags.all().empty());
}

TEST_CASE("trees of the program can be asked about") {
    Asked a;
    sema::Sema& sema = a.program().sema;
    for (const ast::Decl* d : sema.program.entry->items) {
        const auto* fn = llvm::dyn_cast<ast::FunctionDecl>(d);
        if (!fn || sema.text(fn->name.name) != "square") continue;
        const auto* body = llvm::cast<ast::BlockExpr>(fn->body());
        const auto* result = static_cast<const ast::ReturnStmt*>(body->stmts.front());
        lower::Answer answer = lower::typeOf(sema, *result->elems.front().value, result->span.begin);
        CHECK(answer.typeText == "i64");
        return;
    }
    FAIL("no such function");
}

namespace {

/// Asks about every name of a program where it stands, with what follows it, and in expressions around it.
size_t askAll(CheckedProgram& p) {
    FileId file = p.sema.program.entry->id;
    std::vector<Token> tokens = lexFile(p.sources, file, p.ast.names);
    size_t asked = 0;
    for (size_t t = 0; t + 1 < tokens.size(); ++t) {
        if (tokens[t].kind != TokenKind::Ident) continue;
        size_t last = t;
        while (tokens[last + 1].kind == TokenKind::Dot && tokens[last + 2].kind == TokenKind::Ident) last += 2;
        std::string name(p.sources.textOf({tokens[t].begin, tokens[last].span().end}));
        for (const std::string& text :
             {name, name + "()", "*" + name, name + "[0]", "if true then " + name + " else " + name,
              "(x: i64) => { y := " + name + "; return y; }"}) {
            lower::typeOf(p.sema, text, tokens[t].begin);
            ++asked;
        }
    }
    return asked;
}

} // namespace

TEST_CASE("any name of any program can be asked about") {
    size_t asked = 0, seen = 0;
    for (const char* area : {"closures", "generics", "errors"})
        for (const auto& entry :
             std::filesystem::directory_iterator(SX_SOURCE_DIR "/tests/corpus/" + std::string(area))) {
            if (entry.path().extension() != ".sx" || ++seen % 2 != 0) continue; // half of them is plenty
            CheckedProgram p(entry.path());
            if (!p.ok) continue;
            size_t reported = p.diags.all().size();
            std::string before = ir::print(p.module);
            withLargeStack([&] { asked += askAll(p); });
            INFO(entry.path());
            CHECK(p.diags.all().size() == reported);
            CHECK(ir::print(p.module) == before);
        }
    CHECK(asked > 20'000);
}
