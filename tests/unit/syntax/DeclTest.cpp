#include "SyntaxFixture.h"

#include <catch2/catch.hpp>

using namespace sx::test;

TEST_CASE("constants and globals") {
    CHECK(itemTree("A :: 64;") == "Const A(value: Int 64)");
    CHECK(itemTree("A : f32 : 3;") == "Const A(type: Name f32, value: Int 3)");
    CHECK(itemTree("hits : i64 = 0;") == "Global hits(type: Name i64, init: Int 0)");
    CHECK(itemTree("name := \"none\";") == "Global name(init: String \"none\")");
    CHECK(itemTree("buf : [256]u8;") == "Global buf(type: ArrayType(count: Int 256, elem: Name u8))");
    CHECK(itemTree("ext : i32 extern;") == "Global ext extern(type: Name i32)");
    CHECK(itemTree("ext : i32 extern libc \"x\";") == "Global ext extern libc \"x\"(type: Name i32)");
    CHECK(itemTree("N :: #run f();") == "Const N(value: Run(Call(callee: Name f)))");
    CHECK(itemTree("N :: #run { 1 }") == "error: expected `;` after this declaration, found the end of the file");
    CHECK(itemTree("E :: error.A;") == "Const E(value: ErrorTag A)");
    CHECK(itemTree("Vec :: intrinsic;") == "Const Vec intrinsic");
    CHECK(itemTree("Vec :: Type intrinsic;") == "Const Vec intrinsic(value: Name Type)");
    CHECK(itemTree("private A :: 1;") == "Const private A(value: Int 1)");
    CHECK(itemTree("private g : i64;") == "Global private g(type: Name i64)");
    CHECK(itemTree("`private :: 1; impl :: 2; ufcs := 3; protocol : i64;") ==
          "Const `private(value: Int 1), Const impl(value: Int 2), Global ufcs(init: Int 3), Global protocol(type: "
          "Name i64)");
    CHECK(itemTree("A :: protocol; B :: ufcs; C :: ufcs + 1;") ==
          "Const A(value: Name protocol), Const B(value: Name ufcs), Const C(value: Binary +(Name ufcs, Int 1))");
}

TEST_CASE("functions") {
    CHECK(itemTree("setup :: { }") == "Function setup implicit-void(body: Block)");
    CHECK(itemTree("f :: ($T: Type/Eq/Hash, n: i64 = 5, ..xs: []T) { }") ==
          "Function f(Param $ T / Eq, Hash(type: Name Type), Param n(type: Name i64, default: Int 5), "
          "Param .. xs(type: SliceType(Name T)), body: Block)");
    CHECK(itemTree("f :: (..$args) -> $R => args[1];") ==
          "Function f =>(Param .. $ args, result: TypeParam R, body: Index(Name args, Int 1))");
    CHECK(itemTree("f :: (a: $T/Eq, b: T,) { }") ==
          "Function f(Param a(type: TypeParam T / Eq), Param b(type: Name T), body: Block)");
    CHECK(itemTree("half :: ufcs (n: i64) -> i64 { n }") ==
          "Function half ufcs(Param n(type: Name i64), result: Name i64, body: Block(ExprStmt value(Name n)))");
    CHECK(itemTree("clamp :: ufcs clamp_to;") == "UfcsAlias clamp of clamp_to");
    CHECK(itemTree("f :: () abi(.naked) extern \"s\";") == "Function f abi(.naked) extern \"s\" no-body");
    CHECK(bodyTree("g :: (n: i64) -> i64 { n } h :: { } A :: struct { } B :: ufcs C;") ==
          "LocalDecl(Function g(Param n(type: Name i64), result: Name i64, body: Block(ExprStmt value(Name n)))), "
          "LocalDecl(Function h implicit-void(body: Block)), LocalDecl(Struct A), LocalDecl(UfcsAlias B of C)");
}

TEST_CASE("structs") {
    CHECK(
        itemTree("P :: struct { x, y: i64; s: string = \"p\"; z: u8 = --- }") ==
        "Struct P(Field x(type: Name i64), Field y(type: Name i64), Field s(type: Name string, default: String \"p\"), "
        "Field z(type: Name u8, default: Undef))");
    CHECK(itemTree("P :: struct { A :: 0; B : f32 : 2.5; C :: 1 D :: 2 }") ==
          "Struct P(Const A(value: Int 0), Const B(type: Name f32, value: Float 2.5), Const C(value: Int 1), Const "
          "D(value: Int 2))");
    CHECK(itemTree("P :: struct { make :: (x: i64) -> P { .{ x = x } } }") ==
          "Struct P(Function make(Param x(type: Name i64), result: Name P, body: Block(ExprStmt value(StructLit(x =: "
          "Name x)))))");
    CHECK(itemTree("P :: struct { #using Base; a: i64 #using Other b: i64 }") ==
          "Struct P(Using Base, Field a(type: Name i64), Using Other, Field b(type: Name i64))");
    CHECK(itemTree("P :: struct { if: i64; enum :: 1; struct :: () { } `inline: i64; }") ==
          "Struct P(Field if(type: Name i64), Const enum(value: Int 1), Function struct(body: Block), Field "
          "`inline(type: Name i64))");
    CHECK(itemTree("R :: struct ($N: u32, $T: Type/Eq, ..$Ts: []Type) { }") ==
          "Struct R(TypeParam N(Name u32), TypeParam T / Eq(Name Type), TypeParam .. Ts(SliceType(Name Type)))");
    CHECK(itemTree("C :: struct abi(.c) extern lib { }") == "Struct C abi(.c) extern lib");
    CHECK(itemTree("P :: struct { In :: struct { a: i64; } E :: enum { x } }") ==
          "Struct P(Struct In(Field a(type: Name i64)), Enum E(Variant x))");
    CHECK(itemTree("P :: struct { area :: (self: *P) -> i64 #get => self.w; area :: (self: *P, v: i64) #set { } }") ==
          "Struct P(Function area #get =>(Param self(type: Unary *(Name P)), result: Name i64, body: Member w(Name "
          "self)), "
          "Function area #set(Param self(type: Unary *(Name P)), Param v(type: Name i64), body: Block))");
}

TEST_CASE("enums, unions, error sets") {
    CHECK(itemTree("E :: enum { a; b :: 7; c :: 0x300: i64; d: struct { x: i64; } null; }") ==
          "Enum E(Variant a, Variant b(value: Int 7), Variant c(value: Int 768, payload: Name i64), "
          "Variant d(payload: InlineType(Struct(Field x(type: Name i64)))), Variant null)");
    CHECK(itemTree("E :: enum u8 { a }") == "Enum E(backing: Name u8, Variant a)");
    CHECK(itemTree("E :: enum flags { a; b }") == "Enum E flags(Variant a, Variant b)");
    CHECK(itemTree("E :: enum flags u32 { a }") == "Enum E flags(backing: Name u32, Variant a)");
    CHECK(itemTree("E :: enum struct { tag: u32; } { a :: 1 }") ==
          "Enum E(backing: InlineType(Struct(Field tag(type: Name u32))), Variant a(value: Int 1))");
    CHECK(itemTree("U :: union { f: f32; struct { lo, hi: u16; }; }") ==
          "Union U(UnionMember f(type: Name f32), UnionMember(Struct(Field lo(type: Name u16), Field hi(type: Name "
          "u16))))");
    CHECK(itemTree("E :: error { A, B, }; F :: error { C } G :: error { }") ==
          "ErrorSet E { A, B }, ErrorSet F { C }, ErrorSet G {  }");
}

TEST_CASE("protocols and impls") {
    CHECK(itemTree("S :: protocol { put :: (self: *Self, s: string) -> i64; line :: (self: Self) { } }") ==
          "Protocol S(Function put no-body(Param self(type: Unary *(Name Self)), Param s(type: Name string), result: "
          "Name i64), "
          "Function line(Param self(type: Name Self), body: Block))");
    CHECK(itemTree("A :: protocol #identity #inline { }") == "Protocol A #inline #identity");
    CHECK(itemTree("A :: protocol(Item: Type) { next :: (self: *Self) -> ?Item }") ==
          "Protocol A(TypeParam Item(Name Type), Function next no-body(Param self(type: Unary *(Name Self)), "
          "result: OptionalType(Name Item)))");
    CHECK(itemTree("impl Sink for FileSink { put :: (self: *FileSink) { } }") ==
          "Impl Sink(protocol: Name Sink, target: Name FileSink, Function put(Param self(type: Unary *(Name "
          "FileSink)), body: Block))");
    CHECK(itemTree("impl ns.Source($R) for Holder($R, ..$Ts) { }") ==
          "Impl Source fresh R, Ts(protocol: Call(callee: Member Source(Name ns), TypeParam R), "
          "target: Call(callee: Name Holder, TypeParam R, ..: TypeParam Ts))");
    CHECK(itemTree("impl P for []u8 { }") == "Impl P(protocol: Name P, target: SliceType(Name u8))");
    CHECK(itemTree("impl P(i64) for Closure(..$args) -> $R { }") ==
          "Impl P(protocol: Call(callee: Name P, Name i64), target: ClosureType(Elem ..(TypeParam args), result: "
          "TypeParam R))");
}

TEST_CASE("imports and directives") {
    CHECK(itemTree("#import \"modules/std.sx\"; geo :: #import \"lib\"; private d :: #import \"d.sx\";") ==
          "Import \"modules/std.sx\", Import geo \"lib\", Import private d \"d.sx\"");
    CHECK(itemTree("zl :: #import c { #include \"z.h\"; #source \"z.c\"; #define \"A=1\"; #flags \"-O2\"; };") ==
          "ImportC zl(Include \"z.h\", Source \"z.c\", Define \"A=1\", Flags \"-O2\")");
    CHECK(itemTree("#import c { };") == "ImportC");
    CHECK(itemTree("m :: #library \"m\"; #framework \"Cocoa\"; #run f(); #error(\"no\");") ==
          "Library m \"m\", Framework \"Cocoa\", Run(Call(callee: Name f)), Error \"no\"");
    CHECK(itemTree("#context_extend depth: i64 = 0; #context_extend ui: *Ui;") ==
          "ContextExtend depth(type: Name i64, default: Int 0), ContextExtend ui(type: Unary *(Name Ui))");
    CHECK(bodyTree("#insert gen(); #error(\"no\"); #import \"a\"; #framework \"b\";") ==
          "Insert(Call(callee: Name gen)), Error \"no\", Import \"a\", LocalDecl(Framework \"b\")");
}

TEST_CASE("inline if at the top level") {
    CHECK(itemTree("inline if OS == .linux { A :: 1; } else if ARCH == .x { B :: 2; } else { private C :: 3; }") ==
          "InlineIf(cond: Binary ==(Name OS, EnumLit linux), then: Items(Const A(value: Int 1)), "
          "else: Items(InlineIf(cond: Binary ==(Name ARCH, EnumLit x), then: Items(Const B(value: Int 2)), "
          "else: Items(Const private C(value: Int 3)))))");
    CHECK(itemTree("inline if OS == { case .linux: A :: 1; #import \"x\"; case .macos: else: B :: 2; }") ==
          "InlineIf match(subject: Name OS, Case(pattern: EnumLit linux, body: Items(Const A(value: Int 1), Import "
          "\"x\")), "
          "Case(pattern: EnumLit macos, body: Items), Else(body: Items(Const B(value: Int 2))))");
}

TEST_CASE("classes of foreign runtimes") {
    CHECK(itemTree(
              "View :: #objc_class(\"NSView\") extern { #extends Base; frame: Rect #property(readonly); K :: i64 = 3; "
              "init :: (self: *Self, n: i64) -> *View #selector(\"init:\"); }") ==
          "RuntimeClass View \"NSView\" extern(Extends Base, Field frame(type: Name Rect), Const K(type: Name i64, "
          "value: Int 3), "
          "Method init(Function init no-body(Param self(type: Unary *(Name Self)), Param n(type: Name i64), "
          "result: Unary *(Name View))))");
    CHECK(itemTree("A :: #jni_main #jni_class(\"a/B\") { run :: () => 1; }") ==
          "RuntimeClass A \"a/B\" jni-main(Method run(Function run =>(body: Int 1)))");
}

TEST_CASE("rejected declarations") {
    CHECK(mismatch("f@@;").empty());
    CHECK(mismatch("f @@= 3;").empty());
    CHECK(mismatch("@@1 + 2;").empty());
    CHECK(mismatch("@@if x { }").empty());
    CHECK(mismatch("print@@(\"x\");").empty());
    CHECK(mismatch("private @@#import \"x\";").empty());
    CHECK(mismatch("private @@impl P for T { }").empty());
    CHECK(mismatch("private @@#run f();").empty());
    CHECK(mismatch("private @@#error(\"x\");").empty());
    CHECK(mismatch("private @@#context_extend a: i64 = 0;").empty());
    CHECK(mismatch("private @@#framework \"x\";").empty());
    CHECK(mismatch("private @@asm { \"x\", };").empty());
    CHECK(mismatch("private @@inline if OS == .linux { }").empty());
    CHECK(mismatch("private @@private x :: 1;").empty());
    CHECK(bodyMismatch("@@private x :: 1;").empty());
    CHECK(bodyMismatch("@@#context_extend x: i64 = 1;").empty());
    CHECK(mismatch("f :: (..xs: []i64, @@n: i64) { }").empty());
    CHECK(mismatch("f :: (a: i64 @@b: i64) { }").empty());
    CHECK(mismatch("f :: () extern @@export { }").empty());
    CHECK(mismatch("f :: () extern @@{ }").empty());
    CHECK(mismatch("f :: @@(a: i64 -> i64 { }").empty()); // an open bracket is told where it is
    CHECK(mismatch("f :: ($T@@: Type) -> i64 #nope;").empty());
    CHECK(mismatch("S :: struct { @@inline: i64; }").empty());
    CHECK(mismatch("E :: enum { a; @@inline; }").empty());
    CHECK(mismatch("P :: protocol { @@inline :: (self: *Self); }").empty());
    CHECK(mismatch("impl P for T { @@inline :: () { } }").empty());
    CHECK(bodyMismatch("x := .{ @@inline = 1 };").empty());
    CHECK(mismatch("U :: union { a@@; }").empty());
    CHECK(mismatch("U :: union { @@f32: f32; }").empty());
    CHECK(mismatch("S :: struct { a: i64@@, b: i64; }").empty());
    CHECK(mismatch("E :: enum { a@@, b }").empty());
    CHECK(mismatch("E :: enum { a @@= 1; }").empty());
    CHECK(mismatch("E :: error { A@@; B }").empty());
    CHECK(mismatch("E :: error { @@if }").empty());
    CHECK(mismatch("S :: struct { }@@;").empty());
    CHECK(mismatch("P :: protocol { f :: ()@@; }").empty());
    CHECK(mismatch("P :: protocol { f :: (n: i64) @@-> i64; }").empty());
    CHECK(mismatch("P :: protocol { f :: (self: *P)@@; }").empty());
    CHECK(mismatch("P :: protocol { f :: (self: **Self)@@; }").empty());
    CHECK(mismatch("P :: protocol #inline @@#inline { }").empty());
    CHECK(mismatch("P :: protocol(@@$T: Type) { }").empty());
    CHECK(mismatch("#error(@@5);").empty());
    CHECK(mismatch("#import @@x;").empty());
    CHECK(mismatch("zl :: #import c { @@#import \"x\"; };").empty());
    CHECK(mismatch("inline @@for 0..1 { }").empty());
    CHECK(mismatch("@@}").empty());
    CHECK(mismatch("x :: 1 @@+= 2;").empty());
}
