// Types that are declared in pieces, and types without a finite size.
#include "Fixture.h"
#include "types/Derived.h"
#include "types/Layout.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE_METHOD(Types, "a type is complete when all it holds by value is") {
    TypeId inner = table.newStruct("Inner"), outer = table.newStruct("Outer");
    TypeId array = arrayOf(table, 2, outer), optional = optionalOf(table, outer);
    CHECK_FALSE(table.isComplete(inner));
    table.completeStruct(outer, fields({TypeId::U8, inner, TypeId::U8}));
    CHECK(table.structInfo(outer).complete);
    for (TypeId t : {outer, array, optional, tuple({outer})}) CHECK_FALSE(table.isComplete(t));
    CHECK(table.isComplete(pointerTo(table, outer)));
    CHECK(table.isComplete(sliceOf(table, outer)));
    CHECK(table.isComplete(functionTypeOf(table, {outer}, outer)));

    table.completeStruct(inner, fields({TypeId::I32}));
    for (TypeId t : {outer, array, optional, tuple({outer})}) CHECK(table.isComplete(t));
    CHECK(table.structInfo(outer).fields[2].offset == 8); // set on reading, though the parts came late
    CHECK(sizeOf(table, array) == 24);
}

TEST_CASE_METHOD(Types, "enums, unions and protocols may come late") {
    TypeId e = table.newEnum("E"), u = table.newUnion("U"), p = table.newProtocol("P");
    TypeId all = structOf({e, u, p});
    CHECK_FALSE(table.isComplete(all));
    table.completeEnum(e, variants({TypeId::I64}));
    table.completeUnion(u, {{name("m"), TypeId::I32}});
    CHECK_FALSE(table.isComplete(all));
    table.completeProtocol(p, {});
    CHECK(table.isComplete(all));
    CHECK(sizeOf(table, all) == 48);
}

TEST_CASE_METHOD(Types, "a layout struct may come late") {
    EnumInfo info = variants({TypeId::I64});
    info.layoutStruct = table.newStruct("Event");
    TypeId e = enumOf(info);
    table.completeStruct(info.layoutStruct, fields({TypeId::U16, TypeId::U16, arrayOf(table, 3, TypeId::U32)}));
    CHECK(table.enumInfo(e).payloadOffset == 4);
    CHECK(table.enumInfo(e).backing == TypeId::U16);
}

TEST_CASE_METHOD(Types, "a type that contains itself by value") {
    TypeId direct = table.newStruct("Direct");
    table.completeStruct(direct, fields({TypeId::I64, direct}));
    CHECK(table.containsItselfByValue(direct));

    TypeId viaArray = table.newStruct("ViaArray");
    table.completeStruct(viaArray, fields({arrayOf(table, 2, optionalOf(table, viaArray))}));
    CHECK(table.containsItselfByValue(viaArray));

    TypeId viaEnum = table.newEnum("ViaEnum");
    table.completeEnum(viaEnum, variants({TypeId::None, tuple({TypeId::I64, viaEnum})}));
    CHECK(table.containsItselfByValue(viaEnum));

    TypeId viaUnion = table.newUnion("ViaUnion");
    table.completeUnion(viaUnion, {{name("m"), viaUnion}});
    CHECK(table.containsItselfByValue(viaUnion));

    TypeId a = table.newStruct("A"), b = table.newStruct("B"), user = structOf({a});
    table.completeStruct(a, fields({b}));
    table.completeStruct(b, fields({a}));
    CHECK(table.containsItselfByValue(a));
    CHECK(table.containsItselfByValue(b));
    CHECK_FALSE(table.containsItselfByValue(user)); // it holds such a type, but is none
}

TEST_CASE_METHOD(Types, "pointers end a recursion") {
    TypeId node = table.newStruct("Node");
    table.completeStruct(node, fields({TypeId::I64, pointerTo(table, node), sliceOf(table, node),
                                       optionalOf(table, pointerTo(table, node)), closureTypeOf(table, {node}, node),
                                       functionTypeOf(table, {node}, node)}));
    CHECK_FALSE(table.containsItselfByValue(node));
    CHECK(sizeOf(table, node) == 64);
}

TEST_CASE_METHOD(Types, "one answer does not spoil the next") {
    TypeId late = table.newStruct("Late"), user = structOf({late});
    CHECK_FALSE(table.containsItselfByValue(user)); // nothing is known yet
    table.completeStruct(late, fields({user}));
    CHECK(table.containsItselfByValue(user));
    CHECK(table.containsItselfByValue(late));
}

TEST_CASE_METHOD(Types, "the layout of a type without a finite size ends") {
    TypeId t = table.newStruct("T");
    table.completeStruct(t, fields({TypeId::I64, t, TypeId::I64}));
    CHECK(sizeOf(table, t) == 16);
    // Many ways through a cycle are still walked once each.
    std::vector<TypeId> ring;
    for (int i = 0; i < 200; ++i) ring.push_back(table.newStruct("R"));
    for (size_t i = 0; i < ring.size(); ++i) {
        TypeId next = ring[(i + 1) % ring.size()];
        table.completeStruct(ring[i], fields({next, next}));
    }
    CHECK(table.containsItselfByValue(ring[0]));
    CHECK(table.isComplete(ring[0]));
    CHECK(sizeOf(table, ring[7]) == 0);
}

TEST_CASE_METHOD(Types, "a wide graph of shared parts is walked in linear time") {
    TypeId t = structOf({TypeId::I8});
    for (int i = 0; i < 40; ++i) t = structOf({t, t}); // 2^40 paths
    CHECK_FALSE(table.containsItselfByValue(t));
    CHECK(table.isComplete(t));
    CHECK(sizeOf(table, t) == uint64_t{1} << 40);
}
