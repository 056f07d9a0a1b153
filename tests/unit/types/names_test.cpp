// The names of types as the language reference lists them (types 18.3, generics 2.2 and 9.5).
#include "fixture.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE_METHOD(Types, "names of builtin types") {
    auto is = [&](TypeId t, const char* expected) {
        CHECK(table.name(t) == expected);
        CHECK(table.diagnosticName(t) == expected);
    };
    is(TypeId::I64, "i64");
    is(TypeId::U8, "u8");
    is(TypeTable::integer(3, false), "u3");
    is(TypeTable::integer(5, true), "i5");
    is(TypeTable::integer(12, false), "u12");
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
    CHECK(table.name(structOf({}, "Point")) == "Point");
    CHECK(table.name(structOf({}, "List__*Node")) == "List__*Node");
    CHECK(table.name(structOf({}, "Cmd.draw")) == "Cmd.draw");
    CHECK(table.name(enumOf(variants({}), "Dir")) == "Dir");
    CHECK(table.name(table.newUnion("Bits")) == "Bits");
    CHECK(table.name(errorSet("Fault")) == "Fault");
    CHECK(table.name(protocolOf({}, false, "Sink")) == "Sink");
    CHECK(table.name(table.newEnum("")) == "__anon");
}

TEST_CASE_METHOD(Types, "prefixes are spelled without spaces") {
    TypeId node = structOf({}, "Node");
    CHECK(table.name(table.pointerTo(node)) == "*Node");
    CHECK(table.name(table.manyPointerTo(node)) == "[*]Node");
    CHECK(table.name(table.sliceOf(TypeId::U8)) == "[]u8");
    CHECK(table.name(table.optionalOf(TypeId::I64)) == "?i64");
    CHECK(table.name(table.arrayOf(4, TypeId::I32)) == "[4]i32");
    CHECK(table.name(table.optionalOf(table.pointerTo(table.sliceOf(table.arrayOf(2, node))))) == "?*[][2]Node");
    CHECK(table.name(table.vectorOf(3, TypeId::F32)) == "Vector(3,f32)");
}

TEST_CASE_METHOD(Types, "names of tuples") {
    CHECK(table.name(tuple({TypeId::I64, TypeId::Bool})) == "(i64, bool)");
    CHECK(table.name(tuple({TypeId::I64})) == "(i64,)");
    CHECK(table.name(tuple({})) == "()");
    TypeId labelled = table.tupleOf({{name("x"), TypeId::I64}, {name("y"), TypeId::Bool}});
    CHECK(table.name(labelled) == "(i64, bool)");
    CHECK(table.diagnosticName(labelled) == "(x: i64, y: bool)");
}

TEST_CASE_METHOD(Types, "names of functions and closures leave a void result out") {
    CHECK(table.name(table.function({TypeId::I64, TypeId::Bool}, TypeId::I64)) == "(i64, bool) -> i64");
    CHECK(table.name(table.function({TypeId::I64}, TypeId::Void)) == "(i64)");
    CHECK(table.name(table.function({}, TypeId::Void)) == "()");
    CHECK(table.name(table.closure({TypeId::I64}, TypeId::I64)) == "Closure(i64) -> i64");
    CHECK(table.name(table.closure({TypeId::I64}, TypeId::Void)) == "Closure(i64)");
    TypeId c = table.function({TypeId::CString}, TypeId::I32, CallConv::C, true);
    CHECK(table.name(c) == "(cstring, ..) -> i32");
    CHECK(table.diagnosticName(c) == "(cstring, ..) -> i32 abi(.c)");
}

TEST_CASE_METHOD(Types, "names of failable functions") {
    TypeId e = errorSet("Fault");
    CHECK(table.name(table.function({TypeId::I64}, table.failable({{Name::None, TypeId::I64}}, e))) == "(i64) -> (i64, Fault)");
    CHECK(table.diagnosticName(table.function({}, e)) == "() -> !Fault");
    CHECK(table.diagnosticName(table.function({}, TypeId::InferredErrors)) == "() -> !");
}

TEST_CASE_METHOD(Types, "an anonymous struct shows its shape in diagnostics only") {
    TypeId shaped = table.anonymousStruct({{name("x"), TypeId::I64}, {name("s"), TypeId::String}}, false);
    TypeId positional = table.anonymousStruct({{Name::None, TypeId::I64}, {Name::None, TypeId::String}}, true);
    CHECK(table.name(shaped) == "__anon");
    CHECK(table.name(positional) == "__anon");
    CHECK(table.diagnosticName(shaped) == "struct {x: i64, s: string}");
    CHECK(table.diagnosticName(positional) == "struct {i64, string}");
}
