// Any bytes may be taken for a value of any type: nothing is read without a limit, and nothing crashes.
#include "Program.h"
#include "types/Derived.h"
#include "types/Failable.h"

#include <catch2/catch.hpp>

#include <random>

using namespace sx;
using debugger::Datum;
using test::StoppedProgram;

namespace {

/// Types of every kind, and of kinds within kinds.
std::vector<TypeId> everyType(StoppedProgram& p) {
    TypeTable& t = p.table;
    std::vector<TypeId> simple = {TypeId::Bool,
                                  TypeId::I64,
                                  TypeId::U8,
                                  integerType(3, true),
                                  TypeId::F32,
                                  TypeId::F64,
                                  TypeId::Void,
                                  TypeId::String,
                                  TypeId::CString,
                                  TypeId::Any,
                                  TypeId::Type,
                                  TypeId::InferredErrors,
                                  p.point(),
                                  p.structOf({}),
                                  p.errorSet("E", {"Bad", "Worse"}),
                                  p.enumWith({{"a", TypeId::None}, {"b", TypeId::None}}),
                                  p.enumWith({{"r", TypeId::None}, {"w", TypeId::None}}, true),
                                  functionTypeOf(t, {}, TypeId::Void),
                                  closureTypeOf(t, {}, TypeId::Void),
                                  p.protocolOf({true, false}, false),
                                  p.protocolOf({true}, true)};
    TypeId node = t.newStruct("Node");
    t.completeStruct(node, {{.name = p.name("next"), .type = optionalOf(t, pointerTo(t, node))},
                            {.name = p.name("name"), .type = TypeId::String}});
    simple.push_back(node);
    std::vector<TypeId> all = simple;
    TypeId errors = simple[14];
    for (TypeId s : simple) {
        for (TypeId made :
             {pointerTo(t, s), manyPointerTo(t, s), sliceOf(t, s), arrayOf(t, 3, s), arrayOf(t, 1'000'000, s),
              optionalOf(t, s), optionalOf(t, optionalOf(t, s)), sliceOf(t, sliceOf(t, s)), p.tuple({s, TypeId::U8, s}),
              failableType(t, {{Name::None, s}}, errors), failableType(t, {{Name::None, s}, {Name::None, s}}, errors),
              p.enumWith({{"one", s}, {"none", TypeId::None}, {"many", sliceOf(t, s)}}), p.listOf(s),
              p.unionOf({{p.name("a"), s}, {p.name("b"), TypeId::I64}})})
            all.push_back(made);
    }
    return all;
}

/// Opens everything down to some depth.
void open(StoppedProgram& p, const Datum& datum, unsigned depth, size_t& opened) {
    debugger::Row row = p.values.row(datum);
    REQUIRE(row.text.size() < 20'000);
    ++opened;
    if (depth == 0) return;
    for (const debugger::Child& c : p.values.children(datum, "v", {.count = 3})) open(p, c.datum, depth - 1, opened);
}

} // namespace

TEST_CASE("garbage of every type is shown with few reads") {
    StoppedProgram p;
    std::vector<TypeId> types = everyType(p);
    std::mt19937_64 random(1);
    uint64_t block = p.room(4096), most = 0, mostBytes = 0;
    for (size_t i = 0; i < types.size(); ++i)
        p.addresses.descriptors[block + 8 * (i % 256)] = types[random() % types.size()];
    p.addresses.code[block + 8] = "f";
    p.addresses.captures[block + 8] = {{p.name("a"), TypeId::Any, 0}, {p.name("b"), TypeId::String, 16}};
    // Words that make sense more often than chance would have it: small numbers, lengths, addresses of the block.
    auto word = [&]() -> uint64_t {
        switch (random() % 5) {
        case 0: return random();
        case 1: return random() % 4;
        case 2: return uint64_t{1} << random() % 64;
        default: return block + random() % 2048 / 8 * 8;
        }
    };
    size_t opened = 0;
    for (unsigned round = 0; round < 40; ++round) {
        for (uint64_t at = 0; at < 4096; at += 8) p.putWord(block + at, word());
        for (TypeId type : types) {
            Datum datum = Datum::at(type, block + random() % 256 * 8);
            p.memory.reads = p.memory.bytesRead = 0;
            p.values.row(datum);
            most = std::max(most, p.memory.reads);
            mostBytes = std::max(mostBytes, p.memory.bytesRead);
            open(p, datum, 2, opened);
            uint8_t few[5] = {1, 2, 3, 4, 5};
            p.values.row(Datum::held(type, few));
        }
    }
    CHECK(opened > 20'000);
    CHECK(most < 1000);
    CHECK(mostBytes < 50'000);
}
