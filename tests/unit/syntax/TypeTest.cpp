#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx::test;

TEST_CASE("type forms") {
    CHECK(typeTree("i64") == "Name i64");
    CHECK(typeTree("f32") == "Name f32");
    CHECK(typeTree("`i3") == "Name `i3");
    CHECK(typeTree("ns.Node") == "Member Node(Name ns)");
    CHECK(typeTree("?*[]T") == "OptionalType(Unary *(SliceType(Name T)))");
    CHECK(typeTree("?(?T)") == "OptionalType(Paren(OptionalType(Name T)))");
    CHECK(typeTree("[*]u8") == "ManyPointerType(Name u8)");
    CHECK(typeTree("[:0]u8") == "SentinelType 0(Name u8)");
    CHECK(typeTree("[2][3]i32") == "ArrayType(count: Int 2, elem: ArrayType(count: Int 3, elem: Name i32))");
    CHECK(typeTree("[N + 1]T") == "ArrayType(count: Binary +(Name N, Int 1), elem: Name T)");
    CHECK(typeTree("[$N / 2]$T") == "ArrayType(count: Binary /(TypeParam N, Int 2), elem: TypeParam T)");
    CHECK(typeTree("$T/Eq/Hash") == "TypeParam T / Eq, Hash");
    CHECK(typeTree("[]$T/Eq") == "SliceType(TypeParam T / Eq)");
    CHECK(typeTree("$args[2]") == "TypeParam args[2]");
    CHECK(typeTree("Box(i64)") == "Call(callee: Name Box, Name i64)");
    CHECK(typeTree("Ring(M + 1, *u8)") == "Call(callee: Name Ring, Binary +(Name M, Int 1), Unary *(Name u8))");
    CHECK(typeTree("Box($T/Eq)") == "Call(callee: Name Box, TypeParam T / Eq)");
    CHECK(typeTree("Box(*$T/Eq)") == "Call(callee: Name Box, Unary *(TypeParam T / Eq))");
    CHECK(typeTree("Box((i64) -> bool, (N))") ==
          "Call(callee: Name Box, FunctionType(Elem(Name i64), result: Name bool), Paren(Name N))");
    CHECK(typeTree("Holder($R, ..$Ts)") == "Call(callee: Name Holder, TypeParam R, ..: TypeParam Ts)");
    CHECK(typeTree("Self") == "Name Self");
    CHECK(typeTree("()") == "ResultList");
}

TEST_CASE("function, closure and tuple types") {
    CHECK(typeTree("(A, b: B) -> C") == "FunctionType(Elem(Name A), Elem b(Name B), result: Name C)");
    CHECK(typeTree("() -> ()") == "FunctionType(result: ResultList)");
    CHECK(typeTree("() -> (i64, !E)") ==
          "FunctionType(result: ResultList(Elem(Name i64), Elem(ErrorChannel(Name E))))");
    CHECK(typeTree("(*void) -> *void abi(.c)") ==
          "FunctionType abi(.c)(Elem(Unary *(Name void)), result: Unary *(Name void))");
    CHECK(typeTree("Closure()") == "ClosureType");
    CHECK(typeTree("Closure(i64, s: string) -> !") ==
          "ClosureType(Elem(Name i64), Elem s(Name string), result: ErrorChannel)");
    CHECK(typeTree("Closure(..$args) -> $R") == "ClosureType(Elem ..(TypeParam args), result: TypeParam R)");
    CHECK(typeTree("Closure(A, ..xs.T)") == "ClosureType(Elem(Name A), Elem ..(Member T(Name xs)))");
    CHECK(typeTree("Tuple()") == "TupleType");
    CHECK(typeTree("Tuple(x: A, y: B,)") == "TupleType(Elem x(Name A), Elem y(Name B))");
    CHECK(typeTree("Tuple(..F(Ts))") == "TupleType(Elem ..(Call(callee: Name F, Name Ts)))");
}

TEST_CASE("inline types") {
    CHECK(typeTree("struct { x, y: f32; }") == "InlineType(Struct(Field x(type: Name f32), Field y(type: Name f32)))");
    CHECK(typeTree("enum { a: i64; b }") == "InlineType(Enum(Variant a(payload: Name i64), Variant b))");
    CHECK(typeTree("union { a: i64 }") == "InlineType(Union(UnionMember a(type: Name i64)))");
}

TEST_CASE("result types") {
    CHECK(resultTree("()") == "ResultList");
    CHECK(resultTree("(i64)") == "Paren(Name i64)");
    CHECK(resultTree("!") == "ErrorChannel");
    CHECK(resultTree("!E") == "ErrorChannel(Name E)");
    CHECK(resultTree("!ns.E") == "ErrorChannel(Member E(Name ns))");
    CHECK(resultTree("(i64, !)") == "ResultList(Elem(Name i64), Elem(ErrorChannel))");
    CHECK(resultTree("(x: i64, y: bool = true, !E)") ==
          "ResultList(Elem x(Name i64), Elem y(Name bool, default: Bool true), Elem(ErrorChannel(Name E)))");
    CHECK(resultTree("(A, B)") == "ResultList(Elem(Name A), Elem(Name B))");
    CHECK(resultTree("(A, !,)") == "ResultList(Elem(Name A), Elem(ErrorChannel))");
}

TEST_CASE("rejected types") {
    CHECK(mismatch("f :: () -> i64 @@! { }").empty());
    CHECK(mismatch("f :: () -> i64 @@!E { }").empty());
    CHECK(mismatch("f :: () -> i64 @@!;").empty());
    CHECK(mismatch("f :: () -> (!E@@, i64) { }").empty());
    CHECK(mismatch("f :: () -> @@(x: i64) { }").empty());
    CHECK(mismatch("f :: () -> @@(..T) { }").empty());
    CHECK(mismatch("g : @@(i64, i64) = 0;").empty());
    CHECK(mismatch("f :: (p: @@(i64, bool)) { }").empty());
    CHECK(mismatch("S :: struct { p: @@(i64, bool); }").empty());
    CHECK(mismatch("g : Box(@@(i64, bool));").empty());
    CHECK(mismatch("g : @@!E;").empty());
    CHECK(mismatch("f :: (e: @@!E) { }").empty());
    CHECK(mismatch("g : @@??T;").empty());
    CHECK(mismatch("g : @@5;").empty());
    CHECK(mismatch("g : Tuple(i64, @@5);").empty());
    CHECK(mismatch("g : Tuple(i64) @@-> i64;").empty());
    CHECK(mismatch("T :: Tuple(i64) @@-> i64;").empty());
    CHECK(mismatch("g : Closure(..Ts, @@i64);").empty());
    CHECK(mismatch("g : [4@@;").empty());
    CHECK(mismatch("g : Box(i64@@;").empty());
    CHECK(mismatch("g : []@@;").empty());
    CHECK(mismatch("f :: (a: i64) -> i64 abi(.@@rust) { }").empty());
}
