// The names of types as the language reference lists them (types 18.3, generics 2.2 and 9.5), and as a program writes
// them.
#include "Fixture.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE_METHOD(Types, "names of builtin types") {
    auto is = [&](TypeId t, const char* expected) {
        CHECK(table.runtimeName(t) == expected);
        CHECK(table.writtenName(t) == expected);
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
    CHECK(table.runtimeName(structOf({}, "Point")) == "Point");
    CHECK(table.runtimeName(structOf({}, "List__*Node")) == "List__*Node");
    CHECK(table.runtimeName(structOf({}, "Cmd.draw")) == "Cmd.draw");
    CHECK(table.runtimeName(enumOf(variants({}), "Dir")) == "Dir");
    CHECK(table.runtimeName(table.newUnion("Bits")) == "Bits");
    CHECK(table.runtimeName(errorSet("Fault")) == "Fault");
    CHECK(table.runtimeName(protocolOf({}, false, "Sink")) == "Sink");
    CHECK(table.runtimeName(table.newEnum("")) == "__anon");
}

TEST_CASE_METHOD(Types, "an instance has a name for the running program and one as it is written") {
    TypeId node = structOf({}, "Node"), inner = structOf({}, "List__*Node");
    table.setWrittenName(inner, "List(*Node)");
    TypeId outer = structOf({}, "Box__List__*Node");
    table.setWrittenName(outer, "Box(" + table.writtenName(inner) + ")");
    CHECK(table.runtimeName(table.sliceOf(outer)) == "[]Box__List__*Node");
    CHECK(table.writtenName(table.sliceOf(outer)) == "[]Box(List(*Node))");
    CHECK(table.writtenName(table.function({inner}, node)) == "(List(*Node)) -> Node");
}

TEST_CASE_METHOD(Types, "prefixes are spelled without spaces") {
    TypeId node = structOf({}, "Node");
    CHECK(table.runtimeName(table.pointerTo(node)) == "*Node");
    CHECK(table.runtimeName(table.manyPointerTo(node)) == "[*]Node");
    CHECK(table.runtimeName(table.sliceOf(TypeId::U8)) == "[]u8");
    CHECK(table.runtimeName(table.optionalOf(TypeId::I64)) == "?i64");
    CHECK(table.runtimeName(table.arrayOf(4, TypeId::I32)) == "[4]i32");
    CHECK(table.runtimeName(table.optionalOf(table.pointerTo(table.sliceOf(table.arrayOf(2, node))))) == "?*[][2]Node");
    CHECK(table.runtimeName(table.vectorOf(3, TypeId::F32)) == "Vector(3,f32)");
}

TEST_CASE_METHOD(Types, "names of tuples") {
    CHECK(table.runtimeName(tuple({TypeId::I64, TypeId::Bool})) == "(i64, bool)");
    CHECK(table.runtimeName(tuple({TypeId::I64})) == "(i64,)");
    CHECK(table.runtimeName(tuple({})) == "()");
    TypeId labelled = table.tupleOf({{name("x"), TypeId::I64}, {name("y"), TypeId::Bool}});
    CHECK(table.runtimeName(labelled) == "(i64, bool)");
    CHECK(table.writtenName(labelled) == "(x: i64, y: bool)");
}

TEST_CASE_METHOD(Types, "names of functions and closures leave a void result out") {
    CHECK(table.runtimeName(table.function({TypeId::I64, TypeId::Bool}, TypeId::I64)) == "(i64, bool) -> i64");
    CHECK(table.runtimeName(table.function({TypeId::I64}, TypeId::Void)) == "(i64)");
    CHECK(table.runtimeName(table.function({}, TypeId::Void)) == "()");
    CHECK(table.runtimeName(table.closure({TypeId::I64}, TypeId::I64)) == "Closure(i64) -> i64");
    CHECK(table.runtimeName(table.closure({TypeId::I64}, TypeId::Void)) == "Closure(i64)");
    TypeId c = table.function({TypeId::CString}, TypeId::I32, CallConv::C, true);
    CHECK(table.runtimeName(c) == "(cstring, ..) -> i32");
    CHECK(table.writtenName(c) == "(cstring, ..) -> i32 abi(.c)");
}

TEST_CASE_METHOD(Types, "names of failable functions") {
    TypeId e = errorSet("Fault");
    CHECK(table.runtimeName(table.function({TypeId::I64}, table.failable({{Name::None, TypeId::I64}}, e))) ==
          "(i64) -> (i64, Fault)");
    CHECK(table.writtenName(table.function({}, e)) == "() -> !Fault");
    CHECK(table.writtenName(table.function({}, TypeId::InferredErrors)) == "() -> !");
    TypeId two = table.failable({{Name::None, TypeId::I64}, {name("s"), TypeId::String}}, e);
    CHECK(table.writtenName(table.closure({TypeId::I64}, two)) == "Closure(i64) -> (i64, s: string, !Fault)");
    CHECK(table.writtenName(table.failable({{Name::None, TypeId::F64}}, TypeId::InferredErrors)) == "(f64, !)");
    CHECK(table.writtenName(table.closure({}, table.failable({{Name::None, e}}, e))) == "Closure() -> (Fault, !Fault)");
}

TEST_CASE_METHOD(Types, "an anonymous struct shows its shape in diagnostics only") {
    TypeId shaped = table.anonymousStruct({{name("x"), TypeId::I64}, {name("s"), TypeId::String}}, false);
    TypeId positional = table.anonymousStruct({{Name::None, TypeId::I64}, {Name::None, TypeId::String}}, true);
    CHECK(table.runtimeName(shaped) == "__anon");
    CHECK(table.runtimeName(positional) == "__anon");
    CHECK(table.writtenName(shaped) == "struct {x: i64, s: string}");
    CHECK(table.writtenName(positional) == "struct {i64, string}");
}
