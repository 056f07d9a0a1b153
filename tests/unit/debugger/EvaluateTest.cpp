// Expressions in the scope of a frame whose variables were laid out by hand.
#include "../MarkedText.h"
#include "Image.h"
#include "debugger/evaluate/Evaluator.h"
#include "types/TypeNames.h"

#include <catch2/catch.hpp>

using namespace sx;
using debugger::Datum;
using debugger::Evaluation;
using test::BlockMemory;
using test::CheckedProgram;

namespace {

const char* const Source = R"(
E :: error { Bad, Late }
Color :: enum { red; green; }
Pt :: struct { x: i64; y: f64; sum :: (self: *Pt) -> f64 { return self.x.(f64) + self.y; } }
Shape :: enum { dot; circle: f64; at: Pt; }
counter := 40;
LIMIT :: 4 * 3;
PLACE :: Pt.{ x = 7, y = 0.5 };
parse :: (s: string) -> (i64, !E) { if s.len == 0 { raise error.Bad; } return s.len; }
twice :: (v: $T) -> T { doubled := v + v; @twice@ return doubled; }
corner :: (by: i64) -> Pt { return Pt.{ x = by, y = 1.5 }; }
fib :: (n: i64) -> i64 { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); }
bump :: () -> i64 { counter += 1; return counter; }
forever :: () -> i64 { n := 0; while true { n += 1; } return n; }
deep :: (n: i64) -> i64 { return deep(n + 1) + 1; }
total :: (xs: []i64) -> i64 { sum := 0; for xs (x) { sum += x; } return sum; }
main :: () {
    n := 3;
    zero := 0;
    p := Pt.{ x = 1, y = 2 };
    at := *p;
    nowhere : *Pt = null;
    xs : []i64 = .[10, 20, 30];
    name := "text";
    maybe : ?i64 = 4;
    none : ?i64 = null;
    color := Color.green;
    shape : Shape = .circle(1.5);
    items : List(i64);
    unset := 0;
    add := (a: i64) -> i64 { sum := a + n; @lambda@ return sum; };
    box : any = n;
    print("{} {} {} {}\n", add(1), twice(2), bump(), total(xs));
    @end@
    print("{} {} {} {} {} {}\n", zero, name, maybe, none, color, shape);
    print("{} {} {} {}\n", at, nowhere, items.len, unset);
}
)";

struct Stopped : debugger::FrameView {
    test::MarkedText marked{Source};
    test::ProgramText text{marked.text};
    CheckedProgram program{text.path};
    BlockMemory memory;
    test::Image image{program.module, memory};
    debugger::Evaluator evaluator{program.sema, memory, image};
    debugger::Values values{program.types, evaluator.memory(), evaluator.addresses()};
    std::map<std::string, Datum> variables;
    std::string in = "main", mark = "end";

    Stopped() {
        REQUIRE(program.ok);
        words("n", {3});
        words("zero", {0});
        words("p", {1, 0x4000000000000000});
        words("at", {variables.at("p").address});
        words("nowhere", {0});
        uint64_t numbers = image.room(24);
        for (uint64_t k = 0; k < 3; ++k) image.putWord(numbers + 8 * k, 10 * (k + 1));
        words("xs", {numbers, 3});
        uint64_t letters = image.room(4);
        memory.write(letters, {reinterpret_cast<const uint8_t*>("text"), 4});
        words("name", {letters, 4});
        words("maybe", {4, 1});
        words("none", {0, 0});
        words("color", {1});
        words("shape", {1, 0x3FF8000000000000, 0});
        words("items", {numbers, 2, 3});
        words("add", {test::Image::Code + functionNumber("main.lambda") * 16, variables.at("n").address});
        words("box", {variables.at("n").address, *image.descriptorOf(TypeId::I64)});
        variables["unset"] = Datum::nowhere(TypeId::I64, "<not set>");
        variables["sum"] = variables["a"] = variables["doubled"] = variables["v"] = variables["n"];
    }
    void words(const std::string& name, std::initializer_list<uint64_t> all) {
        uint64_t at = image.room(8 * all.size());
        variables[name] = Datum::at(TypeId::None, at);
        for (uint64_t word : all) image.putWord(at, word), at += 8;
    }
    size_t functionNumber(const std::string& name) const {
        for (size_t k = 0; k < program.module.functions.size(); ++k)
            if (program.module.functions[k]->name == name && !program.module.functions[k]->blocks.empty()) return k;
        FAIL("no function " + name);
        return 0;
    }

    sema::CodePlace place() const override {
        SourcePos at = marked.position(const_cast<CheckedProgram&>(program), mark);
        return {at, *program.module.functions[functionNumber(in)]};
    }
    Datum variable(const lower::UsedVariable& used) override {
        Datum d = variables.at(std::string(program.ast.names.text(used.name)));
        d.type = used.type;
        return d;
    }
    bool assign(const lower::UsedVariable& used, llvm::ArrayRef<uint8_t> bytes) override {
        variables.at(std::string(program.ast.names.text(used.name))).bytes.assign(bytes.begin(), bytes.end());
        return true;
    }

    Evaluation evaluate(const std::string& expression, debugger::EvaluateOptions options = {}) {
        INFO(expression);
        std::vector<uint8_t> before = memory.bytes;
        Evaluation e = evaluator.evaluate(expression, *this, options);
        if (!options.mayWrite) CHECK(memory.bytes == before);
        return e;
    }
    std::string shown(const std::string& expression, debugger::EvaluateOptions options = {}) {
        Evaluation e = evaluate(expression, options);
        return e ? values.text(e.value) : "! " + e.error;
    }
};

} // namespace

TEST_CASE("expressions see variables, fields, elements and constants") {
    Stopped s;
    CHECK(s.shown("n") == "3");
    CHECK(s.shown("n + 1") == "4");
    CHECK(s.shown("p") == "{x: 1, y: 2}");
    CHECK(s.shown("p.x * 2.5") == "2.5");
    CHECK(s.shown("at.y") == "2");
    CHECK(s.shown("xs[1] + xs.len") == "23");
    CHECK(s.shown("sqrt(at.y * 8)") == "4");
    CHECK(s.shown("cos(at.y - 2) + sin(at.y - 2) + floor(1.5)") == "2");
    CHECK(s.shown("xs[1..3]") == "len 2");
    CHECK(s.shown("name") == "\"text\"");
    CHECK(s.shown("name == \"text\"") == "true");
    CHECK(s.shown("name.len > 4 or n == 3") == "true");
    CHECK(s.shown("items") == "len 2, cap 3");
    CHECK(s.shown("items.len") == "2");
    CHECK(s.shown("items.items[1]") == "20");
    CHECK(s.shown("maybe") == "4");
    CHECK(s.shown("maybe! + 1") == "5");
    CHECK(s.shown("none ?? 9") == "9");
    CHECK(s.shown("color == .green") == "true");
    CHECK(s.shown("shape") == ".circle(1.5)");
    CHECK(s.shown("shape.circle") == "1.5");
    CHECK(s.shown("counter + LIMIT") == "52");
    CHECK(s.shown("PLACE.x") == "7");
    CHECK(s.shown("PLACE") == "{x: 7, y: 0.5}");
    CHECK(s.shown("box") == "(i64) 3");
    CHECK(s.shown("box.(i64) + 1") == "4");
    CHECK(s.shown("Pt") == "Pt");
    CHECK(s.shown("type_of(box)") == "i64");
    CHECK(s.shown("if n > 2 then \"more\" else \"less\"") == "\"more\"");
}

TEST_CASE("values that an expression makes are read beside the program's") {
    Stopped s;
    CHECK(s.shown("\"abc\"") == "\"abc\"");
    CHECK(s.shown("Pt.{ x = n, y = 1 }") == "{x: 3, y: 1}");
    CHECK(s.shown(".[n, 2]") == "[3, 2]");
    CHECK(s.shown("Shape.at(p)") == ".at");
    CHECK(s.shown("n.(any)") == "(i64) 3");
    CHECK(s.shown("p.(any)") == "(Pt) {x: 1, y: 2}");
    CHECK(s.shown("name[1..3]") == "\"ex\"");
    CHECK(s.shown("format(\"{} {}\", n, name)") == "\"3 text\"");
    CHECK(s.shown("(q: i64) => q + n") == "(expression).lambda");
    CHECK(s.shown("twice").find("! ") == 0);
    CHECK(s.shown("fib") == "fib");
}

TEST_CASE("functions are interpreted over the program's memory") {
    Stopped s;
    CHECK(s.shown("twice(n)") == "6");
    CHECK(s.shown("twice(2.25)") == "4.5"); // an instance that the program does not have
    CHECK(s.shown("p.sum()") == "3");
    CHECK(s.shown("at.sum() + 1") == "4");
    CHECK(s.shown("corner(n)") == "{x: 3, y: 1.5}");
    CHECK(s.shown("corner(n).sum()") == "4.5");
    CHECK(s.shown("fib(15)") == "610");
    CHECK(s.shown("total(xs)") == "60");
    CHECK(s.shown("total(.[1, 2])") == "3");
    CHECK(s.shown("add(4)") == "7");
    CHECK(s.shown("((q: i64) => q * n)(5)") == "15");
    CHECK(s.shown("{ list : List(i64); list.append(n); list.append(4); "
                  "total(list.items) }") == "7");
}

TEST_CASE("failables show as results") {
    Stopped s;
    CHECK(s.shown("parse(name)") == "ok(4)");
    CHECK(s.shown("parse(\"\")") == "error.Bad");
    CHECK(s.values.row(s.evaluate("parse(\"\")").value).presentation.hasFailed);
    CHECK(s.shown("try parse(name) + 1") == "5");
    CHECK(s.shown("(try parse(\"\")) + 1") == "error.Bad");
    CHECK(s.shown("parse(\"\") or 7") == "7");
    CHECK(s.shown("parse(\"\") catch (e) { if e == error.Bad then 1 else 2 }") == "1");
}

TEST_CASE("what would change the program is refused") {
    Stopped s;
    CHECK(s.shown("bump()") == "! has side effects: it writes to the program's memory");
    CHECK(s.shown("print(\"x\")").find("! has side effects: it calls ") == 0);
    CHECK(s.shown("{ n = 5; n }").find("! has side effects") == 0);
    CHECK(s.shown("{ m := n; m = 5; m }") == "5");
    CHECK(s.shown("bump()", {.mayWrite = true}) == "41");
    CHECK(s.shown("counter") == "41");
}

TEST_CASE("evaluations end, and say why they fail") {
    Stopped s;
    debugger::EvaluateOptions brief;
    brief.limits.time = std::chrono::milliseconds(30);
    CHECK(s.shown("forever()", brief) == "! it did not end within 30 ms");
    CHECK(s.shown("deep(0)") == "! the calls are nested too deeply");
    CHECK(s.shown("xs[10]") == "! index 10 out of range for length 3");
    CHECK(s.shown("n / zero") == "! division by zero");
    CHECK(s.shown("none!") == "! unwrapped a null optional");
    CHECK(s.shown("nowhere.x") == "! null pointer");
    CHECK(s.shown("missing + 1").find("`missing`") != std::string::npos);
    CHECK(s.shown("n + missing").find("(column 5)") != std::string::npos);
    CHECK(s.shown("unset") == "! `unset` has no value here: <not set>");
    CHECK(s.shown("n +") != "");
    CHECK(s.shown("n", {.type = TypeId::String}).find("! ") == 0);
}

namespace {

/// A program that has room, and whose `write` can be called.
struct FakeHost : debugger::Host {
    test::Image& image;
    std::string written;
    explicit FakeHost(test::Image& image) : image(image) {}
    std::optional<uint64_t> allocate(uint64_t bytes) override { return image.room(bytes); }
    bool callsProgram() const override { return true; }
    bool isInFiber() override { return false; }
    Result<debugger::CValue> call(const ir::Function& function, uint64_t, llvm::ArrayRef<debugger::CValue> args,
                                  const debugger::CallLimits&) override {
        if (function.symbol == "malloc") {
            std::optional<uint64_t> block = image.room(args[0].bits);
            if (block) return debugger::CValue{function.result, *block};
            return Failure{"no room"};
        }
        if (function.symbol != "write") return Failure{"no " + function.symbol + " here"};
        std::string text(args[2].bits, '\0');
        image.memory.read(args[1].bits, {reinterpret_cast<uint8_t*>(text.data()), text.size()});
        written += text;
        return debugger::CValue{function.result, args[2].bits};
    }
};

} // namespace

TEST_CASE("statements may change the program where that is wanted") {
    Stopped s;
    FakeHost host(s.image);
    debugger::EvaluateOptions repl;
    repl.mayWrite = true;
    CHECK(s.shown("n = 5", repl) == "void");
    CHECK(s.shown("n += 2;", repl) == "void");
    CHECK(s.shown("n") == "7");
    CHECK(s.shown("p.y = 0.5", repl) == "void");
    CHECK(s.shown("p") == "{x: 1, y: 0.5}");
    CHECK(s.shown("missing = 5", repl).find("(column 1)") != std::string::npos);
    CHECK(s.shown("n = = 5", repl).find("! ") == 0);
    CHECK(s.shown("n = 5").find("! ") == 0);
    CHECK(s.shown("name = \"longer text\"", repl) == "! the program has no room for what the evaluation has made");
    repl.host = &host;
    CHECK(s.shown("name = \"longer text\"", repl) == "void");
    s.evaluator.resumed();
    CHECK(s.shown("name") == "\"longer text\"");
    CHECK(s.shown("xs = .[n, 8, 9]", repl) == "void");
    s.evaluator.resumed();
    CHECK(s.shown("total(xs)") == "24");
    CHECK(s.shown("add = (a: i64) -> i64 => a * n", repl) ==
          "! the program cannot keep code that an evaluation has made");
    CHECK(s.shown("print(\"{} is {}\n\", name, n)", repl) == "void");
    CHECK(host.written == "longer text is 7\n");
}

TEST_CASE("places are given the values of expressions") {
    Stopped s;
    FakeHost host(s.image);
    auto set = [&](const std::string& name, const std::string& type, const std::string& text) {
        Datum place = s.evaluate(name).value;
        CHECK(writtenName(s.program.types, place.type) == type);
        sx::debugger::EvaluateOptions options;
        options.host = &host;
        Result<void> done = s.evaluator.assign(place, text, s, options);
        s.evaluator.resumed();
        return done ? s.shown(name) : "! " + done.error();
    };
    CHECK(set("n", "i64", "n * 2") == "6");
    CHECK(set("name", "string", "\"ab\"") == "\"ab\"");
    CHECK(set("color", "Color", ".red") == ".red");
    CHECK(set("maybe", "?i64", "null") == "null");
    CHECK(set("none", "?i64", "8") == "8");
    CHECK(set("shape", "Shape", ".at(p)") == ".at");
    CHECK(set("xs", "[]i64", ".[1, 2]") == "len 2");
    CHECK(set("p", "Pt", ".{ x = 9, y = 9 }") == "{x: 9, y: 9}");
    CHECK(set("p.x", "i64", "\"text\"").find("! ") == 0);
    CHECK(s.shown("p.x") == "9");
    CHECK(set("n", "i64", "1 / zero") == "! division by zero");
    CHECK(s.shown("n") == "6");
}

TEST_CASE("places of the program stay places") {
    Stopped s;
    Evaluation x = s.evaluate("p.y");
    CHECK(x.value.place == Datum::Place::Memory);
    CHECK(x.value.address == s.variables["p"].address + 8);
    CHECK(!x.isConstant);
    CHECK(s.evaluate("n + 1").isConstant);
    CHECK(s.evaluate("PLACE").isConstant);
    CHECK(s.evaluate("xs[2]").value.place == Datum::Place::Memory);
}

TEST_CASE("variables in registers are copied, and written back") {
    Stopped s;
    s.variables["n"] = debugger::fromRegister(s.program.types, TypeId::I64, 8);
    CHECK(s.shown("n + 1") == "9");
    CHECK(s.evaluate("n").value.place == Datum::Place::Hand);
    CHECK(s.shown("{ n = 11; n }", {.mayWrite = true}) == "11");
    CHECK(debugger::toRegister(s.program.types, TypeId::I64, s.variables["n"].bytes) == 11);
}

TEST_CASE("the scope is that of the frame's own code") {
    Stopped s;
    s.in = "main.lambda";
    s.mark = "lambda";
    CHECK(s.shown("a + sum + n") == "9");
    CHECK(s.shown("name").find("! `name` is not captured by this function") == 0);
    s.in = "twice(i64)";
    s.mark = "twice";
    CHECK(s.shown("doubled + v.(T)").find("! ") != 0);
    CHECK(s.shown("T") == "i64");
}

TEST_CASE("nothing stays in the module when the program goes on") {
    Stopped s;
    size_t functions = s.program.module.functions.size(), globals = s.program.module.globals.size();
    for (unsigned k = 0; k < 300; ++k)
        CHECK(s.shown("twice(xs[1].(u16)) + " + std::to_string(k)) == std::to_string(40 + k));
    s.evaluator.resumed();
    CHECK(s.program.module.functions.size() == functions);
    CHECK(s.program.module.globals.size() == globals);
}

TEST_CASE("conditions are compiled once") {
    Stopped s;
    auto condition = s.evaluator.prepare("n == 4 and twice(n.(u8)) == 8", s.place(), {.isCondition = true});
    REQUIRE(condition);
    for (uint64_t k = 0; k < 10; ++k) {
        s.image.putWord(s.variables["n"].address, k);
        s.evaluator.resumed();
        CHECK(s.values.text(s.evaluator.run(**condition, s, {}).value) == (k == 4 ? "true" : "false"));
        CHECK(s.shown("n") == std::to_string(k));
    }
    s.evaluator.drop(**condition);
    CHECK(!s.evaluator.prepare("n +", s.place(), {.isCondition = true}));
    CHECK(!s.evaluator.prepare("p", s.place(), {.isCondition = true}));
}
