#include "types/Failable.h"
#include "Fixture.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE_METHOD(Types, "a failable result is an error set or a tuple that ends in one") {
    TypeId e = errorSet("Fault");
    CHECK(isFailable(table, e));
    CHECK(isFailable(table, TypeId::InferredErrors));
    CHECK(isFailable(table, tuple({TypeId::I64, e})));
    CHECK_FALSE(isFailable(table, TypeId::I64));
    CHECK_FALSE(isFailable(table, TypeId::Void));
    CHECK_FALSE(isFailable(table, tuple({})));
    CHECK_FALSE(isFailable(table, tuple({e, TypeId::I64})));
    CHECK_FALSE(isFailable(table, optionalOf(table, e)));
}

TEST_CASE_METHOD(Types, "a pure failable") {
    TypeId e = errorSet("Fault");
    CHECK(failableType(table, {}, e) == e);
    CHECK(errorSetOf(table, e) == e);
    CHECK(successType(table, e) == TypeId::Void);
}

TEST_CASE_METHOD(Types, "a failable with one value") {
    TypeId e = errorSet("Fault");
    TypeId t = failableType(table, {{Name::None, TypeId::I64}}, e);
    CHECK(t == tuple({TypeId::I64, e}));
    CHECK(errorSetOf(table, t) == e);
    CHECK(successType(table, t) == TypeId::I64);
}

TEST_CASE_METHOD(Types, "a failable with several values keeps their names") {
    TypeId e = errorSet("Fault");
    TupleField values[] = {{name("a"), TypeId::I64}, {name("b"), TypeId::Bool}};
    TypeId t = failableType(table, values, e);
    CHECK(table.tupleFields(t).size() == 3);
    CHECK(successType(table, t) == table.tupleOf(values));
    CHECK(errorSetOf(table, t) == e);
}

TEST_CASE_METHOD(Types, "a value that is failable itself") {
    TypeId e = errorSet("Fault");
    TypeId inner = tuple({TypeId::I64, e});
    TypeId outer = failableType(table, {{Name::None, inner}}, e);
    CHECK(successType(table, outer) == inner);
    CHECK(successType(table, tuple({e})) == TypeId::Void);
}
