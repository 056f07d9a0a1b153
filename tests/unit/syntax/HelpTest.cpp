// Slips of people who come from other languages get a help line, and one message.
#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::test;

namespace {

/// "" if there is exactly one error and a help with this text.
std::string helpMismatch(const std::string& source, std::string_view help) {
    const Parsed parsed(source);
    if (parsed.diags.errorCount() == 1 && parsed.helpContains(help)) return {};
    return parsed.rendered();
}

std::string bodyHelp(const std::string& stmts, std::string_view help) {
    return helpMismatch("f :: () {\n" + stmts + "\n}\n", help);
}

} // namespace

TEST_CASE("declarations of other languages") {
    CHECK(bodyHelp("let x = 5;", "NAME := VALUE;") == "");
    CHECK(bodyHelp("var x = 5;", "NAME := VALUE;") == "");
    CHECK(bodyHelp("const x = 5;", "NAME :: VALUE;") == "");
    CHECK(bodyHelp("i64 x = 5;", "`x : i64 = …;`") == "");
    CHECK(bodyHelp("int x = 5;", "`x : TYPE = …;`") == "");
    CHECK(helpMismatch("fn main() -> i32 {\n    return 0;\n}\n", "a function is declared") == "");
    CHECK(helpMismatch("func main() {\n}\n", "a function is declared") == "");
    CHECK(helpMismatch("def main():\n", "a function is declared") == "");
    CHECK(helpMismatch("int f(int a) {\n    return a;\n}\n", "`f :: (PARAMETER: TYPE) -> i32 { … }`") == "");
    CHECK(helpMismatch("f :: (a i64) { }\n", "`a: i64`") == "");
    CHECK(helpMismatch("f :: (a: ...) { }\n", "`..NAME: TYPE`") == "");
    CHECK(helpMismatch("f :: (a: &i64) { }\n", "`*T`") == "");
    CHECK(helpMismatch("f :: () -> i64, i64 { }\n", "`-> (A, B)`") == "");
    CHECK(helpMismatch("f<T> :: (a: T) { }\n", "`(x: $T) -> T`") == "");
    CHECK(helpMismatch("List<i64> xs;\n", "`List(T)`") == "");
    CHECK(helpMismatch("export f :: () { }\n", "behind the signature") == "");
    CHECK(helpMismatch("impl S { }\n", "stand in the type itself") == "");
    CHECK(helpMismatch("-- a comment\n", "start with `//`") == "");
    CHECK(helpMismatch("#import modules/std.sx;\n", "in double quotes") == "");
    CHECK(helpMismatch("s :: @import(\"std\");\n", "#import \"PATH\"") == "");
    CHECK(helpMismatch("#define N 3\n", "NAME :: VALUE;") == "");
    CHECK(helpMismatch("#ifdef N\n", "inline if") == "");
    CHECK(helpMismatch("struct Point {\n    x: i64;\n}\n", "NAME :: struct") == "");
    CHECK(helpMismatch("enum Color {\n    red;\n}\n", "NAME :: enum") == "");
    CHECK(helpMismatch("error Fault { A }\n", "NAME :: error") == "");
    CHECK(helpMismatch("protocol Sink { }\n", "NAME :: protocol") == "");
    CHECK(helpMismatch("class Point { }\n", "NAME :: struct") == "");
    CHECK(helpMismatch("import \"x.sx\";\n", "#import") == "");
    CHECK(helpMismatch("#include \"x.h\"\n", "#import c") == "");
    CHECK(helpMismatch("x = 5;\n", "`x := VALUE;`") == "");
    CHECK(helpMismatch("x :: i64 = 5;\n", "`x : TYPE = VALUE;`") == "");
    CHECK(helpMismatch("x : i64 == 5;\n", "single `=`") == "");
    CHECK(helpMismatch("S :: struct { a: i64, b: i64; }\n", "end with `;`") == "");
    CHECK(helpMismatch("E :: enum { a, b }\n", "end with `;`") == "");
    CHECK(helpMismatch("S :: struct {\n    a: i64,\n    b: i64,\n    c: i64,\n}\n", "end with `;`") ==
          ""); // a habit is mentioned once
    CHECK(helpMismatch("U :: union { a: i64, b: u64, }\n", "end with `;`") == "");
    CHECK(helpMismatch("E :: enum { a = 1; }\n", "name :: VALUE;") == "");
    CHECK(helpMismatch("E :: error { A; B }\n", "commas") == "");
}

TEST_CASE("statements of other languages") {
    CHECK(bodyHelp("if x == { case 1: g(); break; }", "leave the `break` out") == "");
    CHECK(bodyHelp("if x == { case 1: g(); else: break; }", "`else: {}`") == "");
    CHECK(bodyHelp("print \"hello\";", "`print(\"…\")`") == "");
    CHECK(bodyHelp("x : = 3;", "`:=` without a blank") == "");
    CHECK(bodyHelp("return", "`return;`") == "");
    CHECK(bodyHelp("y := 1 if x else 2;", "if CONDITION then A else B") == "");
    CHECK(bodyHelp("if p is null { }", "`x == null`") == "");
    CHECK(bodyHelp("if p is not None { }", "`x != null`") == "");
    CHECK(bodyHelp("unsigned int q = 3;", "`q : TYPE = …;`") == "");
    CHECK(bodyHelp("int arr[3];", "`arr : [N]TYPE = …;`") == "");
    CHECK(bodyHelp("x := n === 3;", "compared with `==`") == "");
    CHECK(bodyHelp("if n !== 3 { }", "compared with `!=`") == "");
    CHECK(bodyHelp("onfail (e) f(e);", "`onfail (e) { … }`") == "");
    CHECK(bodyHelp("x := (int)n;", "`n.(TYPE)`") == "");
    CHECK(bodyHelp("x := L\"wide\";", "no prefix") == "");
    CHECK(bodyHelp("x := 1'000;", "`1_000`") == "");
    CHECK(helpMismatch("bool is(int x) { }\n", "`is :: (PARAMETER: TYPE) -> bool { … }`") == "");
    CHECK(helpMismatch("f :: (m: map[string]i64) { }\n", "`HashMap(K, V)`") == "");
    CHECK(bodyHelp("repeat { n -= 1; } while n > 0;", "if !CONDITION { break; }") == "");
    CHECK(bodyHelp("repeat { n -= 1; } until n > 0;", "; if CONDITION { break; }") == "");
    CHECK(bodyHelp("for i, x := range xs { }", "`for VALUES, 0.. (x, i) { … }`") == "");
}

TEST_CASE("misspelled keywords") {
    CHECK(helpMismatch("S :: strct { x: i64; }\n", "did you mean this?") == "");
    CHECK(bodyHelp("retrun 5;", "did you mean this?") == "");
    CHECK(bodyHelp("whlie true { }", "did you mean this?") == "");
    CHECK(bodyHelp("g() cach { };", "did you mean this?") == "");
    CHECK(bodyHelp("if a { } esle { }", "did you mean this?") == "");
    CHECK(helpMismatch("int add(int a) { return a; }\n", "`add :: (PARAMETER: TYPE) -> i32 { … }`") == "");
    CHECK(helpMismatch("void foo() throws E { }\n", "`foo :: (PARAMETER: TYPE) -> void { … }`") == "");
    CHECK_FALSE(Parsed("mod foo;\n").helpContains("did you mean"));
    CHECK(bodyHelp("f() g();", "add a `;` here") == "");
    CHECK(bodyHelp("f()\npear = 5;", "add a `;` here") == "");
    CHECK_FALSE(Parsed("f :: () {\npear 5;\n}\n").helpContains("add a `;` here"));
}

TEST_CASE("types") {
    CHECK(helpMismatch("f :: () -> i64 ! { }\n", "`(i64, !)`") == "");
    CHECK(helpMismatch("f :: () -> []u8 !Fault { }\n", "`([]u8, !Fault)`") == "");
    CHECK(helpMismatch("g : (i64, bool);\n", "`Tuple(i64, bool)`") == "");
    CHECK(helpMismatch("g : ??i64;\n", "?(?T)") == "");
}

TEST_CASE("types and literals of other languages") {
    CHECK(bodyHelp("xs : i64[3];", "`[3]i64`") == "");
    CHECK(bodyHelp("xs : i64[];", "`[]i64`") == "");
    CHECK(bodyHelp("xs : List[u8];", "`List(u8)`") == "");
    CHECK(bodyHelp("xs : Map<string, i64>;", "`HashMap(K, V)`") == "");
    CHECK(bodyHelp("s := S{ x = 1 };", "`S.{ … }`") == "");
    CHECK(bodyHelp("s : S = { x = 1 };", "`.{ … }`") == "");
    CHECK(bodyHelp("x := (u8)n;", "`n.(u8)`") == "");
    CHECK(bodyHelp("f(1));", "closes nothing") == "");
}

TEST_CASE("operators of other languages") {
    CHECK(bodyHelp("x++;", "x += 1") == "");
    CHECK(bodyHelp("x--;", "x -= 1") == "");
    CHECK(bodyHelp("++x;", "x += 1") == "");
    CHECK(bodyHelp("y := &x;", "*x") == "");
    CHECK(bodyHelp("if a && b { }", "`and` and `or`") == "");
    CHECK(bodyHelp("if a || b { }", "`and` and `or`") == "");
    CHECK(bodyHelp("if not a { }", "!x") == "");
    CHECK(bodyHelp("x := c ? 1 : 2;", "then A else B") == "");
    CHECK(bodyHelp("x := p->y;", "`.`") == "");
    CHECK(bodyHelp("p.*= 1;", "put a space") == "");
    CHECK(bodyHelp("x := (1, 2);", ".{1, 2}") == "");
    CHECK(bodyHelp("x := [1, 2];", ".[") == "");
    CHECK(bodyHelp("x := .{ a: 1 };", "name = value") == "");
    CHECK(bodyHelp("x := t.0.1;", "(t.0).1") == "");
    CHECK(bodyHelp("x := 1e5;", "exponent") == "");
    CHECK(bodyHelp("x := 5u8;", "suffix") == "");
    CHECK(bodyHelp("x := 'text';", "\"text\"") == "");
    CHECK(bodyHelp("x := 'text;", "double quotes") == "");
    CHECK(bodyHelp("x := @y;", "p.*") == "");
    CHECK(bodyHelp("x := \xE2\x80\x9Ctext\xE2\x80\x9D;", "plain double quotes") == "");
    CHECK(bodyHelp("x := #rnu f();", "#run") == "");
}

TEST_CASE("control flow of other languages") {
    CHECK(bodyHelp("if x = 5 { }", "==") == "");
    CHECK(bodyHelp("while x = 5 { }", "==") == "");
    CHECK(bodyHelp("if a { } elif b { }", "else if") == "");
    CHECK(bodyHelp("switch x { }", "if VALUE == {") == "");
    CHECK(bodyHelp("match x {\n case 1: f();\n}\n", "if VALUE == {") == "");
    CHECK(bodyHelp("for x in xs { }", "`for xs (x) { … }`") == "");
    CHECK(bodyHelp("for i in 0..10 { }", "`for 0..10 (i) { … }`") == "");
    CHECK(bodyHelp("for xs: (x) { }", "for VALUES (x)") == "");
    CHECK(bodyHelp("for f(1) { }", "parentheses") == "");
    CHECK(bodyHelp("throw x;", "raise error.NAME") == "");
    CHECK(bodyHelp("f() catch 0;", "to bind the error") == "");
    CHECK(bodyHelp("if e == { case .a, .b: f(); }", "one `case`") == "");
    CHECK(bodyHelp("if e == { case .a(x): f(); }", "behind the colon") == "");
    CHECK(bodyHelp("if e == { case .a: => x = 1; }", "leave the arrow out") == "");
    CHECK(bodyHelp("defer x = 1;", "defer { … }") == "");
    CHECK(bodyHelp("defer { try f(); }", "catch") == "");
    CHECK(bodyHelp("if c return; else { }", "braces") == "");
}

TEST_CASE("failures and fallbacks of other languages") {
    CHECK(bodyHelp("x := f()?;", "`try f()`") == "");
    CHECK(bodyHelp("x := a.b(1)?;", "`try a.b(1)`") == "");
    CHECK(bodyHelp("x := f() else 3;", "`f() or 3`") == "");
    CHECK(bodyHelp("x := f() orelse 3;", "`x ?? VALUE`") == "");
    CHECK(bodyHelp("errdefer { g(); }", "onfail") == "");
    CHECK(bodyHelp("x := f() catch (e) { case .a: 1; case .b: 2; else: 3; };", "catch (e) == {") == "");
    CHECK(bodyHelp("if x { case 1: f(); else: g(); }", "`==` is missing") == "");
    CHECK(bodyHelp("if let y = x { }", "`if y := OPTIONAL { … }`") == "");
}

TEST_CASE("loops and lambdas of other languages") {
    CHECK(bodyHelp("for i := 0; i < n; i += 1 { f(i); }", "`for 0..n (i) { … }`") == "");
    CHECK(bodyHelp("for (i := 2; i <= a.b; i++) { f(i); }", "`for 2..=a.b (i) { … }`") == "");
    CHECK(bodyHelp("for (int i = 0; i < n; i++) {\n    f(i);\n}", "`for 0..n (i) { … }`") == "");
    CHECK(bodyHelp("for (;;) { f(); }", "while CONDITION") == "");
    CHECK(bodyHelp("for 0..3 |i| { f(i); }", "`for VALUES (i) { … }`") == "");
    CHECK(bodyHelp("for xs |*x, k| { f(k); }", "`for VALUES (*x, k) { … }`") == "");
    CHECK(bodyHelp("for i, x in xs { }", "`for xs, 0.. (x, i) { … }`") == "");
    CHECK(bodyHelp("repeat { f(); }", "while true") == "");
    CHECK(bodyHelp("if c:\n    f();\n", "in braces") == "");
    CHECK(bodyHelp("x : i64 := 3;", "`NAME : i64 = VALUE;`") == "");
    CHECK(bodyHelp("x := `text`;", "double quotes") == "");
    CHECK(bodyHelp("x := a <> b;", "`!=`") == "");
    CHECK(bodyHelp("if x == { 1: f(); }", "`case PATTERN: …`") == "");
    CHECK(helpMismatch("S :: struct<T> { x: T; }\n", "`struct ($T: Type) { … }`") == "");
    CHECK(helpMismatch("f :: () { }\nprint(1);\ng :: () { }\n", "too many above") == "");
    CHECK(bodyHelp("for (0..3) (i) { }", "without parentheses") == "");
    CHECK(bodyHelp("g := |a, b| a + b;", "`(a, b) => a + b`") == "");
    CHECK(bodyHelp("map(xs, |x| x * 2);", "`(x) => x * 2`") == "");
    CHECK(bodyHelp("g := x => x + 1;", "`(x) => x + 1`") == "");
    CHECK(bodyHelp("g := lambda x: x + 1;", "`(x) => x + 1`") == "");
    CHECK(bodyHelp("if (c) x = 1;", "`{ x = 1; }`") == "");
    CHECK(bodyHelp("if c\n    x = 1;\nelse\n    x = 2;", "`{ x = 1; }`") == "");
    CHECK(bodyHelp("while (c) x = 1;", "`{ x = 1; }`") == "");
    CHECK(bodyHelp("x := (f64)y;", "`y.(f64)`") == "");
    CHECK(bodyHelp("x := Room::cellar;", "`Room.cellar`") == "");
    CHECK(bodyHelp("f(1, b: 2);", "`b = …`") == "");
    CHECK(bodyHelp("switch (x) { case 1: f(); break; }", "if VALUE == {") == "");
    CHECK(helpMismatch("g :: fn(a: i64) -> i64 { return a; }\n", "a function is declared") == "");
}

TEST_CASE("comments of other languages") {
    CHECK(bodyHelp("/* a comment */ x();", "//") == "");
    CHECK(bodyHelp("/* lines\n of text: it's\n nothing; at all { */\nx();", "//") == "");
    CHECK(bodyHelp("x := a /* really */ + b;", "//") == "");
    CHECK(helpMismatch("/* a\n b */\nx :: 1;\n", "//") == "");
}

TEST_CASE("a missing semicolon is shown where it belongs") {
    const Parsed parsed("f :: () {\n    x := 1\n    y := 2;\n}\n");
    CHECK(parsed.rendered() == "error: expected `;` after this declaration, found `y`\n"
                               "  --> t.sx:3:5\n"
                               "   |\n"
                               " 3 |     y := 2;\n"
                               "   |     ^\n"
                               "\n"
                               "help: add a `;` here\n"
                               "   |\n"
                               " 2 |     x := 1\n"
                               "   |           ^\n");
}

TEST_CASE("signatures of other languages") {
    CHECK(helpMismatch("f :: () i64 { }\n", "behind `->`") == "");
    CHECK(helpMismatch("f :: () !i64 { }\n", "behind `->`") == "");
    CHECK(helpMismatch("f :: (x: i64) : i64 { }\n", "behind `->`") == "");
    CHECK(helpMismatch("f :: (x: i64) throws -> i64 { }\n", "`-> (T, !)`") == "");
    CHECK(helpMismatch("f : () -> i64 { return 5; }\n", "`f :: () -> i64 { … }`") == "");
    CHECK(helpMismatch("main { f(); }\n", "`main :: () { … }`") == "");
    CHECK(helpMismatch("f :: (a: i64, b=3) { }\n", "`b: i64 = 3`") == "");
    CHECK(helpMismatch("f :: (x?: i64) { }\n", "`x: ?i64`") == "");
    CHECK(helpMismatch("f :: (x: i64 | null) { }\n", "`?i64`") == "");
    CHECK(helpMismatch("f :: (*args) { }\n", "`..NAME: TYPE`") == "");
    CHECK(helpMismatch("f :: (args...) { }\n", "`..NAME: TYPE`") == "");
    CHECK(helpMismatch("extern int f(int);\n", "RESULT extern;") == "");
    CHECK(helpMismatch("f :: () -> HashMap<string, List<i64>> { }\n", "in parentheses: `HashMap(string, List(i64))`") ==
          "");
    CHECK(helpMismatch("f :: () -> List<i64> { }\ng :: () { }\n", "in parentheses: `List(i64)`") == "");
    CHECK(helpMismatch("f :: () -> Vec<i64> { }\ng :: () { }\n", "a `List(T)`") == "");
    CHECK(helpMismatch("S :: struct { var x: i64; }\n", "`NAME: TYPE;`") == "");
    CHECK(helpMismatch("@Override\nf :: () { }\n", "there are no annotations") == "");
    // Where the failure is said to be in the parameters, it is behind them.
    CHECK(Parsed("f :: (x: i64) i64 { }\n").rendered().find("t.sx:1:15") != std::string::npos);
}

TEST_CASE("statements that need a look around") {
    CHECK(bodyHelp("String s = \"a\";", "`s : TYPE = …;`") == "");
    CHECK(bodyHelp("boolean b = true;", "truth values are `bool`") == "");
    CHECK(bodyHelp("final int x = 5;", "`NAME :: VALUE;`") == "");
    CHECK(bodyHelp("(a, b) := f();", "`a, b := …;`") == "");
    CHECK(bodyHelp("[a, b] = [b, a];", "`a, b = …, …;`") == "");
    CHECK(bodyHelp("x = y = 3;", "yields no value") == "");
    CHECK(bodyHelp("x ?\?= 5;", "`x = x ?? …;`") == "");
    CHECK(bodyHelp("if err := f(); err != 3 { g(); }", "in front of the `if`") == "");
    CHECK(bodyHelp("if (o) |v| { g(); }", "`if v := o { … }`") == "");
    CHECK(bodyHelp("while let Some(x) = it.next() { }", "`while x := OPTIONAL { … }`") == "");
    CHECK(bodyHelp("for i in range(10) { }", "`for 0..10 (i) { … }`") == "");
    CHECK(bodyHelp("for i in range(a, b) { }", "`for a..b (i) { … }`") == "");
    CHECK(bodyHelp("for i in range(n) { }", "`for 0..n (i) { … }`") == "");
    CHECK(bodyHelp("for (const x of xs) { }", "`for xs (x) { … }`") == "");
    CHECK(bodyHelp("for (String s : xs) { }", "`for xs (s) { … }`") == "");
    CHECK(bodyHelp("foreach (var x in xs) { }", "`for xs (x) { … }`") == "");
    CHECK(bodyHelp("for i = 0..3 { }", "`for 0..3 (i) { … }`") == "");
    CHECK(bodyHelp("for 0..3 (i) print(\"x\");", "`for 0..3 (i) { … }`") == "");
    CHECK(bodyHelp("for (i) 0..3 { }", "`for 0..3 (i) { … }`") == "");
    CHECK(bodyHelp("do { g(); } catch { h(); }", "`f() catch (e) { … }`") == "");
    CHECK(bodyHelp("switch (x) { 1 => g(), else => h() }", "a match is written") == "");
    CHECK(bodyHelp("if e == { case .a => g() }", "`case .a: …`") == "");
    CHECK(bodyHelp("x := f() catch |e| { 5 };", "`catch (e) …`") == "");
    CHECK_FALSE(Parsed("f :: () {\nx := f() catch |e| { 5 };\n}\n").helpContains("lambda"));
}

TEST_CASE("values that need a look around") {
    CHECK(bodyHelp("a := []i64{1, 2};", "`.[ … ]`") == "");
    CHECK(bodyHelp("x := { a: 1 };", "`.{ a = … }`") == "");
    CHECK(bodyHelp("x := {\"a\": 1};", "HashMap(K, V) = .{}") == "");
    CHECK(bodyHelp("x := S.{ .a = 1 };", "`a = …`") == "");
    CHECK(bodyHelp("x := s[0:2];", "`s[0..2]`") == "");
    CHECK(bodyHelp("x := o.?;", "`o!`") == "");
    CHECK(bodyHelp("x := a ++ b;", "`concat(a, b)`") == "");
    CHECK(bodyHelp("x := \"a\" ++ \"b\";", "`concat(\"a\", \"b\")`") == "");
    CHECK(bodyHelp("f := |x: i64| -> i64 { x + 1 };", "`(x: i64) -> i64 { … }`") == "");
    CHECK(bodyHelp("x := @as(u8, 5);", "`x.(TYPE)`") == "");
    CHECK(bodyHelp("x := [0; 10];", "[N]TYPE") == "");
    CHECK(bodyHelp("x := [i for i in xs];", "list.append") == "");
    CHECK(bodyHelp("f(ref x);", "`f(*x)`") == "");
    CHECK(bodyHelp("xs.each { }", "`xs.each() { … }`") == "");
    for (const char* text : {"x := 1..=5;", "unsafe { }", "select { }", "x := a | b;}"}) {
        CAPTURE(text);
        const Parsed parsed("f :: () {\n" + std::string(text) + "\n}\n");
        CHECK_FALSE(parsed.helpContains("literal is written with a dot"));
        CHECK_FALSE(parsed.helpContains("add a `;`"));
    }
}
