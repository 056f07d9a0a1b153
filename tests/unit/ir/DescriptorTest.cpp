// The bytes of type descriptors and of the error name table, read back as a machine reads them.
#include "Fixture.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/TypeDescriptor.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

struct Describing : Ir {
    /// Makes `t` mentioned, finishes, and gives its descriptor.
    const Global& describe(TypeId t) { return module.global(describeType(module, t)); }

    int64_t word(const Global& g, uint64_t at) {
        uint64_t value = 0;
        for (unsigned k = 0; k < 8; ++k) value |= uint64_t{g.init.bytes[at + k]} << (8 * k);
        return static_cast<int64_t>(value);
    }
    const Reloc* reloc(const Global& g, uint64_t at) {
        for (const Reloc& r : g.init.relocs)
            if (r.offset == at) return &r;
        return nullptr;
    }
    std::string text(const Global& g, uint64_t at) {
        const Reloc* r = reloc(g, at);
        int64_t length = word(g, at + 8);
        if (!r) return length == 0 ? "" : "no address";
        const Global& holder = module.globals[r->id];
        const char* bytes = reinterpret_cast<const char*>(holder.init.bytes.data()) + r->addend;
        CHECK(bytes[length] == 0);
        return {bytes, static_cast<size_t>(length)};
    }
    TypeId typeAt(const Global& g, uint64_t at) {
        const Reloc* r = reloc(g, at);
        if (!r) return TypeId::None;
        CHECK(r->kind == Reloc::Kind::TypeHandle);
        CHECK(module.typeDescriptors.count(static_cast<TypeId>(r->id)) == 1);
        return static_cast<TypeId>(r->id);
    }
    void checkHead(TypeId t, TypeCategory category, TypeId elem = TypeId::None, int64_t count = 0) {
        const Global& g = describe(t);
        INFO(runtimeName(types, t));
        CHECK(word(g, desc::Category) == static_cast<int64_t>(category));
        CHECK(word(g, desc::Size) == static_cast<int64_t>(sizeOf(types, t)));
        CHECK(word(g, desc::Align) == static_cast<int64_t>(alignOf(types, t)));
        CHECK(text(g, desc::NamePtr) == runtimeName(types, t));
        CHECK(typeAt(g, desc::Elem) == elem);
        CHECK(word(g, desc::MemberCount) == count);
        CHECK(g.isConst);
        CHECK(g.align == 8);
        CHECK(g.size == g.init.bytes.size());
    }
    void checkMember(TypeId t, unsigned index, const char* name, TypeId type, int64_t offset, int64_t value = 0) {
        const Global& g = describe(t);
        const Reloc* members = reloc(g, desc::Members);
        REQUIRE(members);
        CHECK(members->id == static_cast<uint32_t>(module.typeDescriptors.lookup(t)));
        uint64_t at = static_cast<uint64_t>(members->addend) + index * member::Total;
        CHECK(text(g, at + member::NamePtr) == name);
        CHECK(typeAt(g, at + member::Type) == type);
        CHECK(word(g, at + member::Offset) == offset);
        CHECK(word(g, at + member::Value) == value);
    }
};

} // namespace

TEST_CASE_METHOD(Describing, "categories, sizes, names and parts of all kinds of types") {
    checkHead(TypeId::I64, TypeCategory::Int);
    checkHead(TypeId::USize, TypeCategory::Int);
    checkHead(integerType(3, false), TypeCategory::Int);
    checkHead(TypeId::F32, TypeCategory::Float);
    checkHead(TypeId::Bool, TypeCategory::Bool);
    checkHead(TypeId::String, TypeCategory::String);
    checkHead(TypeId::CString, TypeCategory::CString);
    checkHead(TypeId::Void, TypeCategory::Void);
    checkHead(TypeId::NoReturn, TypeCategory::NoReturn);
    checkHead(TypeId::Any, TypeCategory::Any);
    checkHead(TypeId::Type, TypeCategory::Type);
    checkHead(pointerTo(types, TypeId::I64), TypeCategory::Pointer, TypeId::I64);
    checkHead(pointerTo(types, TypeId::Void), TypeCategory::Pointer, TypeId::Void);
    checkHead(manyPointerTo(types, TypeId::U8), TypeCategory::ManyPointer, TypeId::U8);
    checkHead(sliceOf(types, TypeId::U8), TypeCategory::Slice, TypeId::U8);
    checkHead(arrayOf(types, 4, TypeId::I32), TypeCategory::Array, TypeId::I32, 4);
    checkHead(vectorOf(types, 3, TypeId::F32), TypeCategory::Vector, TypeId::F32, 3);
    checkHead(optionalOf(types, TypeId::I64), TypeCategory::Optional, TypeId::I64);
    checkHead(functionTypeOf(types, {TypeId::I64}, TypeId::Void), TypeCategory::Function);
    checkHead(closureTypeOf(types, {TypeId::I64}, TypeId::Void), TypeCategory::Closure);
    checkHead(types.newErrorSet("Fault", {}), TypeCategory::ErrorSet);
    checkHead(structOf({}), TypeCategory::Struct);
    checkHead(plainEnum(), TypeCategory::Enum, TypeId::None, 1);
}

TEST_CASE_METHOD(Describing, "widths, flags and extras") {
    auto check = [&](TypeId t, uint64_t at, int64_t value) {
        INFO(runtimeName(types, t));
        CHECK(word(describe(t), at) == value);
    };
    check(integerType(40, true), desc::Bits, 40);
    check(integerType(40, true), desc::Flags, 0);
    check(TypeId::U8, desc::Flags, desc::FlagUnsigned);
    check(TypeId::ISize, desc::Flags, 0);
    check(TypeId::F32, desc::Bits, 32);
    check(TypeId::F64, desc::Flags, 0);
    check(types.newErrorSet("Fault", {}), desc::Bits, 32);
    check(optionalOf(types, TypeId::I32), desc::Extra, 4);
    check(optionalOf(types, pointer()), desc::Extra, -1);
    check(optionalOf(types, closureTypeOf(types, {}, TypeId::Void)), desc::Extra, -1);

    check(plainEnum(), desc::Bits, 64);
    check(plainEnum(), desc::Flags, 0);
    TypeId flags = types.newEnum("Perm");
    EnumInfo info;
    info.backing = TypeId::U16;
    info.isFlags = true;
    types.completeEnum(flags, std::move(info));
    check(flags, desc::Bits, 16);
    check(flags, desc::Flags, desc::FlagFlagsEnum | desc::FlagUnsigned);

    TypeId allocator = types.newProtocol("Allocator");
    ProtocolInfo protocol;
    protocol.isIdentity = true;
    types.completeProtocol(allocator, std::move(protocol));
    check(allocator, desc::Flags, desc::FlagIdentity);
    check(allocator, desc::Category, static_cast<int64_t>(TypeCategory::Protocol));
}

TEST_CASE_METHOD(Describing, "members of structs and tuples") {
    TypeId s =
        structOf({{.name = name("x"), .type = TypeId::U8}, {.name = name("label"), .type = TypeId::String}}, "Point");
    checkHead(s, TypeCategory::Struct, TypeId::None, 2);
    checkMember(s, 0, "x", TypeId::U8, 0);
    checkMember(s, 1, "label", TypeId::String, 8);

    TypeId t = types.tupleOf({{Name::None, TypeId::U8}, {name("n"), TypeId::I32}});
    checkHead(t, TypeCategory::Tuple, TypeId::None, 2);
    checkMember(t, 0, "", TypeId::U8, 0);
    checkMember(t, 1, "n", TypeId::I32, 4);
}

TEST_CASE_METHOD(Describing, "members of enums and unions") {
    TypeId e = types.newEnum("Cmd");
    EnumInfo info;
    info.variants = {{name("quit"), 0, {}}, {name("move"), 7, TypeId::I64}};
    types.completeEnum(e, std::move(info));
    checkHead(e, TypeCategory::TaggedEnum, TypeId::None, 2);
    checkMember(e, 0, "quit", TypeId::Void, 8, 0);
    checkMember(e, 1, "move", TypeId::I64, 8, 7);
    CHECK(word(describe(e), desc::Extra) == 8);
    CHECK(word(describe(e), desc::Bits) == 64);

    TypeId plain = plainEnum(TypeId::U8);
    checkMember(plain, 0, "north", TypeId::Void, 0, 0);

    TypeId u = types.newUnion("Bits");
    types.completeUnion(u,
                        {{name("f"), TypeId::F32}, {name("lo"), TypeId::U16, 0, 1}, {name("hi"), TypeId::U16, 2, 1}});
    checkHead(u, TypeCategory::Union, TypeId::None, 3);
    checkMember(u, 2, "hi", TypeId::U16, 2);
}

TEST_CASE_METHOD(Describing, "types that mention each other, and one without a layout") {
    TypeId node = types.newStruct("Node"), opaque = types.newStruct("Opaque");
    types.completeStruct(node, {{.name = name("next"), .type = optionalOf(types, pointerTo(types, node))},
                                {.name = name("extra"), .type = pointerTo(types, opaque)}});
    checkMember(node, 0, "next", optionalOf(types, pointerTo(types, node)), 0);
    CHECK(module.typeDescriptors.count(opaque) == 1);
    CHECK(word(describe(opaque), desc::Size) == 0);
    CHECK(text(describe(opaque), desc::NamePtr) == "Opaque");
    CHECK(verify(module).empty());
}

TEST_CASE_METHOD(Describing, "finish describes what code and data mention, once") {
    Builder b(module, function("f"));
    typeHandle(b, sliceOf(types, TypeId::I64));
    typeHandle(b, sliceOf(types, TypeId::I64));
    emitRet(b);
    GlobalId g = global("table");
    module.global(g).init.relocs = {{Reloc::Kind::TypeHandle, 0, static_cast<uint32_t>(TypeId::Bool), 0}};
    finish(module);
    CHECK(module.typeDescriptors.size() == 3); // []i64, i64, bool
    CHECK(module.globals.size() == 4);
    finish(module);
    CHECK(module.globals.size() == 4);
    CHECK(verify(module).empty());
}

TEST_CASE_METHOD(Describing, "the error name table") {
    finish(module);
    CHECK(module.globals.empty()); // no error has a name
    types.newErrorSet("Fault", {name("Low"), name("High")});
    finish(module);
    constexpr uint64_t First = Module::ErrorNamesHeader;
    const Global& g = module.global(module.errorNames);
    CHECK(g.symbol == "sx_trace_error_names");
    CHECK(word(g, 0) == 3);
    CHECK(text(g, First) == "");
    CHECK(text(g, First + 16) == "Low");
    CHECK(text(g, First + 32) == "High");
    CHECK(g.isConst);
    types.tagId(name("Late"));
    finish(module);
    CHECK(word(module.global(module.errorNames), 0) == 4);
    CHECK(text(module.global(module.errorNames), First + 48) == "Late");
    CHECK(verify(module).empty());
}
