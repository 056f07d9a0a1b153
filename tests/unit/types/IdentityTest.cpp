// Structural types are one per shape, nominal ones one per declaration.
#include "Fixture.h"
#include "types/Derived.h"
#include "types/Predicates.h"

#include <catch2/catch.hpp>

#include <set>

using namespace sx;

TEST_CASE_METHOD(Types, "fixed ids of integers") {
    CHECK(integerType(8, true) == TypeId::I8);
    CHECK(integerType(16, true) == TypeId::I16);
    CHECK(integerType(32, true) == TypeId::I32);
    CHECK(integerType(64, true) == TypeId::I64);
    CHECK(integerType(8, false) == TypeId::U8);
    CHECK(integerType(16, false) == TypeId::U16);
    CHECK(integerType(32, false) == TypeId::U32);
    CHECK(integerType(64, false) == TypeId::U64);
    for (unsigned bits = 1; bits <= 64; ++bits) {
        CHECK(bitsOf(table, integerType(bits, true)) == bits);
        CHECK(table.isSigned(integerType(bits, true)));
        CHECK(bitsOf(table, integerType(bits, false)) == bits);
        CHECK_FALSE(table.isSigned(integerType(bits, false)));
    }
    CHECK(table.size() == static_cast<size_t>(TypeId::FirstDerived));
    CHECK(table.isSigned(TypeId::ISize));
    CHECK_FALSE(table.isSigned(TypeId::USize));
    CHECK(TypeId::USize != TypeId::U64);
}

TEST_CASE_METHOD(Types, "types of one part") {
    CHECK(pointerTo(table, TypeId::I64) == pointerTo(table, TypeId::I64));
    CHECK(arrayOf(table, 3, TypeId::I64) == arrayOf(table, 3, TypeId::I64));
    CHECK(arrayOf(table, 3, TypeId::I64) != arrayOf(table, 4, TypeId::I64));
    CHECK(vectorOf(table, 3, TypeId::F32) == vectorOf(table, 3, TypeId::F32));
    std::set<TypeId> all{pointerTo(table, TypeId::I64),  manyPointerTo(table, TypeId::I64),
                         sliceOf(table, TypeId::I64),    optionalOf(table, TypeId::I64),
                         arrayOf(table, 1, TypeId::I64), vectorOf(table, 1, TypeId::I64)};
    CHECK(all.size() == 6);
    TypeId nested = sliceOf(table, pointerTo(table, TypeId::I64));
    CHECK(nested == sliceOf(table, pointerTo(table, TypeId::I64)));
    CHECK(table.kind(nested) == TypeKind::Slice);
    CHECK(table.elem(nested) == pointerTo(table, TypeId::I64));
    CHECK(table.count(arrayOf(table, 7, TypeId::Bool)) == 7);
}

TEST_CASE_METHOD(Types, "the names of tuple fields are part of the type") {
    TypeId plain = tuple({TypeId::I64, TypeId::Bool});
    TypeId named = table.tupleOf({{name("x"), TypeId::I64}, {name("y"), TypeId::Bool}});
    CHECK(plain == tuple({TypeId::I64, TypeId::Bool}));
    CHECK(plain != named);
    CHECK(named == table.tupleOf({{name("x"), TypeId::I64}, {name("y"), TypeId::Bool}}));
    CHECK(named != table.tupleOf({{name("y"), TypeId::I64}, {name("x"), TypeId::Bool}}));
    CHECK(tuple({}) != tuple({TypeId::Void}));
}

TEST_CASE_METHOD(Types, "functions and closures") {
    TypeId f = functionTypeOf(table, {TypeId::I64}, TypeId::Bool);
    CHECK(f == functionTypeOf(table, {TypeId::I64}, TypeId::Bool));
    CHECK(f != functionTypeOf(table, {TypeId::I64}, TypeId::Bool, CallConv::C));
    CHECK(f != functionTypeOf(table, {TypeId::I64}, TypeId::I64));
    CHECK(f != closureTypeOf(table, {TypeId::I64}, TypeId::Bool));
    CHECK(closureTypeOf(table, {}, TypeId::Void) == closureTypeOf(table, {}, TypeId::Void));
    CHECK(functionTypeOf(table, {}, TypeId::Void, CallConv::C, true) !=
          functionTypeOf(table, {}, TypeId::Void, CallConv::C, false));
    // Where the parameters end is part of the shape.
    CHECK(functionTypeOf(table, {TypeId::I64, TypeId::Bool}, TypeId::Void) !=
          functionTypeOf(table, {TypeId::I64}, TypeId::Bool));
    CHECK(table.functionInfo(f).params == std::vector<TypeId>{TypeId::I64});
    CHECK(table.functionInfo(f).result == TypeId::Bool);
}

TEST_CASE_METHOD(Types, "anonymous structs are one per shape") {
    TypeId xy = table.anonymousStruct({{name("x"), TypeId::I64}, {name("y"), TypeId::I64}}, false);
    CHECK(xy == table.anonymousStruct({{name("x"), TypeId::I64}, {name("y"), TypeId::I64}}, false));
    CHECK(xy != table.anonymousStruct({{name("y"), TypeId::I64}, {name("x"), TypeId::I64}}, false));
    CHECK(xy != table.anonymousStruct({{name("x"), TypeId::I64}, {name("y"), TypeId::I32}}, false));

    TypeId positional = table.anonymousStruct({{Name::None, TypeId::I64}, {Name::None, TypeId::I64}}, true);
    CHECK(positional == table.anonymousStruct({{name("0"), TypeId::I64}, {name("1"), TypeId::I64}}, true));
    CHECK(positional != xy);
    CHECK(table.structInfo(positional).positional);
    CHECK(table.structInfo(positional).fields[1].name == name("1"));
    CHECK(table.structInfo(positional).index.lookup(name("1")) == 1);
    CHECK(table.kind(positional) == TypeKind::Struct);
}

TEST_CASE_METHOD(Types, "declarations are nominal") {
    CHECK(structOf({TypeId::I64}) != structOf({TypeId::I64}));
    CHECK(table.newEnum("E") != table.newEnum("E"));
    CHECK(table.newUnion("U") != table.newUnion("U"));
    CHECK(errorSet("F", {"A"}) != errorSet("F", {"A"}));
    CHECK(table.newProtocol("P") != table.newProtocol("P"));
}

TEST_CASE_METHOD(Types, "members are found by name; the first of two wins") {
    TypeId s = table.newStruct("S");
    table.completeStruct(s, {{.name = name("a"), .type = TypeId::I64},
                             {.name = name("b"), .type = TypeId::I8},
                             {.name = name("a"), .type = TypeId::I8}});
    CHECK(table.structInfo(s).index.lookup(name("a")) == 0);
    CHECK(table.structInfo(s).index.lookup(name("b")) == 1);
    TypeId e = enumOf(variants({TypeId::None, TypeId::I64}));
    CHECK(table.enumInfo(e).index.lookup(name("v1")) == 1);
    CHECK(table.enumInfo(e).name == "E");
}

TEST_CASE_METHOD(Types, "an info stays where it is while types are made") {
    TypeId s = structOf({TypeId::I64});
    const StructInfo& info = table.structInfo(s);
    for (int i = 0; i < 1000; ++i) pointerTo(table, structOf({TypeId::I64, TypeId::I64}));
    CHECK(&info == &table.structInfo(s));
    CHECK(info.fields.size() == 1);
}

TEST_CASE_METHOD(Types, "error tags are numbered in order of appearance, whatever set they are in") {
    CHECK(table.tagId(name("Early")) == 1);
    errorSet("F", {"Low", "High"});
    errorSet("G", {"High", "Other"});
    CHECK(table.tagId(name("Low")) == 2);
    CHECK(table.tagId(name("High")) == 3);
    CHECK(table.tagId(name("Other")) == 4);
    CHECK(table.tagId(name("Early")) == 1);
    CHECK(table.tags().size() == 4);
    CHECK(table.tags()[2] == name("High"));
}
