#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx::test;

TEST_CASE("control flow as statements and values") {
    CHECK(bodyTree("if v := f() { } else { }") ==
          "ExprStmt value(If v(cond: Call(callee: Name f), then: Block, else: Block))");
    CHECK(bodyTree("if a { } else if b { } else { }") ==
          "ExprStmt value(If(cond: Name a, then: Block, else: If(cond: Name b, then: Block, else: Block)))");
    CHECK(bodyTree("if a { } else if e == { else: }") ==
          "ExprStmt value(If(cond: Name a, then: Block, else: Match(subject: Name e, Else)))");
    CHECK(bodyTree("while v := next() { break; continue; }") ==
          "ExprStmt value(While v(cond: Call(callee: Name next), body: Block(Break, Continue)))");
    CHECK(bodyTree("x := if a then b else if c then d else e + 1;") ==
          "Var x(init: If then(cond: Name a, then: Name b, else: If then(cond: Name c, then: Name d, else: Binary "
          "+(Name e, Int 1))))");
    CHECK(
        bodyTree("x := inline if A { 1 } else { 2 };") ==
        "Var x(init: If inline(cond: Name A, then: Block(ExprStmt value(Int 1)), else: Block(ExprStmt value(Int 2))))");
    CHECK(bodyTree("if a ?? b { }") == "error: `?\?` stands in a condition only inside parentheses");
    CHECK(bodyTree("if (a ?? b) { }") == "ExprStmt value(If(cond: Paren(Binary ?\?(Name a, Name b)), then: Block))");
    CHECK(bodyTree("while a ?? b { }") == "ExprStmt value(While(cond: Binary ?\?(Name a, Name b), body: Block))");
    CHECK(bodyTree("{ { } }") == "ExprStmt value(Block(ExprStmt value(Block)))");
    CHECK(bodyTree("defer f(); defer { } onfail f();") ==
          "Defer(Call(callee: Name f)), Defer(Block), OnFail(Call(callee: Name f))");
    CHECK(bodyTree("raise e;") == "Raise(Name e)");
    CHECK(bodyTree("return;") == "Return");
    CHECK(bodyTree("return a, b;") == "Return(Name a, Name b)");
    CHECK(bodyTree("push c { } push .{ a = 1 } { }") == "ExprStmt value(Push(context: Name c, body: Block)), ExprStmt "
                                                        "value(Push(context: StructLit(a =: Int 1), body: Block))");
}

TEST_CASE("an else with a colon belongs to the match") {
    CHECK(bodyTree("if e == { case .a: if c { } else: g(); }") ==
          "ExprStmt value(Match(subject: Name e, Case(pattern: EnumLit a, ExprStmt value(If(cond: Name c, then: "
          "Block))), "
          "Else(ExprStmt ;(Call(callee: Name g)))))");
    CHECK(bodyTree("if e == { case .a: if c return; else: g(); }") ==
          "ExprStmt value(Match(subject: Name e, Case(pattern: EnumLit a, ExprStmt value(If guard(cond: Name c, then: "
          "Block(Return)))), "
          "Else(ExprStmt ;(Call(callee: Name g)))))");
}

TEST_CASE("patterns") {
    const auto pattern = [](const std::string& text) {
        const std::string tree = bodyTree("if e == { case " + text + ": }");
        const std::string prefix = "ExprStmt value(Match(subject: Name e, Case(pattern: ";
        return tree.rfind(prefix, 0) == 0 ? tree.substr(prefix.size(), tree.size() - prefix.size() - 3) : tree;
    };
    CHECK(pattern(".name") == "EnumLit name");
    CHECK(pattern(".enum") == "EnumLit enum");
    CHECK(pattern("5") == "Int 5");
    CHECK(pattern("'a'") == "Char 97");
    CHECK(pattern("true") == "Bool true");
    CHECK(pattern("struct") == "Name struct");
    CHECK(pattern("enum") == "Name enum");
    CHECK(pattern("union") == "Name union");
    CHECK(pattern("Type") == "Name Type");
    CHECK(pattern("protocol") == "Name protocol");
    CHECK(pattern("ns.Point") == "Member Point(Name ns)");
    CHECK(pattern("Box(i64)") == "Call(callee: Name Box, Name i64)");
    CHECK(pattern("[]u8") == "SliceType(Name u8)");
    CHECK(pattern("?i64") == "OptionalType(Name i64)");
    CHECK(pattern("*Node") == "Unary *(Name Node)");
    CHECK(pattern("Closure(i64)") == "ClosureType(Elem(Name i64))");
    CHECK(pattern("(i64) -> bool") == "FunctionType(Elem(Name i64), result: Name bool)");
    CHECK(pattern("error.Low") == "ErrorTag Low");
}

TEST_CASE("rejected matches") {
    CHECK(bodyMismatch("if e == { case .a@@, .b: }").empty());
    CHECK(bodyMismatch("if e == { case 1@@..3: }").empty());
    CHECK(bodyMismatch("if e == { case @@-1: }").empty());
    CHECK(bodyMismatch("if e == { case .a@@(x): }").empty());
    CHECK(bodyMismatch("if e == { case .a @@=> 1; }").empty());
    CHECK(bodyMismatch("if e == { else: @@case .a: }").empty());
    CHECK(bodyMismatch("if e == { else: @@(x) { f(x); } }").empty());
    CHECK(bodyMismatch("if e == { else: (x) + 1; }").empty());
    CHECK(bodyMismatch("if e == { @@f(); }").empty());
    CHECK(bodyMismatch("if e == { case .a: break; @@f(); }").empty());
    CHECK(bodyMismatch("if a and b == { @@case 1: }").empty());
    CHECK(bodyMismatch("@@case 1:").empty());
    CHECK(bodyMismatch("@@else { }").empty());
}

TEST_CASE("cleanup bodies may not jump") {
    CHECK(bodyMismatch("defer { @@return; }").empty());
    CHECK(bodyMismatch("defer { while c { if d { @@break; } } }").empty());
    CHECK(bodyMismatch("for xs { defer { @@continue; } }").empty());
    CHECK(bodyMismatch("onfail { @@try f(); }").empty());
    CHECK(bodyMismatch("defer @@try f();").empty());
    CHECK(bodyMismatch("defer @@return;").empty());
    CHECK(bodyMismatch("defer { @@raise error.X; }").empty());
    CHECK(bodyMismatch("defer { f() catch (e) { @@return; }; }").empty());
    CHECK(bodyMismatch("defer f(@@try g());").empty());
    CHECK(bodyMismatch("defer { if c @@return; }").empty());
    CHECK(bodyMismatch("onfail (e) { x := if c then @@return else 1; }").empty());
    CHECK(bodyMismatch("defer { g := () -> !E { try f(); return; raise error.X; }; }").empty());
    CHECK(bodyMismatch("defer each(xs) { return; };").empty());
    CHECK(bodyMismatch("defer { g :: () { return; } }").empty());
    CHECK(bodyMismatch("defer { if e == { case .a: break; } }").empty()); // an empty arm
    CHECK(bodyMismatch("defer { } return;").empty());
    CHECK(bodyMismatch("defer { defer { } @@return; }").empty());
}

TEST_CASE("raise and onfail are no expressions") {
    CHECK(bodyMismatch("x := @@raise error.X;").empty());
    CHECK(bodyMismatch("f(@@raise error.X);").empty());
    CHECK(bodyMismatch("x := if c then @@raise error.X else 1;").empty());
    CHECK(bodyMismatch("x := if c { raise error.X; } else { 1 };").empty());
    CHECK(bodyMismatch("if c then 1 else @@raise error.X;").empty());
    CHECK(bodyMismatch("x := @@onfail f();").empty());
    CHECK(bodyMismatch("f() catch (e) @@raise e;").empty());
}

TEST_CASE("break and continue outside of loops") {
    CHECK(bodyMismatch("@@break;").empty());
    CHECK(bodyMismatch("@@continue;").empty());
    CHECK(bodyMismatch("if c { @@break; }").empty());
    CHECK(bodyMismatch("while c { break; } @@break;").empty());
    CHECK(bodyMismatch("while c { f := () { @@break; }; }").empty());
    CHECK(bodyMismatch("while c { g :: () { @@continue; } }").empty());
    CHECK(bodyMismatch("while c { each(xs) { @@break; } }").empty());
    CHECK(bodyMismatch("inline for 0..3 { @@break; }").empty());
    CHECK(bodyMismatch("while c { inline for 0..3 { break; } }").empty());
    CHECK(bodyMismatch("for xs => if c break;").empty());
    CHECK(bodyMismatch("while c { if e == { case .a: f(); break; } }").empty());
    CHECK(bodyMismatch("if e == { case .a: break; case .b: f(); @@break; }").empty());
    CHECK(bodyMismatch("if e == { else: @@break; }").empty());
    CHECK(bodyMismatch("x := if c then @@break else 1;").empty());
    CHECK(bodyMismatch("while c { x := f() catch (e) break; }").empty());
    CHECK(bodyMismatch("while f(@@break) { }").empty());
}

TEST_CASE("for headers") {
    CHECK(bodyMismatch("for xs@@: (x) { }").empty());
    CHECK(bodyMismatch("for xs@@: { }").empty());
    CHECK(bodyMismatch("for xs, ys (x) @@{ }").empty());
    CHECK(bodyMismatch("for xs (x, y) @@=> f();").empty());
    CHECK(bodyMismatch("for 0.. (i) @@{ }").empty());
    CHECK(bodyMismatch("for 0.. @@{ }").empty());
    CHECK(bodyMismatch("for xs, 0.. (x, *i) @@{ }").empty());
    CHECK(bodyMismatch("for f(@@) { }").empty());
    CHECK(bodyMismatch("for f(@@1) { }").empty());
    CHECK(bodyMismatch("for f(x @@+ 1) { }").empty());
    CHECK(bodyMismatch("for 0..= @@(i) { }").empty());
    CHECK(bodyMismatch("for 0..< @@{ }").empty());
    CHECK(bodyMismatch("_ = s[1..=@@];").empty());
    CHECK(bodyMismatch("_ = s[..<@@];").empty());
    CHECK(bodyMismatch("for xs (x) @@f();").empty());
    CHECK(bodyMismatch("for @@x in xs { }").empty());
    CHECK(bodyMismatch("for @@i in 0..10 { }").empty());
}

TEST_CASE("targets") {
    CHECK(bodyMismatch("a, b.c @@:= f();").empty());
    CHECK(bodyMismatch("a.b @@:= 1;").empty());
    CHECK(bodyMismatch("a, b = 1@@;").empty());
    CHECK(bodyMismatch("a, b = 1, 2, 3@@;").empty());
    CHECK(bodyMismatch("a, b @@+= 1, 2;").empty());
    CHECK(bodyMismatch("a, b@@;").empty());
    CHECK(bodyMismatch("a, b := 1@@, 2;").empty());
    CHECK(bodyMismatch("f(x).y @@: i64;").empty());
}

TEST_CASE("parentheses and literals") {
    CHECK(bodyMismatch("x := (1@@, 2);").empty());
    CHECK(bodyMismatch("x := (@@);").empty());
    CHECK(bodyMismatch("x := .@@(1, 2);").empty());
    CHECK(bodyMismatch("x := t.@@0.1;").empty());
    CHECK(bodyMismatch("x := f() { }@@.y;").empty());
    CHECK(bodyMismatch("f() { }\n@@.g();").empty());
    CHECK(bodyMismatch("x := @@18446744073709551616;").empty());
    CHECK(bodyMismatch("x := @@0x;").empty());
    CHECK(bodyMismatch("x := 'ab'@@;").empty()); // at the token after the literal
    CHECK(bodyMismatch("x := f('' @@);").empty());
    CHECK(bodyMismatch("x := '\\q' @@+ 1;").empty());
    CHECK(bodyMismatch("x := @@'a;").empty());
    CHECK(bodyMismatch("x := @@\"open;").empty());
    CHECK(bodyMismatch("x := @@#string E\n;").empty());
    CHECK(bodyMismatch("x := a @@@ b;").empty());
    CHECK(bodyMismatch("x := caf@@\xC3\xA9;").empty());
    CHECK(bodyMismatch("x := @@`;").empty());
    CHECK(bodyMismatch("x := [1@@, 2];").empty());
    CHECK(bodyMismatch("x := .{ a@@: 1 };").empty());
    CHECK(bodyMismatch("x := error@@;").empty());
    CHECK(bodyMismatch("x := a +@@;").empty());
    CHECK(bodyMismatch("f(a, @@, b);").empty());
    CHECK(bodyMismatch("f(a @@b);").empty());
    CHECK(bodyMismatch("a[1@@;").empty());
    CHECK(bodyMismatch("f(a@@;").empty());
    CHECK(bodyMismatch("defer x @@= 1;").empty());
    CHECK(bodyMismatch("@@;").empty());
    CHECK(bodyMismatch("@@);").empty());
    CHECK(bodyMismatch("if x @@= 5 { }").empty());
    CHECK(bodyMismatch("while x @@= 5 { }").empty());
    CHECK(bodyMismatch("if x @@f();").empty());
    CHECK(bodyMismatch("x : i64 @@== 5;").empty());
}
