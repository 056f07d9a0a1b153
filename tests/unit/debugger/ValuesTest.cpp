// The text of values of every kind, laid out by hand.
#include "Program.h"
#include "types/Derived.h"
#include "types/Failable.h"

#include <catch2/catch.hpp>

using namespace sx;
using debugger::Datum;
using test::StoppedProgram;

TEST_CASE("numbers and truth values") {
    StoppedProgram p;
    CHECK(p.shown(TypeId::I64, uint64_t{1} << 63) == "-9223372036854775808");
    CHECK(p.shown(TypeId::U64, ~uint64_t{0}) == "18446744073709551615");
    CHECK(p.shown(TypeId::U8, 200) == "200");
    CHECK(p.shown(TypeId::I8, 200) == "-56");
    CHECK(p.shown(integerType(3, true), 6) == "-2");
    CHECK(p.shown(integerType(33, true), static_cast<uint64_t>(-4000000000)) == "-4000000000");
    CHECK(p.shown(integerType(7, false), 0xFF) == "127");
    CHECK(p.shown(TypeId::Bool, 1) == "true");
    CHECK(p.shown(Datum::held(TypeId::Bool, {7})) == "<bad bool 7>");
    CHECK(p.shown(p.held(TypeId::I16, 0xFF00), {.hex = true}) == "0xff00");
    CHECK(p.shown(p.held(TypeId::I64, ~uint64_t{0}), {.hex = true}) == "0xffffffffffffffff");
    CHECK(p.shown(p.held(TypeId::U8, 0), {.hex = true}) == "0x0");
}

TEST_CASE("floats have the fewest digits that say which they are") {
    StoppedProgram p;
    auto shown = [&](double d) {
        uint64_t bits;
        std::memcpy(&bits, &d, sizeof bits);
        return p.shown(TypeId::F64, bits);
    };
    CHECK(shown(3) == "3");
    CHECK(shown(0.1) == "0.1");
    CHECK(shown(-2.5) == "-2.5");
    CHECK(shown(1e300) == "1e+300");
    CHECK(shown(0.0 / 0.0) == "nan");
    CHECK(shown(-1.0 / 0.0) == "-inf");
    CHECK(p.shown(TypeId::F32, 0x3DCCCCCD) == "0.1");
}

TEST_CASE("strings are cut, escaped, and whole where they are copied") {
    StoppedProgram p;
    CHECK(p.shown(p.string("a\n\"\\\t\x01é")) == "\"a\\n\\\"\\\\\\t\\x01é\"");
    CHECK(p.shown(p.string(std::string_view("a\0b", 3))) == "\"a\\0b\"");
    CHECK(p.shown(p.string("a\xff\xe2\x82z")) == "\"a\\xff\\xe2\\x82z\"");
    CHECK(p.shown(TypeId::String, {0, 0}) == "\"\"");
    std::string text(199, 'x');
    CHECK(p.shown(p.string(text + "é!")) == "\"" + text + "\"… (202 bytes)");
    CHECK(p.shown(p.string(text + "\xff!")) == "\"" + text + "\\xff\"… (201 bytes)");
    CHECK(p.shown(p.string(text + "é!"), {.clipboard = true}) == "\"" + text + "é!\"");
    CHECK(p.shown(TypeId::String, {0x10, 3}) == "<text of length 3 at 0x10 cannot be read>");
    CHECK(p.shown(TypeId::String, {0x10, static_cast<uint64_t>(-5)}) == "<bad length -5>");
    CHECK(p.shown(TypeId::String, {0x10, uint64_t{1} << 60}) == "<bad length 1152921504606846976>");
}

TEST_CASE("C strings end where they do") {
    StoppedProgram p;
    CHECK(p.shown(TypeId::CString, p.text("c text")) == "\"c text\"");
    CHECK(p.shown(TypeId::CString, 0) == "null");
    CHECK(p.shown(TypeId::CString, 0x18) == "<text at 0x18 cannot be read>");
    uint64_t longText = p.text(std::string(300, 'y'));
    p.room(5000);
    CHECK(p.shown(TypeId::CString, longText) == "\"" + std::string(200, 'y') + "\"…");
    CHECK(p.shown(p.held(TypeId::CString, longText), {.clipboard = true}) == "\"" + std::string(300, 'y') + "\"");
}

TEST_CASE("sequences tell their length") {
    StoppedProgram p;
    uint64_t numbers = p.words(TypeId::I64, {1, 2, 3}).address;
    TypeId slice = sliceOf(p.table, TypeId::I64);
    CHECK(p.shown(slice, {numbers, 3}) == "len 3");
    CHECK(p.shown(slice, {0, 0}) == "len 0");
    CHECK(p.shown(slice, {0x20, 2}) == "<sequence of length 2 at 0x20 cannot be read>");
    CHECK(p.shown(slice, {numbers, uint64_t{1} << 50}) == "<bad length 1125899906842624>");
    TypeId list = p.listOf(TypeId::I64);
    CHECK(p.shown(list, {numbers, 3, 4}) == "len 3, cap 4");
    CHECK(p.shown(list, {numbers, 1, static_cast<uint64_t>(-3)}) == "<bad capacity -3 of length 1>");
    CHECK(p.shown(list, {numbers, 5, 3}) == "<bad capacity 3 of length 5>");
    CHECK(p.shown(Datum::at(arrayOf(p.table, 3, TypeId::I64), numbers)) == "[1, 2, 3]");
    CHECK(p.shown(Datum::at(arrayOf(p.table, 0, TypeId::I64), numbers)) == "[]");
    CHECK(p.shown(Datum::at(arrayOf(p.table, 3, TypeId::I64), 0x40)) ==
          "<sequence of length 3 at 0x40 cannot be read>");
    TypeId matrix = arrayOf(p.table, 1, arrayOf(p.table, 3, TypeId::I64));
    CHECK(p.shown(Datum::at(matrix, numbers)) == "[[…]]");
    CHECK(p.shown(Datum::at(vectorOf(p.table, 2, TypeId::I64), numbers)) == "[1, 2]");
    CHECK(p.shown(Datum::at(arrayOf(p.table, 9, TypeId::U8), numbers)) == "[1, 0, 0, 0, 0, 0, 0, 0, …]");
}

TEST_CASE("structs, tuples and unions show their parts one level deep") {
    StoppedProgram p;
    Datum point = p.words(p.point(), {1, 2});
    CHECK(p.shown(point) == "{x: 1, y: 2}");
    CHECK(p.shown(Datum::at(p.point(), 0x50)) == "<at 0x50, cannot be read>");
    TypeId line = p.structOf({p.point(), TypeId::I64, optionalOf(p.table, TypeId::I64)});
    CHECK(p.shown(line, {1, 2, 3, 4, 0}) == "{f0: {…}, f1: 3, f2: null}");
    CHECK(p.shown(p.tuple({TypeId::I64, TypeId::Bool}), {4, 1}) == "{0: 4, 1: true}");
    TypeId labelled = p.table.tupleOf({{p.name("at"), TypeId::I64}, {p.name("by"), TypeId::I64}});
    CHECK(p.shown(labelled, {4, 5}) == "{at: 4, by: 5}");
    TypeId bits = p.unionOf({{p.name("n"), TypeId::U32}, {p.name("b"), arrayOf(p.table, 4, TypeId::U8)}});
    CHECK(p.shown(bits, {513}) == "{n: 513, b: […]}");
    TypeId wide = p.structOf(
        {TypeId::U8, TypeId::U8, TypeId::U8, TypeId::U8, TypeId::U8, TypeId::U8, TypeId::U8, TypeId::U8, TypeId::U8});
    CHECK(p.shown(wide, {0, 0}) == "{f0: 0, f1: 0, f2: 0, f3: 0, f4: 0, f5: 0, f6: 0, f7: 0, …}");
    TypeId texts = p.structOf({TypeId::I64, TypeId::String, TypeId::I64});
    uint64_t text = p.text(std::string(90, 'x'));
    CHECK(p.shown(texts, {7, text, 90, 8}) == "{f0: 7, …}");
    CHECK(p.shown(p.structOf({}), {0}) == "{}");
}

TEST_CASE("optionals are null, or as the value") {
    StoppedProgram p;
    auto of = [&](TypeId t) { return optionalOf(p.table, t); };
    CHECK(p.shown(of(TypeId::I64), {5, 0}) == "null");
    CHECK(p.shown(of(TypeId::I64), {5, 1}) == "5");
    CHECK(p.shown(of(TypeId::I64), {5, 7}) == "<bad optional: neither absent nor present, but 7>");
    CHECK(p.shown(of(of(TypeId::I64)), {5, 0, 1}) == "null");
    CHECK(p.shown(of(pointerTo(p.table, TypeId::I64)), 0) == "null");
    CHECK(p.shown(of(pointerTo(p.table, TypeId::I64)), 0x1234) == "0x1234");
    CHECK(p.shown(of(TypeId::CString), p.text("c")) == "\"c\"");
    CHECK(p.shown(of(closureTypeOf(p.table, {}, TypeId::Void)), {0, 3}) == "null");
    CHECK(p.shown(of(p.point()), {1, 2, 1}) == "{x: 1, y: 2}");
    CHECK(p.shown(of(sliceOf(p.table, TypeId::I64)), {0, 0, 1}) == "len 0");
}

TEST_CASE("enums, flags and errors have their names") {
    StoppedProgram p;
    TypeId color = p.enumWith({{"red", TypeId::None}, {"green", TypeId::None}});
    CHECK(p.shown(color, 1) == ".green");
    CHECK(p.shown(color, 3) == "<bad value 3>");
    TypeId flags = p.enumWith({{"read", TypeId::None}, {"write", TypeId::None}, {"run", TypeId::None}}, true);
    CHECK(p.shown(flags, 5) == ".read | .run");
    CHECK(p.shown(flags, 0) == "0");
    CHECK(p.shown(flags, 9) == "<bad value 9>");
    TypeId errors = p.errorSet("E", {"Bad", "Worse"});
    TypeId other = p.errorSet("F", {"Late"});
    CHECK(p.shown(errors, 0) == "no error");
    CHECK(p.shown(errors, 2) == "error.Worse");
    CHECK(p.shown(errors, 3) == "<bad error 3>"); // of another set
    CHECK(p.shown(other, 3) == "error.Late");
    CHECK(p.shown(TypeId::InferredErrors, 3) == "error.Late");
    CHECK(p.shown(TypeId::InferredErrors, 4) == "<bad error 4>");
}

TEST_CASE("enums with payloads show the one they have") {
    StoppedProgram p;
    TypeId shape = p.enumWith({{"radius", TypeId::I64},
                               {"box", p.point()},
                               {"label", TypeId::String},
                               {"dot", TypeId::None},
                               {"to", pointerTo(p.table, p.point())},
                               {"all", sliceOf(p.table, TypeId::I64)}});
    CHECK(p.shown(shape, {0, 3}) == ".radius(3)");
    CHECK(p.shown(shape, {1, 3, 4}) == ".box");
    CHECK(p.parts(p.words(shape, {1, 3, 4})) == test::Texts{"x=3", "y=4"});
    CHECK(p.shown(shape, {2, 0x50, 1}) == ".label(<text of length 1 at 0x50 cannot be read>)");
    CHECK(p.shown(shape, {3, 9}) == ".dot");
    Datum target = p.words(p.point(), {1, 2});
    CHECK(p.shown(shape, {4, target.address}) ==
          ".to(" + std::string("0x") + llvm::utohexstr(target.address, true) + ")");
    CHECK(p.shown(shape, {5, target.address, 2}) == ".all len 2");
    CHECK(p.shown(shape, {99}) == "<bad tag 99>");
}

TEST_CASE("failable results are values, or errors that say so") {
    StoppedProgram p;
    TypeId errors = p.errorSet("E", {"Bad"});
    TypeId one = failableType(p.table, {{Name::None, TypeId::I64}}, errors);
    CHECK(p.shown(one, {3, 0}) == "ok(3)");
    CHECK(p.shown(one, {3, 1}) == "error.Bad");
    CHECK(p.shown(one, {3, 77}) == "<bad error 77>");
    CHECK(p.values.row(p.words(one, {3, 1})).presentation.hasFailed);
    CHECK(p.values.row(p.words(one, {3, 1})).presentation.isVirtual);
    CHECK(!p.values.row(p.words(one, {3, 0})).presentation.hasFailed);
    TypeId two = failableType(p.table, {{p.name("a"), TypeId::I64}, {p.name("b"), TypeId::I64}}, errors);
    CHECK(p.shown(two, {3, 4, 0}) == "ok");
    CHECK(p.parts(p.words(two, {3, 4, 0})) == test::Texts{"a=3", "b=4"});
    TypeId pointResult = failableType(p.table, {{Name::None, p.point()}}, errors);
    CHECK(p.shown(pointResult, {3, 4, 0}) == "ok");
    CHECK(p.parts(p.words(pointResult, {3, 4, 0})) == test::Texts{"x=3", "y=4"});
    Datum result = p.held(errors, 0);
    result.isResult = true;
    CHECK(p.shown(result) == "ok");
}

TEST_CASE("pointers, functions and closures") {
    StoppedProgram p;
    TypeId pointer = pointerTo(p.table, TypeId::I64), function = functionTypeOf(p.table, {TypeId::I64}, TypeId::I64);
    CHECK(p.shown(pointer, 0) == "null");
    CHECK(p.shown(pointer, 0xABC0) == "0xabc0");
    p.addresses.code[0x7000] = "main.lambda";
    CHECK(p.shown(function, 0x7000) == "main.lambda");
    CHECK(p.shown(function, 0x7001) == "<no code at 0x7001>");
    TypeId closure = closureTypeOf(p.table, {TypeId::I64}, TypeId::I64);
    CHECK(p.shown(closure, {0x7000, 0}) == "main.lambda");
    CHECK(p.shown(closure, {0, 0}) == "null");
    CHECK(p.shown(closure, {0x90, 0}) == "<no code at 0x90>");
    p.addresses.captures[0x7000] = {{p.name("n"), TypeId::I64, 0}, {p.name("k"), TypeId::U8, 8}};
    Datum environment = p.words(TypeId::I64, {5, 6});
    Datum value = p.words(closure, {0x7000, environment.address});
    CHECK(p.shown(value) == "main.lambda");
    CHECK(p.parts(value) == test::Texts{"n=5", "k=6"});
    CHECK(p.shown(closure, {0x7000, 0xA0}) == "main.lambda <captures at 0xa0 cannot be read>");
}

TEST_CASE("types and what says its type while the program runs") {
    StoppedProgram p;
    p.addresses.descriptors = {
        {0x500, p.point()}, {0x508, TypeId::Any}, {0x510, sliceOf(p.table, TypeId::I64)}, {0x518, TypeId::U8}};
    CHECK(p.shown(TypeId::Type, 0x500) == "Pt");
    CHECK(p.shown(TypeId::Type, 0x80) == "<no type at 0x80>");
    Datum point = p.words(p.point(), {1, 2});
    CHECK(p.shown(TypeId::Any, {point.address, 0x500}) == "(Pt) {x: 1, y: 2}");
    CHECK(p.shown(TypeId::Any, {point.address, 0x518}) == "(u8) 1");
    CHECK(p.shown(TypeId::Any, {0x70, 0x518}) == "(u8) <at 0x70, cannot be read>");
    CHECK(p.shown(TypeId::Any, {0x70, 0x60}) == "<no value: no type at 0x60>");
    CHECK(p.shown(p.protocolOf({true}, true), {point.address, 0x500, 0}) == "(Pt) {x: 1, y: 2}");
    Datum circle = p.words(TypeId::Any, {0, 0x508});
    p.putWord(circle.address, circle.address);
    CHECK(p.shown(circle) == "(any) (any) (any) (any) (any) (any) (any) (any) (any) …");

    // A type that only the program's own descriptor names.
    uint64_t name = p.text("Hidden"), descriptor = p.room(ir::desc::Total);
    p.putWord(descriptor + ir::desc::NamePtr, name);
    p.putWord(descriptor + ir::desc::NameLen, 6);
    CHECK(p.shown(TypeId::Type, descriptor) == "Hidden");
    CHECK(p.shown(TypeId::Any, {point.address, descriptor}) == "(Hidden) at 0x" + llvm::utohexstr(point.address, true));
}

TEST_CASE("what has no value says why") {
    StoppedProgram p;
    CHECK(p.shown(Datum::nowhere(TypeId::I64, "<not set>")) == "<not set>");
    CHECK(p.shown(Datum::held(TypeId::I64, {1, 2})) == "<cannot be read>");
    CHECK(p.shown(Datum::at(p.table.newStruct("Opaque"), 0x10000)) == "<a value of unknown size>");
    CHECK(p.values.row(Datum::nowhere(TypeId::I64, "<not set>")).presentation.isReadOnly);
}
