// Every row of the layout tables of the language reference (types 5, 6, 7.1, 11.1, 12, 19).
#include "types/Layout.h"
#include "Fixture.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include <catch2/catch.hpp>

using namespace sx;

namespace {

struct Layout : Types {
    void check(TypeId t, uint64_t size, uint64_t align) {
        INFO(runtimeName(table, t));
        CHECK(sizeOf(table, t) == size);
        CHECK(alignOf(table, t) == align);
    }
};

} // namespace

TEST_CASE_METHOD(Layout, "builtin types") {
    check(TypeId::Bool, 1, 1);
    check(TypeId::F32, 4, 4);
    check(TypeId::F64, 8, 8);
    check(TypeId::USize, 8, 8);
    check(TypeId::ISize, 8, 8);
    check(TypeId::CString, 8, 8);
    check(TypeId::Type, 8, 8);
    check(TypeId::Void, 0, 1);
    check(TypeId::String, 16, 8);
    check(TypeId::Any, 16, 8);
    check(TypeId::InferredErrors, 4, 4);
}

TEST_CASE_METHOD(Layout, "an integer takes the next power of two of bytes") {
    for (unsigned bits = 1; bits <= 64; ++bits) {
        uint64_t bytes = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
        check(integerType(bits, true), bytes, bytes);
        check(integerType(bits, false), bytes, bytes);
    }
}

TEST_CASE_METHOD(Layout, "pointers, slices, functions and closures") {
    check(pointerTo(table, TypeId::Void), 8, 8);
    check(manyPointerTo(table, TypeId::U8), 8, 8);
    check(functionTypeOf(table, {TypeId::I64}, TypeId::Void), 8, 8);
    check(sliceOf(table, TypeId::U8), 16, 8);
    check(closureTypeOf(table, {TypeId::I64}, TypeId::Void), 16, 8);
}

TEST_CASE_METHOD(Layout, "protocols") {
    check(protocolOf({}, false), 24, 8);
    check(protocolOf({true, true, true}, false), 24, 8);
    check(protocolOf({}, true), 16, 8);
    check(protocolOf({true, false, true}, true), 32, 8); // one word a dispatchable method
}

TEST_CASE_METHOD(Layout, "error sets") { check(errorSet("Fault", {"Low", "High"}), 4, 4); }

TEST_CASE_METHOD(Layout, "payload-less enums have the size of their backing integer") {
    check(enumOf(variants({TypeId::None, TypeId::None})), 8, 8);
    EnumInfo bytes = variants({TypeId::None});
    bytes.backing = TypeId::U8;
    check(enumOf(bytes), 1, 1);
    EnumInfo words = variants({TypeId::None});
    words.backing = TypeId::U32;
    words.isFlags = true;
    check(enumOf(words), 4, 4);
}

TEST_CASE_METHOD(Layout, "payload enums are a tag and a payload of whole words") {
    check(enumOf(variants({TypeId::None, TypeId::U8})), 16, 8);
    check(enumOf(variants({TypeId::None, TypeId::I64})), 16, 8);
    check(enumOf(variants({TypeId::String, TypeId::U8})), 24, 8);
    check(enumOf(variants({arrayOf(table, 17, TypeId::U8)})), 32, 8);
    TypeId e = enumOf(variants({TypeId::None, TypeId::U8}));
    CHECK(table.enumInfo(e).payloadOffset == 8);
    CHECK(table.enumInfo(e).backing == TypeId::I64);
    EnumInfo noPayload = variants({TypeId::None});
    noPayload.isTagged = true;
    check(enumOf(noPayload), 16, 8); // M is 8 where no variant has a payload
}

TEST_CASE_METHOD(Layout, "a void payload is none") {
    TypeId e = enumOf(variants({TypeId::Void, TypeId::None}));
    CHECK(isPlainEnum(table, e));
    CHECK(table.enumInfo(e).variants[0].payload == TypeId::None);
    check(e, 8, 8);
}

TEST_CASE_METHOD(Layout, "a backing struct is the layout of its enum") {
    EnumInfo event = variants({TypeId::None, TypeId::I64});
    event.layoutStruct = structOf({TypeId::U32, TypeId::U32, arrayOf(table, 30, TypeId::U32)});
    TypeId e = enumOf(event);
    check(e, 128, 4);
    CHECK(isTaggedEnum(table, e));
    CHECK(table.enumInfo(e).backing == TypeId::U32);
    CHECK(table.enumInfo(e).payloadOffset == 8);
}

TEST_CASE_METHOD(Layout, "a union is as large as its largest member") {
    Name n = name("m");
    check(unionOf({}), 8, 8);
    check(unionOf({{n, TypeId::F32}, {n, TypeId::U8}}), 4, 8);
    check(unionOf({{n, arrayOf(table, 5, TypeId::U8)}, {n, TypeId::F32}}), 5, 8);
    // f: f32; struct { lo: u32; hi: u16; } has its struct's size
    check(unionOf({{n, TypeId::F32, 0, 0}, {n, TypeId::U32, 0, 1}, {n, TypeId::U16, 4, 1}}), 8, 8);
}

TEST_CASE_METHOD(Layout, "structs and tuples are laid out as C does") {
    check(structOf({}), 0, 1);
    check(structOf({TypeId::I64, TypeId::I64}), 16, 8);
    TypeId mixed = structOf({TypeId::U8, TypeId::I32, TypeId::U8, TypeId::I64, TypeId::Bool});
    check(mixed, 32, 8);
    std::vector<uint64_t> offsets;
    for (const StructField& f : table.structInfo(mixed).fields) offsets.push_back(f.offset);
    CHECK(offsets == std::vector<uint64_t>{0, 4, 8, 16, 24});
    CHECK(fieldOffset(table, mixed, 3) == 16);

    TypeId pair = tuple({TypeId::U8, TypeId::I64, TypeId::U16});
    check(pair, 24, 8);
    CHECK(fieldOffset(table, pair, 0) == 0);
    CHECK(fieldOffset(table, pair, 1) == 8);
    CHECK(fieldOffset(table, pair, 2) == 16);
    check(tuple({}), 0, 1);
}

TEST_CASE_METHOD(Layout, "a void field takes no bytes") {
    TypeId s = structOf({TypeId::U8, TypeId::Void, TypeId::U16, TypeId::Void});
    check(s, 4, 2);
    CHECK(fieldOffset(table, s, 1) == 1);
    CHECK(fieldOffset(table, s, 2) == 2);
    CHECK(fieldOffset(table, s, 3) == 4);
}

TEST_CASE_METHOD(Layout, "arrays") {
    check(arrayOf(table, 3, TypeId::I32), 12, 4);
    check(arrayOf(table, 0, TypeId::I64), 0, 8);
    check(arrayOf(table, 2, arrayOf(table, 3, TypeId::I16)), 12, 2);
    check(arrayOf(table, 4, TypeId::Void), 0, 1);
    check(arrayOf(table, 3, integerType(12, false)), 6, 2);
}

TEST_CASE_METHOD(Layout, "vectors are rounded up to a power of two, and aligned to that") {
    check(vectorOf(table, 1, TypeId::F32), 4, 4);
    check(vectorOf(table, 3, TypeId::F32), 16, 16);
    check(vectorOf(table, 4, TypeId::F64), 32, 32);
    check(vectorOf(table, 3, TypeId::Bool), 4, 4);
    check(vectorOf(table, 5, TypeId::I16), 16, 16);
}

TEST_CASE_METHOD(Layout, "optionals") {
    auto optional = [&](TypeId t) { return optionalOf(table, t); };
    check(optional(TypeId::I64), 16, 8);
    check(optional(TypeId::I32), 8, 4);
    check(optional(TypeId::U8), 2, 1);
    check(optional(TypeId::Bool), 2, 1);
    check(optional(pointerTo(table, TypeId::I64)), 8, 8);
    check(optional(manyPointerTo(table, TypeId::I64)), 8, 8);
    check(optional(TypeId::CString), 8, 8);
    check(optional(functionTypeOf(table, {}, TypeId::Void)), 8, 8);
    check(optional(TypeId::String), 24, 8);
    check(optional(closureTypeOf(table, {}, TypeId::Void)), 16, 8);
    check(optional(protocolOf({true}, false)), 24, 8);
    check(optional(protocolOf({true}, true)), 24, 8);
    check(optional(TypeId::Type), 16, 8);
    check(optional(TypeId::Void), 1, 1);
    check(optional(optional(pointerTo(table, TypeId::I64))), 16, 8);
    check(optional(optional(TypeId::I64)), 24, 8);
    check(optional(errorSet("F")), 8, 4);
}

TEST_CASE_METHOD(Layout, "how an optional marks absence") {
    auto absence = [&](TypeId t) { return sx::absence(table, optionalOf(table, t)); };
    for (TypeId t :
         {pointerTo(table, TypeId::U8), manyPointerTo(table, TypeId::U8), functionTypeOf(table, {}, TypeId::Void),
          closureTypeOf(table, {}, TypeId::Void), protocolOf({}, false), TypeId::CString})
        CHECK(absence(t) == Absence::NullWord);
    for (TypeId t : {TypeId::I64, TypeId::String, TypeId::Any, TypeId::Type, sliceOf(table, TypeId::U8),
                     optionalOf(table, TypeId::CString)})
        CHECK(absence(t) == Absence::Flag);
    CHECK(optionalFlagOffset(table, optionalOf(table, TypeId::I32)) == 4);
    CHECK(optionalFlagOffset(table, optionalOf(table, TypeId::String)) == 16);
}

TEST_CASE_METHOD(Layout, "failable results end in their error slot") {
    TypeId e = errorSet("Fault");
    check(failableType(table, {{Name::None, TypeId::I64}}, e), 16, 8);
    check(failableType(table, {{Name::None, TypeId::Bool}}, e), 8, 4);
    check(failableType(table, {}, e), 4, 4);
}

TEST_CASE_METHOD(Layout, "sizes beyond all memory do not wrap") {
    TypeId huge = arrayOf(table, UINT32_MAX, TypeId::I64);
    for (int i = 0; i < 4; ++i) huge = arrayOf(table, UINT32_MAX, huge);
    CHECK(sizeOf(table, huge) >= uint64_t{1} << 50);
    TypeId holder = structOf({huge, huge, TypeId::U8});
    CHECK(sizeOf(table, holder) >= uint64_t{1} << 50);
    CHECK(sizeOf(table, optionalOf(table, holder)) >= uint64_t{1} << 50);
}

TEST_CASE_METHOD(Types, "layouts that were settled are what they would have been, also of types that are made later") {
    TypeId first = structOf({TypeId::I32, TypeId::I64}), later = table.newStruct("Later");
    settleLayouts(table);
    CHECK(sizeOf(table, first) == 16);
    CHECK_FALSE(table.isComplete(later));
    table.completeStruct(later, fields({first, TypeId::I32}));
    CHECK(table.isComplete(later));
    CHECK(sizeOf(table, later) == 24);
}
