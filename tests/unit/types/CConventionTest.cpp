// Where the System V convention for x86-64 has values of every class.
#include "types/CConvention.h"
#include "Fixture.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

using namespace sx;

namespace {

constexpr TypeId i8 = TypeId::I8, i32 = TypeId::I32, i64 = TypeId::I64, f32 = TypeId::F32, f64 = TypeId::F64;

struct Convention : Types {
    static std::string text(const CPassing& passing) {
        if (passing.place == CPassing::Place::Nowhere) return "-";
        if (passing.place == CPassing::Place::Memory) return "memory";
        static constexpr const char* Kinds[] = {"int", "address", "float", "floats", "double", "vector"};
        std::string text;
        for (const CPiece& piece : passing.pieces)
            text += (text.empty() ? "" : " ") + std::string(Kinds[static_cast<int>(piece.kind)]) + "@" +
                    std::to_string(piece.offset) + ":" + std::to_string(piece.size);
        return text;
    }
    std::string alone(TypeId t) {
        CRegisters left;
        return text(cArgument(table, t, left));
    }
    TypeId array(TypeId elem, uint64_t count) { return arrayOf(table, count, elem); }
};

} // namespace

TEST_CASE_METHOD(Convention, "each word of a small value travels in a register of its kind") {
    CHECK(alone(TypeId::Void) == "-");
    CHECK(alone(TypeId::Bool) == "int@0:1");
    CHECK(alone(TypeId::CString) == "address@0:8");
    CHECK(alone(f32) == "float@0:4");
    CHECK(alone(structOf({})) == "-");
    CHECK(alone(structOf({i32})) == "int@0:4");
    CHECK(alone(structOf({TypeId::CString, f64})) == "address@0:8 double@8:8");
    CHECK(alone(structOf({f32, f32})) == "floats@0:8");
    CHECK(alone(structOf({f32, f32, f32})) == "floats@0:8 float@8:4");
    CHECK(alone(structOf({f32, TypeId::Bool})) == "int@0:8");
    CHECK(alone(structOf({f64, i32})) == "double@0:8 int@8:8");
    CHECK(alone(structOf({array(i8, 3)})) == "int@0:3");
    CHECK(alone(structOf({array(array(i8, 3), 3)})) == "int@0:8 int@8:1");
    CHECK(alone(structOf({structOf({f32}, "A"), array(structOf({f32, f32}, "B"), 1)})) == "floats@0:8 float@8:4");
    CHECK(alone(unionOf({{name("a"), f64, 0}, {name("b"), i8, 0}})) == "int@0:8");
    CHECK(alone(unionOf({{name("a"), f64, 0}, {name("b"), f32, 0}})) == "double@0:8");
    CHECK(alone(structOf({array(i8, 17)})) == "memory");
    CHECK(alone(structOf({i64, i64, i64})) == "memory");
}

TEST_CASE_METHOD(Convention, "an argument takes all the registers that it needs or none") {
    CRegisters left;
    for (int i = 0; i < 5; ++i) CHECK(text(cArgument(table, i64, left)) == "int@0:8");
    TypeId two = structOf({i64, i32}), mixed = structOf({i32, i32, f64});
    CHECK(text(cArgument(table, two, left)) == "memory");
    CHECK(text(cArgument(table, mixed, left)) == "int@0:8 double@8:8");
    CHECK(text(cArgument(table, mixed, left)) == "memory");
    for (int i = 0; i < 7; ++i) CHECK(text(cArgument(table, f64, left)) == "double@0:8");
    CHECK(text(cArgument(table, f32, left)) == "memory");
    CHECK(text(cArgument(table, i8, left)) == "memory");
    CHECK(left.integer == 0);
    CHECK(left.vector == 0);
}

TEST_CASE_METHOD(Convention, "the address of a result takes the first register") {
    CRegisters left;
    CHECK(text(cResult(table, structOf({f64, f64}), left)) == "double@0:8 double@8:8");
    CHECK(left.integer == 6);
    CHECK(text(cResult(table, structOf({f64, f64, i8}), left)) == "memory");
    CHECK(left.integer == 5);
}
