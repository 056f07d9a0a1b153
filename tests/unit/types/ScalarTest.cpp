// Which types are one SSA value, and how wide it is.
#include "Fixture.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE_METHOD(Types, "scalars and their widths") {
    auto is = [&](TypeId t, unsigned bits) {
        INFO(table.runtimeName(t));
        CHECK(table.isScalar(t));
        CHECK(table.scalarBits(t) == bits);
    };
    is(TypeId::Bool, 8);
    is(TypeId::F32, 32);
    is(TypeId::F64, 64);
    is(TypeId::USize, 64);
    is(TypeTable::integer(3, true), 3);
    is(TypeTable::integer(40, false), 40);
    is(TypeId::Type, 64);
    is(TypeId::Null, 64);
    is(TypeId::CString, 64);
    is(TypeId::InferredErrors, 32);
    is(errorSet("F"), 32);
    is(table.pointerTo(TypeId::String), 64);
    is(table.manyPointerTo(TypeId::U8), 64);
    is(table.function({}, TypeId::Void), 64);
    is(table.optionalOf(table.pointerTo(TypeId::U8)), 64);
    is(table.optionalOf(TypeId::CString), 64);
    is(enumOf(variants({TypeId::None})), 64);
    EnumInfo small = variants({TypeId::None});
    small.backing = TypeTable::integer(4, false);
    is(enumOf(small), 4);
}

TEST_CASE_METHOD(Types, "everything else lives in memory") {
    for (TypeId t :
         {TypeId::None, TypeId::Void, TypeId::NoReturn, TypeId::String, TypeId::Any, table.sliceOf(TypeId::U8),
          table.arrayOf(1, TypeId::U8), table.vectorOf(2, TypeId::F32), table.optionalOf(TypeId::I64),
          table.optionalOf(table.closure({}, TypeId::Void)), table.optionalOf(protocolOf({}, false)),
          table.optionalOf(table.optionalOf(TypeId::CString)), tuple({TypeId::I64}), table.closure({}, TypeId::Void),
          structOf({TypeId::I64}), enumOf(variants({TypeId::I64})), unionOf({}), protocolOf({}, true)}) {
        INFO(table.runtimeName(t));
        CHECK_FALSE(table.isScalar(t));
    }
}

TEST_CASE_METHOD(Types, "kinds of enums and pointers") {
    TypeId plain = enumOf(variants({TypeId::None})), tagged = enumOf(variants({TypeId::I64}));
    CHECK(table.isPlainEnum(plain));
    CHECK_FALSE(table.isTaggedEnum(plain));
    CHECK(table.isTaggedEnum(tagged));
    CHECK_FALSE(table.isPlainEnum(TypeId::I64));
    CHECK(table.isPointerLike(TypeId::CString));
    CHECK(table.isPointerLike(table.function({}, TypeId::Void)));
    CHECK_FALSE(table.isPointerLike(TypeId::Type));
    CHECK_FALSE(table.isPointerLike(table.optionalOf(TypeId::CString)));
    CHECK(table.isNumeric(TypeId::F32));
    CHECK(table.isNumeric(TypeId::U8));
    CHECK_FALSE(table.isNumeric(TypeId::Bool));
}
