#include <catch2/catch.hpp>

#include "support.hpp"

extern "C" size_t runFromC();

TEST_CASE("the API is usable from C") {
    CleanTrace clean;
    CHECK(runFromC() == 44 + 15 + 10);
    CHECK(sx_trace_chains() == 0);
}
