#include "source/Diagnostics.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE("an identical report is kept once") {
    Diagnostics diags;
    const Span here{{5}, {6}};
    diags.error(here, "m");
    diags.error(here, "m").help("lost with its report");
    diags.error(here, "other");
    diags.error({{5}, {7}}, "m");
    diags.warning(here, "m");
    REQUIRE(diags.all().size() == 4);
    CHECK(diags.all()[0].notes.empty());
    CHECK(diags.errorCount() == 3);
    CHECK(diags.hasErrors());
}

TEST_CASE("warnings are no errors") {
    Diagnostics diags;
    diags.warning({}, "w").note({}, "n").help("h");
    CHECK_FALSE(diags.hasErrors());
    REQUIRE(diags.all().front().notes.size() == 2);
    CHECK(diags.all().front().notes[0].kind == DiagnosticNote::Kind::Note);
    CHECK(diags.all().front().notes[1].kind == DiagnosticNote::Kind::Help);
}
