// Expressions that become functions of a checked program, in the scope of a body, and are taken back.
#include "lower/ExpressionCompiler.h"
#include "../MarkedText.h"
#include "ir/Passes.h"
#include "types/TypeNames.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>

using namespace sx;
using lower::CompiledExpression;
using test::CheckedProgram;
using test::MarkedText;
using test::ProgramText;

namespace {

const char* const DefaultProgram = R"(
E :: error { Bad }
Pt :: struct { x: i64; y: i64; }
parse :: (s: string) -> (i64, !E) { if s.len == 0 { raise error.Bad; } return 1; }
twice :: (v: $T) -> T { doubled := v + v; @twice@ return doubled; }
unused :: (n: i64) -> i64 => n + 1;
main :: () {
    n := 3;
    @early@
    p := Pt.{ x = 1, y = 2 };
    add := (a: i64) -> i64 { sum := a + n; @lambda@ return sum; };
    print("{} {} {}\n", add(1), twice(2), twice(2.5));
    n = 4; @end@
    print("{}\n", n);
}
)";

struct Compiling {
    MarkedText marked;
    ProgramText text;
    CheckedProgram program;
    lower::ExpressionCompiler compiler{program.sema};

    explicit Compiling(std::string source = DefaultProgram) : marked(source), text(marked.text), program(text.path) {
        REQUIRE(program.ok);
    }
    const ir::Function& function(const std::string& name) {
        for (const auto& fn : program.module.functions)
            if (fn->name == name && !fn->blocks.empty()) return *fn;
        FAIL("no function " + name);
        return *program.module.functions.front();
    }
    const CompiledExpression& compile(const std::string& expression, const std::string& in = "main",
                                      const std::string& mark = "end", lower::ExpressionCompiler::Want want = {}) {
        const CompiledExpression* made = nullptr;
        withLargeStack([&] {
            made = &compiler.compile(expression, {marked.position(program, mark), function(in)}, want);
        });
        return *made;
    }
    /// Its type, or the first error; it is taken back.
    std::string type(const std::string& expression, const std::string& in = "main", const std::string& mark = "end",
                     lower::ExpressionCompiler::Want want = {}) {
        const CompiledExpression& code = compile(expression, in, mark, want);
        std::string said = code.errors.empty() ? writtenName(program.types, code.type) : code.errors.front().message;
        CHECK((code.function == ir::FuncId::None) == (!code.errors.empty() || code.namedType != TypeId::None));
        if (code.function != ir::FuncId::None) CHECK(ir::verify(program.module).empty());
        compiler.release(code);
        return said;
    }
    std::string state() {
        return ir::print(program.module) + std::to_string(program.module.typeDescriptors.size()) + " " +
               std::to_string(program.sema.instances.byFunc.size());
    }
};

} // namespace

TEST_CASE("expressions are compiled in the scope of a body, and leave nothing behind") {
    Compiling c;
    std::string before = c.state();
    CHECK(c.type("n + 1") == "i64");
    CHECK(c.type("p") == "Pt");
    CHECK(c.type("p.x * 2.5") == "f64");
    CHECK(c.type("unused(n)") == "i64");
    CHECK(c.type("twice(\"a\".len.(u8))") == "u8");
    CHECK(c.type("add(n)") == "i64");
    CHECK(c.type("parse(\"\")") == "(i64, !E)");
    CHECK(c.type("try parse(\"\")") == "i64");
    CHECK(c.type("parse(\"\") or 7") == "i64");
    CHECK(c.type("(q: i64) => q + n") == "Closure(i64) -> i64");
    CHECK(c.type("n.(any)") == "any");
    CHECK(c.type("format(\"{}\", p)") == "string");
    CHECK(c.type("Pt") == "Type");
    CHECK(c.type("null") == "null");
    CHECK(c.type("{ m := n; m }", "main", "early") == "i64");
    CHECK(c.type("((q: i64) => q + n)(1)", "main", "early") == "i64");
    CHECK(c.type("p", "main", "early").find("`p`") != std::string::npos);
    CHECK(c.type("a + sum", "main.lambda", "lambda") == "i64");
    CHECK(c.type("n + sum", "main.lambda", "lambda") == "i64");
    CHECK(c.type("doubled", "twice(i64)", "twice") == "i64");
    CHECK(c.type("doubled", "twice(f64)", "twice") == "f64");
    CHECK(c.type("T", "twice(f64)", "twice") == "Type");
    CHECK(c.type("n.(i32)", "main", "end", {.type = TypeId::I32}) == "i32");
    CHECK(c.type("n > 2", "main", "end", {.isCondition = true}) == "bool");
    CHECK(c.type("n", "main", "end", {.isCondition = true}) == "bool");
    CHECK(c.state() == before);
}

TEST_CASE("a wrong expression says why") {
    Compiling c;
    std::string before = c.state();
    CHECK(c.type("n +") != "");
    CHECK(c.type("{ m := ; n }").find("expected an expression") == 0);
    CHECK(c.type("missing").find("`missing`") != std::string::npos);
    CHECK(c.type("p.z").find("`z`") != std::string::npos);
    CHECK(c.type("twice").find("`twice`") != std::string::npos);
    CHECK(c.type("n", "main", "end", {.type = TypeId::String}).find("`string`") != std::string::npos);
    CHECK(c.type("p", "main", "end", {.isCondition = true}).find("Pt") != std::string::npos);
    CHECK(c.type("doubled").find("`doubled`") != std::string::npos);
    CHECK(c.program.diags.all().empty());
    CHECK(c.state() == before);
}

TEST_CASE("a name of the library is unknown each time where it is not imported") {
    ProgramText text("");
    std::ofstream(text.path) << "main :: () {\n    n := 3;\n}\n";
    CheckedProgram program(text.path);
    REQUIRE(program.ok);
    lower::ExpressionCompiler compiler(program.sema);
    auto isMain = [](const auto& fn) { return fn->name == "main" && !fn->blocks.empty(); };
    auto main = std::find_if(program.module.functions.begin(), program.module.functions.end(), isMain);
    REQUIRE(main != program.module.functions.end());
    for (const char* expression : {"print", "print == 2", "print"}) {
        withLargeStack([&] {
            const CompiledExpression& code = compiler.compile(expression, {(*main)->span.begin + 5, **main}, {});
            REQUIRE(code.errors.size() == 1);
            CHECK(code.errors.front().message == "unknown name `print`");
            compiler.release(code);
        });
    }
}

TEST_CASE("the variables in use are told by name and place") {
    Compiling c;
    const CompiledExpression& code = c.compile("p.x + n + p.y");
    REQUIRE(code.variables.size() == 2);
    CHECK(c.program.ast.names.text(code.variables[0].name) == "p");
    CHECK(c.program.ast.names.text(code.variables[1].name) == "n");
    CHECK(writtenName(c.program.types, code.variables[0].type) == "Pt");
    for (const lower::UsedVariable& used : code.variables)
        CHECK(llvm::any_of(c.function("main").slots, [&](const ir::Slot& slot) {
            return slot.name == used.name && slot.span.begin == used.declared.begin && slot.type == used.type;
        }));
    CHECK(!code.isPlace);
    CHECK(code.answerSize == 8);
    CHECK(c.compile("p.x").isPlace);
    CHECK(c.compile("parse(\"\")").isFailable);
}

TEST_CASE("code that is kept goes when what was made after it is gone as well") {
    Compiling c;
    std::string before = c.state();
    const CompiledExpression& first = c.compile("twice(\"a\".len.(u16)) + 1");
    std::string withFirst = c.state();
    const CompiledExpression& second = c.compile("twice(\"a\".len.(u16)) + 2");
    CHECK(c.type("n + 7") == "i64");
    unsigned generation = c.compiler.generation();
    c.compiler.release(first);
    CHECK(c.compiler.generation() == generation);
    CHECK(c.state() != before);
    CHECK(ir::verify(c.program.module).empty());
    c.compiler.release(second);
    CHECK(c.compiler.generation() != generation);
    CHECK(c.state() == before);
    CHECK(withFirst != before);
}
