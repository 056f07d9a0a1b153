// The names of types as the language reference lists them (types 18.3, generics 2.2 and 9.5), and as a program writes
// them.
#include "Fixture.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/TypeNames.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE_METHOD(Types, "names of builtin types") {
    auto is = [&](TypeId t, const char* expected) {
        CHECK(runtimeName(table, t) == expected);
        CHECK(writtenName(table, t) == expected);
    };
    is(TypeId::I64, "i64");
    is(TypeId::U8, "u8");
    is(integerType(3, false), "u3");
    is(integerType(5, true), "i5");
    is(integerType(12, false), "u12");
    is(TypeId::F32, "f32");
    is(TypeId::F64, "f64");
    is(TypeId::Bool, "bool");
    is(TypeId::String, "string");
    is(TypeId::CString, "cstring");
    is(TypeId::Void, "void");
    is(TypeId::Any, "any");
    is(TypeId::Type, "Type");
    is(TypeId::USize, "usize");
    is(TypeId::ISize, "isize");
    is(TypeId::NoReturn, "noreturn");
    is(TypeId::InferredErrors, "!");
}

TEST_CASE_METHOD(Types, "names of declared types are those of their declarations") {
    CHECK(runtimeName(table, structOf({}, "Point")) == "Point");
    CHECK(runtimeName(table, structOf({}, "List__*Node")) == "List__*Node");
    CHECK(runtimeName(table, structOf({}, "Cmd.draw")) == "Cmd.draw");
    CHECK(runtimeName(table, enumOf(variants({}), "Dir")) == "Dir");
    CHECK(runtimeName(table, table.newUnion("Bits")) == "Bits");
    CHECK(runtimeName(table, errorSet("Fault")) == "Fault");
    CHECK(runtimeName(table, protocolOf({}, false, "Sink")) == "Sink");
    CHECK(runtimeName(table, table.newEnum("")) == "__anon");
}

TEST_CASE_METHOD(Types, "an instance has a name for the running program and one as it is written") {
    TypeId node = structOf({}, "Node"), inner = structOf({}, "List__*Node");
    table.setWrittenName(inner, "List(*Node)");
    TypeId outer = structOf({}, "Box__List__*Node");
    table.setWrittenName(outer, "Box(" + writtenName(table, inner) + ")");
    CHECK(runtimeName(table, sliceOf(table, outer)) == "[]Box__List__*Node");
    CHECK(writtenName(table, sliceOf(table, outer)) == "[]Box(List(*Node))");
    CHECK(writtenName(table, functionTypeOf(table, {inner}, node)) == "(List(*Node)) -> Node");
}

TEST_CASE_METHOD(Types, "prefixes are spelled without spaces") {
    TypeId node = structOf({}, "Node");
    CHECK(runtimeName(table, pointerTo(table, node)) == "*Node");
    CHECK(runtimeName(table, manyPointerTo(table, node)) == "[*]Node");
    CHECK(runtimeName(table, sliceOf(table, TypeId::U8)) == "[]u8");
    CHECK(runtimeName(table, optionalOf(table, TypeId::I64)) == "?i64");
    TypeId nested = optionalOf(table, optionalOf(table, TypeId::I64));
    CHECK(runtimeName(table, nested) == "??i64");
    CHECK(writtenName(table, nested) == "?(?i64)");
    CHECK(runtimeName(table, arrayOf(table, 4, TypeId::I32)) == "[4]i32");
    CHECK(runtimeName(table, optionalOf(table, pointerTo(table, sliceOf(table, arrayOf(table, 2, node))))) ==
          "?*[][2]Node");
    CHECK(runtimeName(table, vectorOf(table, 3, TypeId::F32)) == "Vector(3,f32)");
    CHECK(writtenName(table, vectorOf(table, 3, TypeId::F32)) == "Vector(3, f32)");
}

TEST_CASE_METHOD(Types, "names of tuples") {
    CHECK(runtimeName(table, tuple({TypeId::I64, TypeId::Bool})) == "(i64, bool)");
    CHECK(runtimeName(table, tuple({TypeId::I64})) == "(i64,)");
    CHECK(runtimeName(table, tuple({})) == "()");
    TypeId labelled = table.tupleOf({{name("x"), TypeId::I64}, {name("y"), TypeId::Bool}});
    CHECK(runtimeName(table, labelled) == "(i64, bool)");
    CHECK(writtenName(table, labelled) == "Tuple(x: i64, y: bool)");
    CHECK(writtenName(table, tuple({TypeId::I64})) == "Tuple(i64)");
    CHECK(writtenName(table, functionTypeOf(table, {labelled}, labelled)) ==
          "(Tuple(x: i64, y: bool)) -> (x: i64, y: bool)");
    CHECK(writtenName(table, functionTypeOf(table, {}, tuple({TypeId::I64}))) == "() -> Tuple(i64)");
}

TEST_CASE_METHOD(Types, "names of functions and closures leave a void result out") {
    CHECK(runtimeName(table, functionTypeOf(table, {TypeId::I64, TypeId::Bool}, TypeId::I64)) == "(i64, bool) -> i64");
    CHECK(runtimeName(table, functionTypeOf(table, {TypeId::I64}, TypeId::Void)) == "(i64)");
    CHECK(runtimeName(table, functionTypeOf(table, {}, TypeId::Void)) == "()");
    CHECK(runtimeName(table, closureTypeOf(table, {TypeId::I64}, TypeId::I64)) == "Closure(i64) -> i64");
    CHECK(runtimeName(table, closureTypeOf(table, {TypeId::I64}, TypeId::Void)) == "Closure(i64)");
    TypeId c = functionTypeOf(table, {TypeId::CString}, TypeId::I32, CallConv::C, true);
    CHECK(runtimeName(table, c) == "(cstring, ..) -> i32");
    CHECK(writtenName(table, c) == "(cstring, ..) -> i32 abi(.c)");
}

TEST_CASE_METHOD(Types, "names of failable functions") {
    TypeId e = errorSet("Fault");
    CHECK(
        runtimeName(table, functionTypeOf(table, {TypeId::I64}, failableType(table, {{Name::None, TypeId::I64}}, e))) ==
        "(i64) -> (i64, Fault)");
    CHECK(writtenName(table, functionTypeOf(table, {}, e)) == "() -> !Fault");
    CHECK(writtenName(table, functionTypeOf(table, {}, TypeId::InferredErrors)) == "() -> !");
    TypeId two = failableType(table, {{Name::None, TypeId::I64}, {name("s"), TypeId::String}}, e);
    CHECK(writtenName(table, closureTypeOf(table, {TypeId::I64}, two)) == "Closure(i64) -> (i64, s: string, !Fault)");
    CHECK(writtenName(table, failableType(table, {{Name::None, TypeId::F64}}, TypeId::InferredErrors)) == "(f64, !)");
    CHECK(writtenName(table, closureTypeOf(table, {}, failableType(table, {{Name::None, e}}, e))) ==
          "Closure() -> (Fault, !Fault)");
}

TEST_CASE_METHOD(Types, "an anonymous struct shows its shape in diagnostics only") {
    TypeId shaped = table.anonymousStruct({{name("x"), TypeId::I64}, {name("s"), TypeId::String}}, false);
    TypeId positional = table.anonymousStruct({{Name::None, TypeId::I64}, {Name::None, TypeId::String}}, true);
    CHECK(runtimeName(table, shaped) == "__anon");
    CHECK(runtimeName(table, positional) == "__anon");
    CHECK(writtenName(table, shaped) == "struct {x: i64, s: string}");
    CHECK(writtenName(table, positional) == "struct {i64, string}");
}
