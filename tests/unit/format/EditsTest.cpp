#include "FormatFixture.h"

#include "format/Format.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::format;

namespace {

/// `|` in the text is the cursor; the result has none.
std::string typed(std::string text, char c) {
    const auto at = static_cast<uint32_t>(text.find('|'));
    text.erase(at, 1);
    SourceManager sources;
    const FileId file = sources.addFile("t.sx", "t.sx", text);
    const Outcome outcome = formatOnType(sources, file, at, c);
    return outcome.refused ? "refused" : applyEdits(text, outcome.edits);
}

std::string ranged(const std::string& text, uint32_t begin, uint32_t end) {
    SourceManager sources;
    Diagnostics diags;
    const FileId file = sources.addFile("t.sx", "t.sx", text);
    const Outcome outcome = formatRange(sources, file, begin, end, diags);
    return outcome.refused ? "refused" : applyEdits(text, outcome.edits);
}

} // namespace

TEST_CASE("edits are the gaps that change") {
    SourceManager sources;
    Diagnostics diags;
    const FileId file = sources.addFile("t.sx", "t.sx", "a::1;\nb :: 2;\n");
    const Outcome outcome = formatFile(sources, file, diags);
    REQUIRE(outcome.edits.size() == 2);
    CHECK((outcome.edits[0].begin == 1 && outcome.edits[0].end == 1 && outcome.edits[0].text == " "));
    CHECK((outcome.edits[1].begin == 3 && outcome.edits[1].end == 3 && outcome.edits[1].text == " "));
}

TEST_CASE("a range formats its lines alone") {
    const std::string text = "f::() {\na( 1 );\nb( 2 );\n}\n";
    CHECK(ranged(text, 8, 9) == "f::() {\n    a(1);\nb( 2 );\n}\n");
    CHECK(ranged(text, 8, 17) == "f::() {\n    a(1);\n    b(2);\n}\n");
    CHECK(ranged(text, 8, 16) == "f::() {\n    a(1);\nb( 2 );\n}\n"); // to the end of its line
    CHECK(ranged(text, 16, 16) == "f::() {\na( 1 );\n    b(2);\n}\n");
    CHECK(ranged(text, 0, 1000) == formatted(text));
    CHECK(ranged("f :: (", 0, 3) == "refused");
}

TEST_CASE("typing") {
    CHECK(typed("f::() {\na( 1 );|\nb( 2 );\n}\n", ';') == "f::() {\n    a(1);\nb( 2 );\n}\n");
    CHECK(typed("f::() {\na( 1 );\nb( 2 );\n}|\n", '}') == "f :: () {\n    a(1);\n    b(2);\n}\n");
    CHECK(typed("f :: () {\n|b( 2 );\n}\n", '\n') == "f :: () {\n    b( 2 );\n}\n");
    CHECK(typed("f :: () {\n    if a {\n|b( 2 );\n", '\n') == "f :: () {\n    if a {\n        b( 2 );\n");
    CHECK(typed("f :: () {\n    if a {\n        b();\n        }|\n", '}') ==
          "f :: () {\n    if a {\n        b();\n    }\n");
    CHECK(typed("f :: () {\n    y = (;\n}\ng :: () {\nb( 2 );|\n}\n", ';') ==
          "f :: () {\n    y = (;\n}\ng :: () {\n    b( 2 );\n}\n"); // what is open in another item does not count
    CHECK(typed("f :: () {\n|\n}\n", '\n') == "f :: () {\n    \n}\n");
    CHECK(typed("f :: () {\n|", '\n') == "f :: () {\n    ");
    CHECK(typed("f :: () {\n    if a == {\n        case .b: g();\n    |\n    }\n}\n", '\n') ==
          "f :: () {\n    if a == {\n        case .b: g();\n            \n    }\n}\n");
    CHECK(typed("f :: () {\n    g(a,\n|\n    );\n}\n", '\n') == "f :: () {\n    g(a,\n        \n    );\n}\n");
    CHECK(typed("f :: () {\n}\n   |\n", '\n') == "f :: () {\n}\n\n");
    CHECK(typed("f :: () {|\n", 'x') == "f :: () {\n");
    CHECK(typed("|", '\n') == "");
}

TEST_CASE("typing anywhere in a broken text is answered") {
    const std::string text = "f :: (a: i64) {\n    x := \"abc\n    if a == { case 1: b( ;\n}\n #string A\n";
    for (size_t i = 0; i <= text.size(); ++i)
        for (char c : {'\n', ';', '}'}) {
            std::string cut = text;
            cut.insert(i, "|");
            CHECK(typed(cut, c) != "refused");
        }
}
