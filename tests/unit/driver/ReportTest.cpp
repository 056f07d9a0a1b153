#include "driver/Report.h"

#include <catch2/catch.hpp>

using namespace sx::driver;

TEST_CASE("a linker's messages become one line") {
    CHECK(linkProblem("undefined symbol: f\n>>> referenced by main.o\n>>>   in main\n\nundefined symbol: g\n") ==
          "undefined symbol: f; undefined symbol: g");
    CHECK(linkProblem("") == "");
}
