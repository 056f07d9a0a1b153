#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx::test;

TEST_CASE("precedence of operators") {
    CHECK(exprTree("a + b * c") == "Binary +(Name a, Binary *(Name b, Name c))");
    CHECK(exprTree("a * b + c") == "Binary +(Binary *(Name a, Name b), Name c)");
    CHECK(exprTree("a - b - c") == "Binary -(Binary -(Name a, Name b), Name c)");
    CHECK(exprTree("a << b + c") == "Binary <<(Name a, Binary +(Name b, Name c))");
    CHECK(exprTree("a & b == c") == "Binary &(Name a, Binary ==(Name b, Name c))");
    CHECK(exprTree("a | b ^ c & d") == "Binary |(Name a, Binary ^(Name b, Binary &(Name c, Name d)))");
    CHECK(exprTree("a | b and c | d or e") ==
          "Binary or(Binary and(Binary |(Name a, Name b), Binary |(Name c, Name d)), Name e)");
    CHECK(exprTree("a or b and c") == "Binary or(Name a, Binary and(Name b, Name c))");
    CHECK(exprTree("a ?? b or c ?? d") == "Binary ?\?(Name a, Binary ?\?(Binary or(Name b, Name c), Name d))");
    CHECK(exprTree("a ?? b == c") == "Binary ?\?(Name a, Binary ==(Name b, Name c))");
    CHECK(exprTree("a * b % c / d") == "Binary /(Binary %(Binary *(Name a, Name b), Name c), Name d)");
    CHECK(exprTree("a + b << c * d - e") ==
          "Binary <<(Binary +(Name a, Name b), Binary -(Binary *(Name c, Name d), Name e))");
}

TEST_CASE("prefix operators bind looser than suffixes") {
    CHECK(exprTree("-x.y") == "Unary -(Member y(Name x))");
    CHECK(exprTree("-x.(i8)") == "Unary -(Cast(Name x, type: Name i8))");
    CHECK(exprTree("!a!") == "Unary !(Unwrap(Name a))");
    CHECK(exprTree("a * *b") == "Binary *(Name a, Unary *(Name b))");
    CHECK(exprTree("xx a < b") == "Binary <(Unary xx(Name a), Name b)");
    CHECK(exprTree("try f() or try g()") ==
          "Binary or(Unary try(Call(callee: Name f)), Unary try(Call(callee: Name g)))");
    CHECK(exprTree("~-!x") == "Unary ~(Unary -(Unary !(Name x)))");
    CHECK(exprTree("-a * b") == "Binary *(Unary -(Name a), Name b)");
    CHECK(exprTree("a - -b") == "Binary -(Name a, Unary -(Name b))");
    CHECK(exprTree("--a") == "Unary -(Unary -(Name a))");
}

TEST_CASE("comparisons chain") {
    CHECK(exprTree("a < b") == "Binary <(Name a, Name b)");
    CHECK(exprTree("a < b <= c") == "CompareChain < <=(Name a, Name b, Name c)");
    CHECK(exprTree("a == b != c > d") == "CompareChain == != >(Name a, Name b, Name c, Name d)");
    CHECK(exprTree("v in t") == "Binary in(Name v, Name t)");
    CHECK(exprTree("a < b in t") == "Binary in(Binary <(Name a, Name b), Name t)");
    CHECK(exprTree("a in t == b") == "Binary ==(Binary in(Name a, Name t), Name b)");
    CHECK(exprTree("x! != y") == "Binary !=(Unwrap(Name x), Name y)");
    CHECK(exprTree("a < b + c <= d") == "CompareChain < <=(Name a, Binary +(Name b, Name c), Name d)");
}

TEST_CASE("literals") {
    CHECK(exprTree("0xFF") == "Int 255");
    CHECK(exprTree("'a'") == "Char 97");
    CHECK(exprTree("1.5") == "Float 1.5");
    CHECK(exprTree("true and false") == "Binary and(Bool true, Bool false)");
    CHECK(exprTree("\"a\\nb\"") == "String \"a\\nb\"");
    CHECK(exprTree("null") == "Null");
    CHECK(exprTree("---") == "Undef");
    CHECK(exprTree("error.Low") == "ErrorTag Low");
    CHECK(exprTree("error.return") == "ErrorTag return");
    CHECK(exprTree(".name") == "EnumLit name");
    CHECK(exprTree(".struct") == "EnumLit struct");
    CHECK(exprTree("#caller_location") == "CallerLocation");
    CHECK(exprTree("#string E\nx\nE") == "Heredoc \"x\\n\"");
    CHECK(exprTree("$T") == "TypeParam T");
    CHECK(exprTree("$T / U") == "Binary /(TypeParam T, Name U)"); // no constraint outside types
    CHECK(exprTree("$args[0]") == "TypeParam args[0]");
    CHECK(exprTree("$args[i]") == "Index(TypeParam args, Name i)");
    CHECK(exprTree("$args[0].len") == "Member len(TypeParam args[0])");
    CHECK(exprTree("f64.max") == "Member max(Name f64)");
    CHECK(exprTree("`f64.max") == "Member max(Name `f64)");
    CHECK(exprTree("protocol + impl * ufcs") == "Binary +(Name protocol, Binary *(Name impl, Name ufcs))");
    CHECK(exprTree("#run f(2) + 1") == "Run(Binary +(Call(callee: Name f, Int 2), Int 1))");
}

TEST_CASE("suffixes") {
    CHECK(exprTree("a.b.c") == "Member c(Member b(Name a))");
    CHECK(exprTree("a.if") == "Member if(Name a)");
    CHECK(exprTree("a.inline") == "Member inline(Name a)");
    CHECK(exprTree("t.0") == "Member 0 index(Name t)");
    CHECK(exprTree("(t.0).1") == "Member 1 index(Paren(Member 0 index(Name t)))");
    CHECK(exprTree("p.*.x") == "Member x(Deref(Name p))");
    CHECK(exprTree("a?.b?.0") == "Member 0 index optional(Member b optional(Name a))");
    CHECK(exprTree("a?.(i64)") == "Cast optional(Name a, type: Name i64)");
    CHECK(exprTree("a.(P, alloc)") == "Cast(Name a, type: Name P, allocator: Name alloc)");
    CHECK(exprTree("a.(*void).(*Point)") == "Cast(Cast(Name a, type: Unary *(Name void)), type: Unary *(Name Point))");
    CHECK(exprTree("5.(?i64)") == "Cast(Int 5, type: OptionalType(Name i64))");
    CHECK(exprTree("f()!.name") == "Member name(Unwrap(Call(callee: Name f)))");
    CHECK(exprTree("x!!") == "Unwrap(Unwrap(Name x))");
    CHECK(exprTree("a[i][j]") == "Index(Index(Name a, Name i), Name j)");
    CHECK(exprTree("f(1)(2)") == "Call(callee: Call(callee: Name f, Int 1), Int 2)");
    CHECK(exprTree("x?.xs[0]") == "Index(Member xs optional(Name x), Int 0)");
}

TEST_CASE("range operators in slices") {
    CHECK(exprTree("s[1..3]") == "Slice(Name s, lo: Int 1, hi: Int 3)");
    CHECK(exprTree("s[..]") == "Slice(Name s)");
    CHECK(exprTree("s[1..]") == "Slice(Name s, lo: Int 1)");
    CHECK(exprTree("s[..2]") == "Slice(Name s, hi: Int 2)");
    CHECK(exprTree("s[1..=3]") == "Slice hi-inclusive(Name s, lo: Int 1, hi: Int 3)");
    CHECK(exprTree("s[..=3]") == "Slice hi-inclusive(Name s, hi: Int 3)");
    CHECK(exprTree("s[..<3]") == "Slice(Name s, hi: Int 3)");
    CHECK(exprTree("s[2<..]") == "Slice lo-exclusive(Name s, lo: Int 2)");
    CHECK(exprTree("s[<..b]") == "Slice lo-exclusive(Name s, hi: Name b)");
    CHECK(exprTree("s[a<..=b]") == "Slice lo-exclusive hi-inclusive(Name s, lo: Name a, hi: Name b)");
    CHECK(exprTree("s[a<..<b]") == "Slice lo-exclusive(Name s, lo: Name a, hi: Name b)");
    CHECK(exprTree("s[a=..b]") == "Slice(Name s, lo: Name a, hi: Name b)");
    CHECK(exprTree("s[a=..=b]") == "Slice hi-inclusive(Name s, lo: Name a, hi: Name b)");
    CHECK(exprTree("s[a=..<b]") == "Slice(Name s, lo: Name a, hi: Name b)");
}

TEST_CASE("arguments") {
    CHECK(exprTree("f(1, size = 4, ..xs,)") == "Call(callee: Name f, Int 1, size =: Int 4, ..: Name xs)");
    CHECK(exprTree("f(a == b)") == "Call(callee: Name f, Binary ==(Name a, Name b))");
    CHECK(exprTree("f(`if = 1)") == "Call(callee: Name f, `if =: Int 1)");
    CHECK(exprTree("f(protocol = 1)") == "Call(callee: Name f, protocol =: Int 1)");
    CHECK(exprTree(".add(5)") == "Call(callee: EnumLit add, Int 5)");
}

TEST_CASE("brace and bracket literals") {
    CHECK(exprTree(".{}") == "StructLit");
    CHECK(exprTree(".{ x = 1, y, }") == "StructLit(x =: Int 1, shorthand: Name y)");
    CHECK(exprTree(".{ (x), y.z, ..t }") == "StructLit(Paren(Name x), Member z(Name y), ..: Name t)");
    CHECK(exprTree(".{ if = 1, push = 2 }") == "StructLit(if =: Int 1, push =: Int 2)");
    CHECK(exprTree(".{ if x > 1 then 10 else 20, 2 }") ==
          "StructLit(If then(cond: Binary >(Name x, Int 1), then: Int 10, else: Int 20), Int 2)");
    CHECK(exprTree("Point.{ x = 1 }") == "StructLit(type: Name Point, x =: Int 1)");
    CHECK(exprTree("ns.Box(i64).{ 1 }") == "StructLit(type: Call(callee: Member Box(Name ns), Name i64), Int 1)");
    CHECK(exprTree(".draw.{ 1, 2 }") == "StructLit(type: EnumLit draw, Int 1, Int 2)");
    CHECK(exprTree(".[1, 2,]") == "ArrayLit(Int 1, Int 2)");
    CHECK(exprTree("([3]?i64).[null]") ==
          "ArrayLit(type: Paren(ArrayType(count: Int 3, elem: OptionalType(Name i64))), Null)");
    CHECK(exprTree("[2]u8.{ 7, 9 }") == "StructLit(type: ArrayType(count: Int 2, elem: Name u8), Int 7, Int 9)");
    CHECK(exprTree("Tuple(A, B).{ 1, 2 }") == "StructLit(type: TupleType(Elem(Name A), Elem(Name B)), Int 1, Int 2)");
    CHECK(exprTree("T.{ x = 1 } { self.x = 2; }") ==
          "StructLit(type: Name T, x =: Int 1, init: Block(Assign =(Member x(Name self), Int 2)))");
}

TEST_CASE("types as expressions") {
    CHECK(exprTree("size_of(*T)") == "Call(callee: Name size_of, Unary *(Name T))");
    CHECK(exprTree("[4]i32 == [4]i32") ==
          "Binary ==(ArrayType(count: Int 4, elem: Name i32), ArrayType(count: Int 4, elem: Name i32))");
    CHECK(exprTree("f([]u8, ?T)") == "Call(callee: Name f, SliceType(Name u8), OptionalType(Name T))");
    CHECK(exprTree("(A, B) -> C") == "FunctionType(Elem(Name A), Elem(Name B), result: Name C)");
    CHECK(exprTree("Closure(i64) -> bool") == "ClosureType(Elem(Name i64), result: Name bool)");
    CHECK(exprTree("`Closure(x)") == "Call(callee: Name `Closure, Name x)");
    CHECK(exprTree("Tuple + 1") == "Binary +(Name Tuple, Int 1)");
    CHECK(exprTree("struct { a: i64; }") == "InlineType(Struct(Field a(type: Name i64)))");
}

TEST_CASE("catch") {
    CHECK(exprTree("f() catch { 0 }") == "Catch(Call(callee: Name f), body: Block(ExprStmt value(Int 0)))");
    CHECK(exprTree("f() catch (e) { 0 }") == "Catch e(Call(callee: Name f), body: Block(ExprStmt value(Int 0)))");
    CHECK(exprTree("f() catch (e) 0 + 1") == "Catch e(Call(callee: Name f), body: Binary +(Int 0, Int 1))");
    CHECK(exprTree("f() catch (e) == { case .Low: 1; else: 2; }") ==
          "Catch e(Call(callee: Name f), body: Match(subject: Name e, Case(pattern: EnumLit Low, ExprStmt ;(Int 1)), "
          "Else(ExprStmt ;(Int 2))))");
    CHECK(exprTree("f() catch e { 0 }") == exprTree("f() catch (e) { 0 }"));
    CHECK(exprTree("f() catch e == { else: 2; }") == exprTree("f() catch (e) == { else: 2; }"));
    CHECK(exprTree("f() catch e 7") == "Catch e(Call(callee: Name f), body: Int 7)");
    CHECK(exprTree("f() catch e -1") == "Catch e(Call(callee: Name f), body: Unary -(Int 1))");
    CHECK(exprTree("f() catch e (x)") == "Catch e(Call(callee: Name f), body: Paren(Name x))");
    CHECK(exprTree("f() catch e .{ 0, 0 }") == "Catch e(Call(callee: Name f), body: StructLit(Int 0, Int 0))");
    CHECK(exprTree("f() catch e return 5") == "Catch e(Call(callee: Name f), body: ReturnExpr(Int 5))");
    CHECK(exprTree("try f() catch { 0 }") ==
          "Unary try(Catch(Call(callee: Name f), body: Block(ExprStmt value(Int 0))))");
    CHECK(exprTree("a() or b() catch { 0 }") ==
          "Binary or(Call(callee: Name a), Catch(Call(callee: Name b), body: Block(ExprStmt value(Int 0))))");
    CHECK(exprTree("g(f() catch (e) 0, 1)") ==
          "Call(callee: Name g, Catch e(Call(callee: Name f), body: Int 0), Int 1)");
    CHECK(exprTree("f() catch { a }.x") ==
          "Member x(Catch(Call(callee: Name f), body: Block(ExprStmt value(Name a))))");
}

TEST_CASE("pipes are rewritten") {
    CHECK(exprTree("a |> f(x)") == "Call piped(callee: Name f, Name a, Name x)");
    CHECK(exprTree("a |> f") == "Call piped(callee: Name f, Name a)");
    CHECK(exprTree("a |> m.f(x)") == "Call piped(callee: Member f(Name m), Name a, Name x)");
    CHECK(exprTree("a |> f |> g(1)") == "Call piped(callee: Name g, Call piped(callee: Name f, Name a), Int 1)");
    CHECK(exprTree("a |> try f(x) or d") == "Binary or(Unary try(Call piped(callee: Name f, Name a, Name x)), Name d)");
    CHECK(exprTree("a |> f(x) catch (e) 0") == "Catch e(Call piped(callee: Name f, Name a, Name x), body: Int 0)");
    CHECK(exprTree("a |> try f catch { 0 }") ==
          "Unary try(Catch(Call piped(callee: Name f, Name a), body: Block(ExprStmt value(Int 0))))");
    CHECK(exprTree("a + b |> f(c + d)") ==
          "Call piped(callee: Name f, Binary +(Name a, Name b), Binary +(Name c, Name d))");
    CHECK(exprTree("a ?? b |> f") == "Call piped(callee: Name f, Binary ?\?(Name a, Name b))");
}

TEST_CASE("calls into foreign runtimes read as calls") {
    CHECK(exprTree("#objc_call(i64)(obj, \"size\")") ==
          "Call(callee: Call(callee: Name #objc_call, Name i64), Name obj, String \"size\")");
}

TEST_CASE("assembly") {
    CHECK(exprTree("asm volatile { \"nop\", clobbers(.memory) }") == "Asm volatile \"nop\" clobbers(memory)");
    CHECK(exprTree("asm { \"t\", [a] \"=r\" -> u8, \"{rax}\" = 1, }") ==
          "Asm \"t\"(Output a \"=r\"(Name u8), Input \"{rax}\"(Int 1))");
    CHECK(itemTree("asm { \"x: ret\", };") == "Asm \"x: ret\"");
}
