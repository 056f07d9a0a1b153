// Children of values: pages, names, expressions for them; and writing.
#include "Program.h"
#include "types/Derived.h"
#include "types/Failable.h"

#include <catch2/catch.hpp>

using namespace sx;
using debugger::ChildFilter;
using debugger::Datum;
using test::StoppedProgram;
using test::Texts;

TEST_CASE("children come in pages, whatever the length") {
    StoppedProgram p;
    constexpr uint64_t Many = 200'000'000;
    // All of it can be read: addresses repeat in the block.
    struct Endless : test::BlockMemory {
        size_t read(uint64_t, llvm::MutableArrayRef<uint8_t> into) override {
            ++reads;
            std::fill(into.begin(), into.end(), 1);
            return into.size();
        }
    } endless;
    debugger::Values values(p.table, endless, p.addresses);
    Datum slice = Datum::held(sliceOf(p.table, TypeId::U64), {0, 0, 0, 0, 1, 0, 0, 0, 0, 0xC2, 0xEB, 0xB, 0, 0, 0, 0});
    debugger::Row row = values.row(slice);
    CHECK(row.text == "len 200000000");
    CHECK(row.indexed == Many);
    std::vector<debugger::Child> page = values.children(slice, "v", {.start = Many - 100, .count = 1000});
    CHECK(page.size() == 100);
    CHECK(page.front().name == "[199999900]");
    CHECK(page.front().evaluateName == "v[199999900]");
    CHECK(endless.reads < 10);
    std::vector<debugger::Child> all = values.children(slice, "v");
    CHECK(all.size() == debugger::Page::Unpaged + 1);
    CHECK(values.text(all.back().datum) == "199990000 more");
    CHECK(values.children(slice, "v", {.start = Many + 5, .count = 3}).empty());
}

TEST_CASE("a list shows its elements, and how it is made last") {
    StoppedProgram p;
    uint64_t numbers = p.words(TypeId::I64, {1, 2}).address;
    Datum list = p.words(p.listOf(TypeId::I64), {numbers, 2, 4});
    CHECK(p.parts(list) == Texts{"[0]=1", "[1]=2", "[raw]={items: len 2, cap: 4}"});
    CHECK(p.expressions(list) == Texts{"v.items[0]", "v.items[1]", "v"});
    CHECK(p.parts(list, {.filter = ChildFilter::Named}) == Texts{"[raw]={items: len 2, cap: 4}"});
    CHECK(p.parts(list, {.start = 1, .count = 1, .filter = ChildFilter::Indexed}) == Texts{"[1]=2"});
    debugger::Row row = p.values.row(list);
    CHECK(row.indexed == 2);
    CHECK(row.named == 1);
    CHECK(row.type == "List(i64)");
    Datum raw = p.values.children(list, "v").back().datum;
    CHECK(p.parts(raw) == Texts{"items=len 2", "cap=4"});
    CHECK(p.expressions(raw) == Texts{"v.items", "v.cap"});
    // Through an optional and through a pointer the list is the same.
    Datum maybe = p.words(optionalOf(p.table, list.type), {numbers, 2, 4, 1});
    CHECK(p.parts(maybe) == Texts{"[0]=1", "[1]=2", "[raw]={items: len 2, cap: 4}"});
    CHECK(p.expressions(maybe) == Texts{"v!.items[0]", "v!.items[1]", "v!"});
    Datum pointer = p.held(pointerTo(p.table, list.type), list.address);
    CHECK(p.parts(pointer) == Texts{"[0]=1", "[1]=2", "[raw]={items: len 2, cap: 4}"});
    CHECK(p.values.row(pointer).memoryReference == list.address);
}

TEST_CASE("children have expressions that name them") {
    StoppedProgram p;
    Datum point = p.words(p.point(), {1, 2});
    CHECK(p.expressions(point) == Texts{"v.x", "v.y"});
    CHECK(p.expressions(point, "a + b") == Texts{"(a + b).x", "(a + b).y"});
    CHECK(p.expressions(point, "*q") == Texts{"(*q).x", "(*q).y"});
    CHECK(p.expressions(point, "f(x).*[3]") == Texts{"f(x).*[3].x", "f(x).*[3].y"});
    CHECK(p.expressions(point, "") == Texts{"", ""});
    CHECK(p.expressions(p.held(pointerTo(p.table, p.point()), point.address)) == Texts{"v.x", "v.y"});
    CHECK(p.expressions(p.held(pointerTo(p.table, TypeId::I64), point.address)) == Texts{"v.*"});
    CHECK(p.parts(p.held(manyPointerTo(p.table, TypeId::I64), point.address)) == Texts{"[0]=1"});
    TypeId shape = p.enumWith({{"dot", TypeId::None}, {"box", p.point()}});
    CHECK(p.expressions(p.words(shape, {1, 3, 4})) == Texts{"v.box.x", "v.box.y"});
    CHECK(p.expressions(p.words(optionalOf(p.table, shape), {1, 3, 4, 1})) == Texts{"v!.box.x", "v!.box.y"});
    CHECK(p.expressions(p.words(p.tuple({TypeId::I64, TypeId::I64}), {3, 4})) == Texts{"v.0", "v.1"});
    p.addresses.descriptors[0x500] = p.point();
    CHECK(p.expressions(p.words(TypeId::Any, {point.address, 0x500})) == Texts{"v.(Pt).x", "v.(Pt).y"});
    CHECK(p.expressions(p.words(p.protocolOf({}, true), {point.address, 0x500})) == Texts{"", ""});
    TypeId result = failableType(p.table, {{Name::None, p.point()}}, p.errorSet("E", {"Bad"}));
    CHECK(p.expressions(p.words(result, {3, 4, 0})) == Texts{"", ""});
}

TEST_CASE("values in hand have parts in hand") {
    StoppedProgram p;
    uint8_t bytes[] = {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    Datum point = Datum::held(p.point(), bytes);
    CHECK(p.shown(point) == "{x: 1, y: 2}");
    CHECK(p.parts(point) == Texts{"x=1", "y=2"});
    CHECK(p.parts(Datum::held(arrayOf(p.table, 2, TypeId::I64), bytes)) == Texts{"[0]=1", "[1]=2"});
    CHECK(!p.values.row(point).memoryReference);
    CHECK(p.memory.reads == 0);
}

TEST_CASE("values are written whole or not at all") {
    StoppedProgram p;
    Datum point = p.words(p.point(), {1, 2});
    uint8_t bytes[] = {7, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0};
    CHECK(p.values.assign(point, bytes));
    CHECK(p.shown(point) == "{x: 7, y: 8}");
    CHECK(!p.values.assign(point, llvm::ArrayRef<uint8_t>(bytes).take_front(8)));
    Datum outside = Datum::at(p.point(), 0x20);
    CHECK(p.values.assign(outside, bytes).error() == "the memory at 0x20 cannot be written");
    Datum none = Datum::nowhere(TypeId::I64, "<not set>");
    CHECK(!p.values.assign(none, llvm::ArrayRef<uint8_t>(bytes).take_front(8)));
    Datum held = p.held(TypeId::I8, 5);
    uint8_t minus = 0xFE;
    CHECK(p.values.assign(held, minus));
    CHECK(p.shown(held) == "-2");
    CHECK(debugger::toRegister(p.table, TypeId::I8, held.bytes) == static_cast<uint64_t>(-2));
    CHECK(debugger::toRegister(p.table, TypeId::U8, held.bytes) == static_cast<uint64_t>(-2));
    CHECK(debugger::toRegister(p.table, TypeId::Bool, uint8_t{1}) == 1);
}
