#include "FormatFixture.h"

#include <catch2/catch.hpp>

TEST_CASE("operators stand between blanks, prefixes do not") {
    CHECK(formatted("f::()->i64{a:=1+2*-3;b:=!c and~d==4;e=*f;g:=h.**i;j:=- -k;return xx-a;}\n") ==
          "f :: () -> i64 { a := 1 + 2 * -3; b := !c and ~d == 4; e = *f; g := h.* * i; j := - -k; return xx -a; }\n");
    CHECK(formatted("f :: () { a = b  ??  c; x |= 2; y <<= 3; z := a<b<=c; w := v in t; p := a|>g(2); }\n") ==
          "f :: () { a = b ?? c; x |= 2; y <<= 3; z := a < b <= c; w := v in t; p := a |> g(2); }\n");
}

TEST_CASE("the same token in a type and in an expression") {
    CHECK(isStable("f :: (a: [4]*T, b: [*]u8, c: [:0]u8, d: ?[]i64, e: **T) -> !E { x := a[4] * b; y := a - -b; }\n"));
    CHECK(isStable("g :: () { c : Closure(i64) -> i64 = h; d : (A, B) -> C = h; x := [2]i64.[1, 2][0]; }\n"));
    CHECK(isStable("a : ? ?i64 = null;\n"));
    CHECK(isStable("f :: ($T: Type/Eq/Hash, x: $U/Show) -> (T, !) { x / y }\n"));
}

TEST_CASE("colons") {
    CHECK(formatted("A:i64:3;b:u8=4;S::struct{x,y:i64;K:f32:2.5;}\nf::(a:i64=3)->(x:i64,y:i64){c:i64=5;}\n") ==
          "A : i64 : 3; b : u8 = 4; S :: struct { x, y: i64; K : f32 : 2.5; }\n"
          "f :: (a: i64 = 3) -> (x: i64, y: i64) { c : i64 = 5; }\n");
    CHECK(isStable("f :: (x: E) { if x == { case .a: (n) g(n); case .b: { } else: h(); } }\n"));
}

TEST_CASE("literals, calls and indices") {
    CHECK(formatted("f :: () { a := .[ 1,2 ]; b := P.{x=1,y=2}; c := .{ }; d := g (a [ 0 ] , b . x) (3); }\n") ==
          "f :: () { a := .[1, 2]; b := P.{ x = 1, y = 2 }; c := .{}; d := g(a[0], b.x)(3); }\n");
    CHECK(
        isStable("f :: () { e := error.Bad; t := xs[1..n - 1]; u := xs[..]; v := t.0; w := t.0 .1; x := o?.(T)!; }\n"));
    CHECK(isStable("f :: () { x := g() catch (e) .a; y := g() catch (e) -1; z := g() catch (e) (1 + 2); }\n"));
    CHECK(isStable("f :: () { for xs, 0.. (x, i) { } for ys (*p) => g(p); for f(x) (y) { } }\n"));
}

TEST_CASE("keywords as names of members, and raw names") {
    CHECK(isStable("f :: () { t.in(3); x := .push(9); y := t.`inline; `for := 3; impl(2); }\n"));
}

TEST_CASE("declarations") {
    CHECK(formatted("Box::struct($T:Type){v:T;}\nInto::protocol (T:Type){}\nimpl Into(i64)for Box($T){}\n"
                    "private k::ufcs(a:i64)abi (.c){}\n#import\"a.sx\";\n#run(f)();\n") ==
          "Box :: struct ($T: Type) { v: T; }\nInto :: protocol(T: Type) { }\nimpl Into(i64) for Box($T) { }\n"
          "private k :: ufcs (a: i64) abi(.c) { }\n#import \"a.sx\";\n#run (f)();\n");
}

TEST_CASE("texts in strings, `#string` blocks and assembly stay") {
    const std::string text =
        "f :: () {\n    a := \"x  y\n  z\";\n    b := #string END ignored\n  raw   text\nEND;\n"
        "    asm volatile {\n        #string CODE\n movl $0,  %eax\nCODE,\n        [a] \"=r\" -> *a,\n"
        "        clobbers(.memory)\n    };\n}\n";
    CHECK(isStable(text));
}

TEST_CASE("line ends") {
    CHECK(formatted("a :: 1;\r\nb::2;\r\n\r\n\r\nc :: 3;") == "a :: 1;\r\nb :: 2;\r\n\r\nc :: 3;\r\n");
    CHECK(formatted("\n\n  a :: 1;  \n\n\n\n// c \t\n\n\n") == "a :: 1;\n\n// c\n");
    CHECK(formatted("") == "");
    CHECK(formatted("\n\n") == "");
    CHECK(formatted("// only") == "// only\n");
    CHECK(formatted("\xEF\xBB\xBF\n a::1;") == "\xEF\xBB\xBF"
                                               "a :: 1;\n");
}

TEST_CASE("what does not parse is refused") {
    CHECK(formatted("f :: () { \n") == "syntax errors");
    CHECK(formatted("a :: 1\n") == "syntax errors");
}
