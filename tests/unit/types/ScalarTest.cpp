// Which types are one SSA value, and how wide it is.
#include "Fixture.h"
#include "types/Derived.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE_METHOD(Types, "scalars and their widths") {
    auto is = [&](TypeId t, unsigned bits) {
        INFO(runtimeName(table, t));
        CHECK(isScalar(table, t));
        CHECK(scalarBits(table, t) == bits);
    };
    is(TypeId::Bool, 8);
    is(TypeId::F32, 32);
    is(TypeId::F64, 64);
    is(TypeId::USize, 64);
    is(integerType(3, true), 3);
    is(integerType(40, false), 40);
    is(TypeId::Type, 64);
    is(TypeId::Null, 64);
    is(TypeId::CString, 64);
    is(TypeId::InferredErrors, 32);
    is(errorSet("F"), 32);
    is(pointerTo(table, TypeId::String), 64);
    is(manyPointerTo(table, TypeId::U8), 64);
    is(functionTypeOf(table, {}, TypeId::Void), 64);
    is(optionalOf(table, pointerTo(table, TypeId::U8)), 64);
    is(optionalOf(table, TypeId::CString), 64);
    is(enumOf(variants({TypeId::None})), 64);
    EnumInfo small = variants({TypeId::None});
    small.backing = integerType(4, false);
    is(enumOf(small), 4);
}

TEST_CASE_METHOD(Types, "everything else lives in memory") {
    for (TypeId t : {TypeId::None, TypeId::Void, TypeId::NoReturn, TypeId::String, TypeId::Any,
                     sliceOf(table, TypeId::U8), arrayOf(table, 1, TypeId::U8), vectorOf(table, 2, TypeId::F32),
                     optionalOf(table, TypeId::I64), optionalOf(table, closureTypeOf(table, {}, TypeId::Void)),
                     optionalOf(table, protocolOf({}, false)), optionalOf(table, optionalOf(table, TypeId::CString)),
                     tuple({TypeId::I64}), closureTypeOf(table, {}, TypeId::Void), structOf({TypeId::I64}),
                     enumOf(variants({TypeId::I64})), unionOf({}), protocolOf({}, true)}) {
        INFO(runtimeName(table, t));
        CHECK_FALSE(isScalar(table, t));
    }
}

TEST_CASE_METHOD(Types, "kinds of enums and pointers") {
    TypeId plain = enumOf(variants({TypeId::None})), tagged = enumOf(variants({TypeId::I64}));
    CHECK(isPlainEnum(table, plain));
    CHECK_FALSE(isTaggedEnum(table, plain));
    CHECK(isTaggedEnum(table, tagged));
    CHECK_FALSE(isPlainEnum(table, TypeId::I64));
    CHECK(isPointerLike(table, TypeId::CString));
    CHECK(isPointerLike(table, functionTypeOf(table, {}, TypeId::Void)));
    CHECK_FALSE(isPointerLike(table, TypeId::Type));
    CHECK_FALSE(isPointerLike(table, optionalOf(table, TypeId::CString)));
    CHECK(isNumeric(table, TypeId::F32));
    CHECK(isNumeric(table, TypeId::U8));
    CHECK_FALSE(isNumeric(table, TypeId::Bool));
}
