#include "Fixture.h"
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

/// Builds a value of a type in a slot, which the function returns.
ComptimeResult bake(Vm& vm, TypeId t, const std::function<void(Builder&, ValueId slot)>& fill) {
    FuncId f = vm.declare("f", {}, t);
    Builder b = vm.build(f);
    ValueId slot = slotAddr(b, b.newSlot(t));
    emitZero(b, slot, t);
    fill(b, slot);
    if (isScalar(vm.types, t)) emitRet(b, emitLoad(b, t, slot));
    else emitRet(b, slot);
    return vm.run(f);
}

int64_t word(const ConstData& d, uint64_t at) {
    int64_t v = 0;
    std::memcpy(&v, d.bytes.data() + at, 8);
    return v;
}

const Reloc* relocAt(const ConstData& d, uint64_t offset) {
    for (const Reloc& r : d.relocs)
        if (r.offset == offset) return &r;
    return nullptr;
}

/// The global that the word at `offset` refers to.
const Global& referred(Vm& vm, const ConstData& d, uint64_t offset) {
    const Reloc* r = relocAt(d, offset);
    REQUIRE(r);
    REQUIRE(r->kind == Reloc::Kind::Global);
    return vm.module.globals[r->id];
}

ValueId at(Vm& vm, Builder& b, ValueId base, uint64_t offset, TypeId t = TypeId::I64) {
    return emitOffset(b, base, offset, vm.pointer(t));
}

/// Stores {address, length} of a literal.
void storeString(Vm& vm, Builder& b, ValueId to, const char* text) {
    GlobalId g = vm.constant("literal", text, std::strlen(text) + 1);
    emitStore(b, at(vm, b, to, 0, vm.pointer(TypeId::U8)), globalAddr(b, g, vm.pointer(TypeId::U8)));
    emitStore(b, at(vm, b, to, 8), i64(b, static_cast<int64_t>(std::strlen(text))));
}

FuncId mallocOf(Vm& vm) { return vm.external("malloc", {TypeId::USize}, vm.pointer()); }

} // namespace

TEST_CASE("nothing, and scalars") {
    Vm vm;
    FuncId f = vm.declare("f");
    Builder b = vm.build(f);
    emitRet(b);
    ComptimeResult r = vm.run(f);
    CHECK(r.ok);
    CHECK(r.value.bytes.empty());
    r = bake(vm, TypeId::I16, [&](Builder& c, ValueId s) { emitStore(c, s, constInt(c, TypeId::I16, 0xfffe)); });
    CHECK(r.value.bytes == std::vector<uint8_t>{0xfe, 0xff});
    r = bake(vm, TypeId::Bool, [&](Builder& c, ValueId s) { emitStore(c, s, constBool(c, true)); });
    CHECK(r.value.bytes == std::vector<uint8_t>{1});
}

TEST_CASE("a string literal becomes a reference to its global") {
    Vm vm;
    ComptimeResult r = bake(vm, TypeId::String, [&](Builder& b, ValueId s) { storeString(vm, b, s, "hello"); });
    REQUIRE(r.error == "");
    CHECK(word(r.value, 8) == 5);
    CHECK(referred(vm, r.value, 0).name == "literal");
}

TEST_CASE("a string built on the heap brings a constant with it") {
    Vm vm;
    FuncId allocate = mallocOf(vm);
    ComptimeResult r = bake(vm, TypeId::String, [&](Builder& b, ValueId s) {
        ValueId block = emitCall(b, allocate, {constInt(b, TypeId::USize, 32)});
        emitStore(b, block, i64(b, 0x6f6c6c6568)); // "hello"
        emitStore(b, at(vm, b, s, 0, vm.pointer()), block);
        emitStore(b, at(vm, b, s, 8), i64(b, 5));
    });
    REQUIRE(r.error == "");
    const Global& g = referred(vm, r.value, 0);
    CHECK(g.isConst);
    CHECK(g.mergeable);
    CHECK(std::string(g.init.bytes.begin(), g.init.bytes.end()) == std::string("hello\0", 6));
}

TEST_CASE("structs, arrays and optionals keep their layout, with zero padding") {
    Vm vm;
    TypeId point = vm.structOf({{vm.name("x"), TypeId::U8}, {vm.name("y"), TypeId::I64}}, "Point");
    TypeId list = arrayOf(vm.types, 2, point), maybe = optionalOf(vm.types, list);
    ComptimeResult r = bake(vm, maybe, [&](Builder& b, ValueId s) {
        for (unsigned i = 0; i < 2; ++i) {
            emitStore(b, at(vm, b, s, i * 16), i64(b, -1)); // dirties the padding
            emitStore(b, at(vm, b, s, i * 16, TypeId::U8), constInt(b, TypeId::U8, i + 1));
            emitStore(b, at(vm, b, s, i * 16 + 8), i64(b, i + 10));
        }
        emitStore(b, at(vm, b, s, 32, TypeId::U8), constInt(b, TypeId::U8, 1));
    });
    REQUIRE(r.error == "");
    CHECK(word(r.value, 0) == 1);
    CHECK(word(r.value, 8) == 10);
    CHECK(word(r.value, 16) == 2);
    CHECK(word(r.value, 32) == 1);
    ComptimeResult absent = bake(vm, maybe, [&](Builder& b, ValueId s) { emitStore(b, s, i64(b, 99)); });
    CHECK(word(absent.value, 0) == 0);
}

TEST_CASE("a payload enum stores the payload of its tag") {
    Vm vm;
    TypeId shape = vm.types.newEnum("Shape");
    EnumInfo info;
    info.isTagged = true;
    info.variants.push_back({vm.name("empty"), 0, {}});
    info.variants.push_back({vm.name("label"), 1, TypeId::String});
    vm.types.completeEnum(shape, std::move(info));
    ComptimeResult r = bake(vm, shape, [&](Builder& b, ValueId s) {
        emitStore(b, at(vm, b, s, 0), i64(b, 1));
        storeString(vm, b, at(vm, b, s, 8), "hi");
    });
    REQUIRE(r.error == "");
    CHECK(word(r.value, 0) == 1);
    CHECK(referred(vm, r.value, 8).name == "literal");
    r = bake(vm, shape, [&](Builder& b, ValueId s) { emitStore(b, at(vm, b, s, 8), i64(b, 4)); });
    CHECK(word(r.value, 8) == 0);
}

TEST_CASE("slices of locals and of the heap become constants, of globals references") {
    Vm vm;
    FuncId allocate = mallocOf(vm);
    TypeId slice = sliceOf(vm.types, TypeId::I64);
    auto make = [&](const std::function<ValueId(Builder&)>& memory) {
        return bake(vm, slice, [&](Builder& b, ValueId s) {
            emitStore(b, at(vm, b, s, 0, vm.pointer()), memory(b));
            emitStore(b, at(vm, b, s, 8), i64(b, 2));
        });
    };
    auto fill = [&](Builder& b, ValueId p) {
        emitStore(b, p, i64(b, 3));
        emitStore(b, at(vm, b, p, 8), i64(b, 4));
        return p;
    };
    ComptimeResult local = make([&](Builder& b) { return fill(b, slotAddr(b, b.newRawSlot(16, 8))); });
    REQUIRE(local.error == "");
    CHECK(word(referred(vm, local.value, 0).init, 8) == 4);
    CHECK(vm.types.kind(referred(vm, local.value, 0).type) == TypeKind::Array);
    ComptimeResult heap =
        make([&](Builder& b) { return fill(b, emitCall(b, allocate, {constInt(b, TypeId::USize, 16)})); });
    REQUIRE(heap.error == "");
    CHECK(word(referred(vm, heap.value, 0).init, 0) == 3);
    int64_t numbers[4] = {1, 2, 3, 4};
    GlobalId g = vm.constant("numbers", numbers, sizeof numbers);
    ComptimeResult global = make([&](Builder& b) { return at(vm, b, globalAddr(b, g, vm.pointer()), 16); });
    REQUIRE(global.error == "");
    CHECK(relocAt(global.value, 0)->id == static_cast<uint32_t>(g));
    CHECK(relocAt(global.value, 0)->addend == 16);
}

TEST_CASE("pointers to objects, cycles included") {
    Vm vm;
    TypeId node = vm.types.newStruct("Node");
    vm.types.completeStruct(node, {{vm.name("next"), vm.pointer(node)}, {vm.name("value"), TypeId::I64}});
    ComptimeResult r = bake(vm, vm.pointer(node), [&](Builder& b, ValueId s) {
        ValueId n = slotAddr(b, b.newSlot(node));
        emitStore(b, n, n);
        emitStore(b, at(vm, b, n, 8), i64(b, 6));
        emitStore(b, s, n);
    });
    REQUIRE(r.error == "");
    const Reloc* reference = relocAt(r.value, 0);
    const Global& g = referred(vm, r.value, 0);
    CHECK(word(g.init, 8) == 6);
    CHECK(relocAt(g.init, 0)->id == reference->id);
}

TEST_CASE("types and any") {
    Vm vm;
    ComptimeResult r =
        bake(vm, TypeId::Type, [&](Builder& b, ValueId s) { emitStore(b, s, typeHandle(b, TypeId::F64)); });
    REQUIRE(r.error == "");
    REQUIRE(relocAt(r.value, 0));
    CHECK(relocAt(r.value, 0)->kind == Reloc::Kind::TypeHandle);
    CHECK(relocAt(r.value, 0)->id == static_cast<uint32_t>(TypeId::F64));
    r = bake(vm, TypeId::Any, [&](Builder& b, ValueId s) {
        ValueId boxed = slotAddr(b, b.newSlot(TypeId::I64));
        emitStore(b, boxed, i64(b, 12));
        emitMemEq(b, boxed, boxed, i64(b, 1));
        emitStore(b, s, boxed);
        emitStore(b, at(vm, b, s, 8, TypeId::Type), typeHandle(b, TypeId::I64));
    });
    REQUIRE(r.error == "");
    CHECK(word(referred(vm, r.value, 0).init, 0) == 12);
    CHECK(relocAt(r.value, 8)->kind == Reloc::Kind::TypeHandle);
}

TEST_CASE("the name of a type is in its descriptor") {
    Vm vm;
    ComptimeResult r = bake(vm, TypeId::String, [&](Builder& b, ValueId s) {
        ValueId d = typeHandle(b, sliceOf(vm.types, TypeId::I64));
        emitCopy(b, s, emitOffset(b, d, 24, vm.pointer(TypeId::String)), 16);
    });
    REQUIRE(r.error == "");
    CHECK(word(r.value, 8) == 5);
    const Reloc* text = relocAt(r.value, 0);
    REQUIRE(text);
    const ConstData& data = vm.module.globals[text->id].init;
    CHECK(std::string(reinterpret_cast<const char*>(data.bytes.data()) + text->addend, 5) == "[]i64");
}

TEST_CASE("an incomplete type keeps its handle when it becomes complete") {
    Vm vm;
    TypeId late = vm.types.newStruct("Late");
    FuncId f = vm.declare("f", {}, TypeId::I64);
    Builder b = vm.build(f);
    emitRet(b, emitLoad(b, TypeId::I64, emitOffset(b, typeHandle(b, late), 8, vm.pointer())));
    CHECK(vm.value<int64_t>(f) == 0);
    vm.types.completeStruct(late, {{vm.name("a"), TypeId::I64}, {vm.name("b"), TypeId::I64}});
    CHECK(vm.value<int64_t>(f) == 16);
    CHECK(vm.module.typeDescriptors.count(late) == 1);
    CHECK(vm.module.global(vm.module.typeDescriptors[late]).size > 96);
}

TEST_CASE("a failable result is its value, or its tag") {
    Vm vm;
    TypeId errors = vm.types.newErrorSet("E", {vm.name("Low")});
    vm.types.tagId(vm.name("Low"));
    TypeId failable = failableType(vm.types, {{Name::None, TypeId::I64}, {Name::None, TypeId::U8}}, errors);
    auto make = [&](uint64_t tag) {
        return bake(vm, failable, [&](Builder& b, ValueId s) {
            emitStore(b, s, i64(b, 8));
            emitStore(b, at(vm, b, s, 8, TypeId::U8), constInt(b, TypeId::U8, 9));
            emitStore(b, at(vm, b, s, fieldOffset(vm.types, failable, 2), errors), constInt(b, errors, tag));
        });
    };
    ComptimeResult good = make(0), bad = make(1);
    REQUIRE(good.ok);
    CHECK(good.value.bytes.size() == sizeOf(vm.types, failable));
    CHECK(word(good.value, 0) == 8);
    CHECK(good.value.bytes[8] == 9);
    CHECK(!bad.ok);
    CHECK(bad.errorTag == 1);
}

TEST_CASE("names of error tags are there before the module is finished") {
    Vm vm;
    vm.types.tagId(vm.name("First"));
    GlobalId names = vm.constant("error names", nullptr, 0);
    vm.module.errorNames = names;
    FuncId f = vm.declare("f", {}, TypeId::String);
    Builder b = vm.build(f);
    emitRet(b, emitOffset(b, globalAddr(b, names, vm.pointer(TypeId::String)), ir::Module::ErrorNamesHeader + 32,
                          vm.pointer(TypeId::String)));
    uint32_t second = vm.types.tagId(vm.name("Second"));
    REQUIRE(second == 2);
    ComptimeResult r = vm.run(f);
    REQUIRE(r.error == "");
    CHECK(word(r.value, 8) == 6);
    CHECK(std::string(reinterpret_cast<const char*>(referred(vm, r.value, 0).init.bytes.data())) == "Second");
}

TEST_CASE("functions, and closures without captures, are references") {
    Vm vm;
    FuncId target = vm.declare("target");
    TypeId fnType = functionTypeOf(vm.types, {}, TypeId::Void), closure = closureTypeOf(vm.types, {}, TypeId::Void);
    for (TypeId t : {fnType, closure}) {
        ComptimeResult r = bake(
            vm, t, [&](Builder& b, ValueId s) { emitStore(b, at(vm, b, s, 0, fnType), funcAddr(b, target, fnType)); });
        REQUIRE(r.error == "");
        REQUIRE(relocAt(r.value, 0));
        CHECK(relocAt(r.value, 0)->kind == Reloc::Kind::Function);
        CHECK(relocAt(r.value, 0)->id == static_cast<uint32_t>(target));
    }
    CHECK(bake(vm, closure, [&](Builder&, ValueId) {}).value.relocs.empty());
}

TEST_CASE("what cannot be a constant is refused with its path") {
    Vm vm;
    FuncId allocate = mallocOf(vm), release = vm.external("free", {vm.pointer()}, TypeId::Void),
           target = vm.declare("target");
    {
        Builder b = vm.build(target);
        emitRet(b);
    }
    TypeId fnType = functionTypeOf(vm.types, {}, TypeId::Void), slice = sliceOf(vm.types, TypeId::I64);
    TypeId closure = closureTypeOf(vm.types, {}, TypeId::Void),
           wrapper = vm.structOf({{vm.name("call"), closure}}, "Wrapper");
    TypeId table = arrayOf(vm.types, 2, wrapper);
    auto fillClosure = [&](Builder& b, ValueId s, ValueId environment) {
        emitStore(b, at(vm, b, s, 0, fnType), funcAddr(b, target, fnType));
        emitStore(b, at(vm, b, s, 8, vm.pointer()), environment);
    };
    ComptimeResult r = bake(vm, table, [&](Builder& b, ValueId s) {
        fillClosure(b, at(vm, b, s, 16), slotAddr(b, b.newSlot(TypeId::I64)));
    });
    CHECK(r.error == "the result cannot be stored as a constant: `[1].call` is a closure with captured values");

    TypeId list = vm.structOf({{vm.name("items"), slice}, {vm.name("cap"), TypeId::I64}}, "List");
    auto fillSlice = [&](Builder& b, ValueId s, ValueId memory) {
        emitStore(b, at(vm, b, s, 0, vm.pointer()), memory);
        emitStore(b, at(vm, b, s, 8), i64(b, 2));
    };
    r = bake(vm, list,
             [&](Builder& b, ValueId s) { fillSlice(b, s, emitCall(b, allocate, {constInt(b, TypeId::USize, 16)})); });
    CHECK(r.error == "the result cannot be stored as a constant: `items` owns heap memory");
    r = bake(vm, list, [&](Builder&, ValueId) {});
    CHECK(r.ok);

    r = bake(vm, slice, [&](Builder& b, ValueId s) {
        ValueId block = emitCall(b, allocate, {constInt(b, TypeId::USize, 16)});
        fillSlice(b, s, block);
        emitCall(b, release, {block});
    });
    CHECK(r.error == "the result cannot be stored as a constant: it refers to memory that was freed");
    r = bake(vm, slice,
             [&](Builder& b, ValueId s) { fillSlice(b, s, b.emit(Op::IntToPtr, vm.pointer(), {i64(b, 0x7000)})); });
    CHECK(r.error ==
          "the result cannot be stored as a constant: it refers to memory that is not a part of the evaluation");

    TypeId many = manyPointerTo(vm.types, TypeId::I64);
    r = bake(vm, many,
             [&](Builder& b, ValueId s) { emitStore(b, s, emitCall(b, allocate, {constInt(b, TypeId::USize, 16)})); });
    CHECK(r.error == "the result cannot be stored as a constant: it owns heap memory");
}
