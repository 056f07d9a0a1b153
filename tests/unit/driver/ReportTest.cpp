#include "driver/Report.h"

#include <catch2/catch.hpp>

using namespace sx::driver;

TEST_CASE("a linker's messages become one line") {
    CHECK(linkProblem("undefined symbol: f\n>>> referenced by main.o\n>>>   in main\n\nundefined symbol: g\n") ==
          "undefined symbol: f; undefined symbol: g");
    CHECK(linkProblem("/usr/bin/ld: a.o: in function `main':\nsx:(.text+0x1): undefined reference to `g'\n"
                      "/usr/bin/ld: a.o:(.data+0x8): undefined reference to `f'\ncollect2: error: ld returned 1\n") ==
          "undefined symbol: f; undefined symbol: g");
    CHECK(linkProblem("") == "");
}
