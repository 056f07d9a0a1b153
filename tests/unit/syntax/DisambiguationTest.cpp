// One test case for each rule of the language reference 8.6.
#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx::test;

TEST_CASE("(a) function or expression") {
    CHECK(itemTree("f :: (n: i64) { }") == "Function f(Param n(type: Name i64), body: Block)");
    CHECK(itemTree("f :: (n: i64) => n;") == "Function f =>(Param n(type: Name i64), body: Name n)");
    CHECK(itemTree("f :: (n: i64) -> i64 { n }") ==
          "Function f(Param n(type: Name i64), result: Name i64, body: Block(ExprStmt value(Name n)))");
    CHECK(itemTree("f :: () -> i64 intrinsic;") == "Function f intrinsic(result: Name i64)");
    CHECK(itemTree("f :: (v: i64) #set { }") == "Function f #set(Param v(type: Name i64), body: Block)");
    CHECK(itemTree("f :: () -> i64 #get => 1;") == "Function f #get =>(result: Name i64, body: Int 1)");
    CHECK(itemTree("f :: () abi(.c) { }") == "Function f abi(.c)(body: Block)");
    CHECK(itemTree("f :: () extern;") == "Function f extern no-body");
    CHECK(itemTree("f :: () -> i32 extern libm \"pow\";") ==
          "Function f extern libm \"pow\" no-body(result: Name i32)");
    CHECK(itemTree("f :: () -> i32 export \"g\" { 1 }") ==
          "Function f export \"g\"(result: Name i32, body: Block(ExprStmt value(Int 1)))");
    CHECK(itemTree("f :: () -> [N + 1]Box(i64, 'c') { }") ==
          "Function f(result: ArrayType(count: Binary +(Name N, Int 1), elem: Call(callee: Name Box, Name i64, Char "
          "99)), body: Block)");
    CHECK(itemTree("f :: () -> struct { a: i64; } { }") ==
          "Function f(result: InlineType(Struct(Field a(type: Name i64))), body: Block)");
    CHECK(itemTree("f :: () -> (i64) -> bool { }") ==
          "Function f(result: FunctionType(Elem(Name i64), result: Name bool), body: Block)");
    CHECK(itemTree("F :: (i64) -> bool;") == "Const F(value: FunctionType(Elem(Name i64), result: Name bool))");
    CHECK(itemTree("F :: (A) -> (B) -> C;") ==
          "Const F(value: FunctionType(Elem(Name A), result: FunctionType(Elem(Name B), result: Name C)))");
    CHECK(itemTree("F :: (*void) -> i64 abi(.c);") != itemTree("F :: (*void) -> i64;"));
    CHECK(itemTree("K :: (1 + 2) * 3;") == "Const K(value: Binary *(Paren(Binary +(Int 1, Int 2)), Int 3))");
}

TEST_CASE("(b) lambda or grouping") {
    CHECK(exprTree("(n) => n") == "Lambda(LambdaFunction =>(Param n, body: Name n))");
    CHECK(exprTree("() => 1") == "Lambda(LambdaFunction =>(body: Int 1))");
    CHECK(exprTree("(a, b) => a") == "Lambda(LambdaFunction =>(Param a, Param b, body: Name a))");
    CHECK(exprTree("(n: i64) -> i64 => n") ==
          "Lambda(LambdaFunction =>(Param n(type: Name i64), result: Name i64, body: Name n))");
    CHECK(exprTree("(n: i64) -> (i64, !E) { }") ==
          "Lambda(LambdaFunction(Param n(type: Name i64), result: ResultList(Elem(Name i64), Elem(ErrorChannel(Name "
          "E))), body: Block))");
    CHECK(exprTree("() -> !E { }") == "Lambda(LambdaFunction(result: ErrorChannel(Name E), body: Block))");
    CHECK(exprTree("() -> Closure(i64) -> i64 { }") ==
          "Lambda(LambdaFunction(result: ClosureType(Elem(Name i64), result: Name i64), body: Block))");
    CHECK(exprTree("() { }") == "Lambda(LambdaFunction(body: Block))");
    CHECK(exprTree("(x) { }") == "Lambda(LambdaFunction(Param x, body: Block))");
    CHECK(exprTree("(x: i64) { }") == "Lambda(LambdaFunction(Param x(type: Name i64), body: Block))");
    CHECK(exprTree("(x, y) { }") == "Lambda(LambdaFunction(Param x, Param y, body: Block))");
    CHECK(exprTree("() abi(.c) { }") == "Lambda(LambdaFunction abi(.c)(body: Block))");
    CHECK(exprTree("() => { 1 }") == "Lambda(LambdaFunction =>(body: Block(ExprStmt value(Int 1))))");
    CHECK(exprTree("(a + b)") == "Paren(Binary +(Name a, Name b))");
    CHECK(exprTree("(i64) -> i64") == "FunctionType(Elem(Name i64), result: Name i64)");
    CHECK(exprTree("f((i64) -> i64, (n) => n)") == "Call(callee: Name f, FunctionType(Elem(Name i64), result: Name "
                                                   "i64), Lambda(LambdaFunction =>(Param n, body: Name n)))");
}

TEST_CASE("(b) a brace in a header makes no lambda") {
    CHECK(bodyTree("if (ready) { }") == "ExprStmt value(If(cond: Paren(Name ready), then: Block))");
    CHECK(bodyTree("while (ready) { }") == "ExprStmt value(While(cond: Paren(Name ready), body: Block))");
    CHECK(bodyTree("for (xs) { }") == "ExprStmt value(For(over: Paren(Name xs), body: Block))");
    CHECK(bodyTree("for (xs) => g();") ==
          "ExprStmt value(For(over: Paren(Name xs), body: Block(ExprStmt ;(Call(callee: Name g)))))");
    CHECK(bodyTree("push (c) { }") == "ExprStmt value(Push(context: Paren(Name c), body: Block))");
    CHECK(bodyTree("if any(xs, (x) { x }) { }") ==
          "ExprStmt value(If(cond: Call(callee: Name any, Name xs, Lambda(LambdaFunction(Param x, "
          "body: Block(ExprStmt value(Name x))))), then: Block))");
}

TEST_CASE("(c) named elements") {
    CHECK(bodyTree("return hi = a, lo = b;") == "Return(hi =: Name a, lo =: Name b)");
    CHECK(bodyTree("return a == b;") == "Return(Binary ==(Name a, Name b))");
}

TEST_CASE("(d) a brace group behind a literal") {
    CHECK(bodyTree("x := .{ 1 } { g(); };") ==
          "Var x(init: StructLit(Int 1, init: Block(ExprStmt ;(Call(callee: Name g)))))");
    CHECK(bodyTree("push .{ a = 1 } { g(); }") ==
          "ExprStmt value(Push(context: StructLit(a =: Int 1), body: Block(ExprStmt ;(Call(callee: Name g)))))");
    CHECK(
        bodyTree("if x == .{ 1 } { g(); }") ==
        "ExprStmt value(If(cond: Binary ==(Name x, StructLit(Int 1)), then: Block(ExprStmt ;(Call(callee: Name g)))))");
    CHECK(bodyTree("push .{ a = T.{} { self.x = 1; } } { }") ==
          "ExprStmt value(Push(context: StructLit(a =: StructLit(type: Name T, init: "
          "Block(Assign =(Member x(Name self), Int 1)))), body: Block))");
}

TEST_CASE("(e) trailing blocks") {
    CHECK(bodyTree("f(1) { g(); }") == "ExprStmt value(Call(callee: Name f, Int 1, trailing: LambdaFunction(body: "
                                       "Block(ExprStmt ;(Call(callee: Name g))))))");
    CHECK(bodyTree("f()\n{ }") == "error: expected `;` after this expression, found `{`");
    CHECK(bodyTree("if f() { }") == "ExprStmt value(If(cond: Call(callee: Name f), then: Block))");
    CHECK(bodyTree("while f() { }") == "ExprStmt value(While(cond: Call(callee: Name f), body: Block))");
    CHECK(bodyTree("push f() { }") == "ExprStmt value(Push(context: Call(callee: Name f), body: Block))");
    CHECK(bodyTree("while g(f() { }) { }") == "ExprStmt value(While(cond: Call(callee: Name g, Call(callee: Name f, "
                                              "trailing: LambdaFunction(body: Block))), body: Block))");
    CHECK(bodyTree("if c { f() { } }") == "ExprStmt value(If(cond: Name c, then: Block(ExprStmt value(Call(callee: "
                                          "Name f, trailing: LambdaFunction(body: Block))))))");
    CHECK(bodyMismatch("if g(f() @@{ }) { }").empty()); // nothing re-enables it in an `if` condition
}

TEST_CASE("(f) match") {
    CHECK(bodyTree("if x == { case 1: f(); else: g(); }") ==
          "ExprStmt value(Match(subject: Name x, Case(pattern: Int 1, ExprStmt "
          ";(Call(callee: Name f))), Else(ExprStmt ;(Call(callee: Name g)))))");
    CHECK(bodyTree("if a + b == { }") == "ExprStmt value(Match(subject: Binary +(Name a, Name b)))");
    CHECK(bodyTree("if try f() == { }") == "ExprStmt value(Match(subject: Unary try(Call(callee: Name f))))");
    CHECK(bodyTree("x := if e == { case .a: 1; else: 2; };") ==
          "Var x(init: Match(subject: Name e, Case(pattern: EnumLit a, ExprStmt ;(Int 1)), Else(ExprStmt ;(Int 2))))");
    CHECK(bodyTree("inline if T == { case int: return 1; }") ==
          "ExprStmt value(Match inline(subject: Name T, Case(pattern: Name int, Return(Int 1))))");
    CHECK(bodyTree("if a == b { }") == "ExprStmt value(If(cond: Binary ==(Name a, Name b), then: Block))");
}

TEST_CASE("(g) semicolons") {
    CHECK(bodyMismatch("if c { } x := 1;").empty());
    CHECK(bodyMismatch("if c { } else { } x := 1;").empty());
    CHECK(bodyMismatch("while c { } for xs { } push c { } { } f(); if x == { } g();").empty());
    CHECK(bodyMismatch("f() { } g();").empty());
    CHECK(bodyMismatch("x := if c { 1 } else { 2 }\n y := { 3 }\n z := if e == { else: 1; }\n w := f() { }\n f();")
              .empty());
    CHECK(bodyMismatch("x := 1 + if c { 1 } else { 2 }\n f();").empty());
    CHECK(bodyMismatch("x := 1 @@f();").empty());
    CHECK(bodyMismatch("f() @@g();").empty());
    CHECK(bodyMismatch("if c then f() @@g();").empty());
    CHECK(bodyMismatch("x : i64 = if c { 1 } else { 2 }\n@@f();").empty()); // only `:=` may leave it out
    CHECK(bodyMismatch("{ x := 3 @@}").empty());
    CHECK(bodyMismatch("{ x = 3 @@}").empty());
    CHECK(bodyMismatch("{ return 3 @@}").empty());
    CHECK(bodyMismatch("f() catch { }\n@@g();").empty());
    CHECK(bodyTree("if c { a } else { b } -1;") ==
          "ExprStmt value(If(cond: Name c, then: Block(ExprStmt value(Name a)), else: "
          "Block(ExprStmt value(Name b)))), ExprStmt ;(Unary -(Int 1))");
    CHECK(bodyTree("x := if c { 1 } else { 2 } + 1;") == "Var x(init: Binary +(If(cond: Name c, then: Block(ExprStmt "
                                                         "value(Int 1)), else: Block(ExprStmt value(Int 2))), Int 1))");
    CHECK(bodyTree("f(); g()") == "ExprStmt ;(Call(callee: Name f)), ExprStmt value(Call(callee: Name g))");
    CHECK(bodyTree("if c { };") == "ExprStmt ;(If(cond: Name c, then: Block))");
    CHECK(bodyTree("if c then a else b") == "ExprStmt value(If then(cond: Name c, then: Name a, else: Name b))");
}

TEST_CASE("(h) the header of a for") {
    CHECK(bodyTree("for xs (x) { }") == "ExprStmt value(For (x)(over: Name xs, body: Block))");
    CHECK(bodyTree("for xs (*x) { }") == "ExprStmt value(For (*x)(over: Name xs, body: Block))");
    CHECK(bodyTree("for 0..n (i) { }") == "ExprStmt value(For (i)(over: Range(from: Int 0, to: Name n), body: Block))");
    CHECK(bodyTree("for 1..=3 { }") ==
          "ExprStmt value(For(over: Range end-inclusive(from: Int 1, to: Int 3), body: Block))");
    CHECK(bodyTree("for xs, 0.. (x, i) { }") ==
          "ExprStmt value(For (x, i)(over: Name xs, over: Range(from: Int 0), body: Block))");
    CHECK(bodyTree("for xs, ys (a, b) => t += a * b;") == "ExprStmt value(For (a, b)(over: Name xs, over: Name ys, "
                                                          "body: Block(Assign +=(Name t, Binary *(Name a, Name b)))))");
    CHECK(bodyTree("for f(1) (x) { }") == "ExprStmt value(For (x)(over: Call(callee: Name f, Int 1), body: Block))");
    CHECK(bodyTree("for (f()) { }") == "ExprStmt value(For(over: Paren(Call(callee: Name f)), body: Block))");
    CHECK(bodyTree("for f (x) { }") == "ExprStmt value(For (x)(over: Name f, body: Block))");
    CHECK(bodyTree("for 0..len(s) (i) { }") ==
          "ExprStmt value(For (i)(over: Range(from: Int 0, to: Call(callee: Name len, Name s)), body: Block))");
    CHECK(bodyTree("for a[f(x)] (y) { }") ==
          "ExprStmt value(For (y)(over: Index(Name a, Call(callee: Name f, Name x)), body: Block))");
    CHECK(bodyTree("for g(f(x) { }) (y) { }") ==
          "ExprStmt value(For (y)(over: Call(callee: Name g, Call(callee: Name f, Name x, trailing: "
          "LambdaFunction(body: Block))), body: Block))");
    CHECK(bodyTree("inline for 0..N (i) { }") ==
          "ExprStmt value(For inline (i)(over: Range(from: Int 0, to: Name N), body: Block))");
    CHECK(bodyTree("for a<..b (_) { }") ==
          "ExprStmt value(For (_)(over: Range start-exclusive(from: Name a, to: Name b), body: Block))");
}

TEST_CASE("(i) match captures") {
    CHECK(bodyTree("if e == { case .a: (n) { n } else: f(); }") ==
          "ExprStmt value(Match(subject: Name e, Case n(pattern: EnumLit a, ExprStmt value(Block(ExprStmt value(Name "
          "n)))), "
          "Else(ExprStmt ;(Call(callee: Name f)))))");
    CHECK(bodyTree("if e == { case .a: (n + 1) * 2; }") ==
          "ExprStmt value(Match(subject: Name e, Case(pattern: EnumLit a, ExprStmt ;(Binary *(Paren(Binary +(Name n, "
          "Int 1)), Int 2)))))");
    CHECK(bodyTree("if e == { case .a: (n) => f(n); case .d: break; case .e: (x) break; }") ==
          "ExprStmt value(Match(subject: Name e, Case n =>(pattern: EnumLit a, ExprStmt ;(Call(callee: Name f, Name "
          "n))), "
          "Case empty-break(pattern: EnumLit d), Case x empty-break(pattern: EnumLit e)))");
}

TEST_CASE("(j) onfail") {
    CHECK(bodyTree("onfail { }") == "OnFail(Block)");
    CHECK(bodyTree("onfail (e) { }") == "OnFail e(Block)");
    CHECK(bodyTree("onfail e { }") == "OnFail e(Block)");
    CHECK(bodyTree("onfail (f());") == "OnFail(Paren(Call(callee: Name f)))");
    CHECK(bodyTree("onfail close(f);") == "OnFail(Call(callee: Name close, Name f))");
    CHECK(bodyTree("onfail (f);") == "OnFail(Paren(Name f))");
}

TEST_CASE("(k) statements that start with a name") {
    CHECK(bodyTree("x := 1;") == "Var x(init: Int 1)");
    CHECK(bodyTree("x : i64 = 1;") == "Var x(type: Name i64, init: Int 1)");
    CHECK(bodyTree("x : i64;") == "Var x(type: Name i64)");
    CHECK(bodyTree("x : i64 = ---;") == "Var x(type: Name i64, init: Undef)");
    CHECK(bodyTree("x :: 1;") == "LocalDecl(Const x(value: Int 1))");
    CHECK(bodyTree("x : i64 : 1;") == "LocalDecl(Const x(type: Name i64, value: Int 1))");
    CHECK(bodyTree("x : i32 extern;") == "LocalDecl(Global x extern(type: Name i32))");
    CHECK(bodyTree("a, _, b := f();") == "Destructure a, _, b(Call(callee: Name f))");
    CHECK(bodyTree("a, b.c, d[0] = 1, 2, 3;") == "MultiAssign(target: Name a, target: Member c(Name b), target: "
                                                 "Index(Name d, Int 0), value: Int 1, value: Int 2, value: Int 3)");
    CHECK(bodyTree("x <<= 2;") == "Assign <<=(Name x, Int 2)");
    CHECK(bodyTree("x.y.* = 2;") == "Assign =(Deref(Member y(Name x)), Int 2)");
    CHECK(bodyTree("x == 2;") == "ExprStmt ;(Binary ==(Name x, Int 2))");
    CHECK(bodyTree("ufcs := 1; impl = 2; protocol();") ==
          "Var ufcs(init: Int 1), Assign =(Name impl, Int 2), ExprStmt ;(Call(callee: Name protocol))");
}

TEST_CASE("(l) catch") {
    CHECK(bodyMismatch("f() catch @@(e + 1) 0;").empty());
    CHECK(bodyMismatch("f() catch @@e + 1;").empty());
    CHECK(bodyMismatch("f() catch @@e;").empty());
    CHECK(bodyMismatch("f() catch @@e\n7;").empty());
    CHECK(bodyMismatch("f() catch @@0;").empty());
    CHECK(bodyMismatch("f() catch @@e == 3;").empty());
    CHECK(bodyMismatch("f() catch (e)\n7;").empty());
}

TEST_CASE("(n) keywords in expression position") {
    for (const char* keyword :
         {"else", "then", "in", "case", "defer", "and", "or", "private", "extern", "export", "abi", "intrinsic"})
        CHECK(bodyMismatch("x := 1 + @@" + std::string(keyword) + ";").empty());
}

TEST_CASE("(o) guards") {
    CHECK(bodyTree("if c return 0;") == "ExprStmt value(If guard(cond: Name c, then: Block(Return(Int 0))))");
    CHECK(bodyTree("if n < 0 raise error.Low;") ==
          "ExprStmt value(If guard(cond: Binary <(Name n, Int 0), then: Block(Raise(ErrorTag Low))))");
    CHECK(bodyTree("while c { if d break; if e continue; }") ==
          "ExprStmt value(While(cond: Name c, body: Block(ExprStmt value(If guard(cond: Name d, then: Block(Break))), "
          "ExprStmt value(If guard(cond: Name e, then: Block(Continue))))))");
    CHECK(bodyTree("if c return a, b;") ==
          "ExprStmt value(If guard(cond: Name c, then: Block(Return(Name a, Name b))))");
    CHECK(bodyTree("if c then raise error.X;") ==
          "ExprStmt value(If guard(cond: Name c, then: Block(Raise(ErrorTag X))))");
    CHECK(bodyTree("if c then return 1 else 2;") ==
          "ExprStmt ;(If then(cond: Name c, then: ReturnExpr(Int 1), else: Int 2))");
    CHECK(bodyTree("if c then return;") == "ExprStmt ;(If then(cond: Name c, then: ReturnExpr))");
    CHECK(bodyTree("if a { } else if b return;") ==
          "ExprStmt value(If(cond: Name a, then: Block, else: If guard(cond: Name b, then: Block(Return))))");
    CHECK(bodyMismatch("if c return 1; @@else { }").empty());
    CHECK(bodyMismatch("x := if c @@return 1;").empty());
}
