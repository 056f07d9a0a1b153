#include "Fixture.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE_METHOD(Types, "a failable result is an error set or a tuple that ends in one") {
    TypeId e = errorSet("Fault");
    CHECK(table.isFailable(e));
    CHECK(table.isFailable(TypeId::InferredErrors));
    CHECK(table.isFailable(tuple({TypeId::I64, e})));
    CHECK_FALSE(table.isFailable(TypeId::I64));
    CHECK_FALSE(table.isFailable(TypeId::Void));
    CHECK_FALSE(table.isFailable(tuple({})));
    CHECK_FALSE(table.isFailable(tuple({e, TypeId::I64})));
    CHECK_FALSE(table.isFailable(table.optionalOf(e)));
}

TEST_CASE_METHOD(Types, "a pure failable") {
    TypeId e = errorSet("Fault");
    CHECK(table.failable({}, e) == e);
    CHECK(table.errorSetOf(e) == e);
    CHECK(table.successType(e) == TypeId::Void);
}

TEST_CASE_METHOD(Types, "a failable with one value") {
    TypeId e = errorSet("Fault");
    TypeId t = table.failable({{Name::None, TypeId::I64}}, e);
    CHECK(t == tuple({TypeId::I64, e}));
    CHECK(table.errorSetOf(t) == e);
    CHECK(table.successType(t) == TypeId::I64);
}

TEST_CASE_METHOD(Types, "a failable with several values keeps their names") {
    TypeId e = errorSet("Fault");
    TupleField values[] = {{name("a"), TypeId::I64}, {name("b"), TypeId::Bool}};
    TypeId t = table.failable(values, e);
    CHECK(table.tupleFields(t).size() == 3);
    CHECK(table.successType(t) == table.tupleOf(values));
    CHECK(table.errorSetOf(t) == e);
}

TEST_CASE_METHOD(Types, "a value that is failable itself") {
    TypeId e = errorSet("Fault");
    TypeId inner = tuple({TypeId::I64, e});
    TypeId outer = table.failable({{Name::None, inner}}, e);
    CHECK(table.successType(outer) == inner);
    CHECK(table.successType(tuple({e})) == TypeId::Void);
}
