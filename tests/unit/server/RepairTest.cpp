// What is left of texts that do not parse.
#include "server/program/Repair.h"

#include <catch2/catch.hpp>

using namespace sx::server;

namespace {

std::string repair(std::string text, RepairLevel level = RepairLevel::Statements) {
    size_t mark = text.find('@');
    text.erase(mark, 1);
    std::string result = repaired(text, {static_cast<uint32_t>(mark)}, level);
    CHECK(result.size() == text.size());
    return result;
}

} // namespace

TEST_CASE("the statement around an error goes, and what is around it stays") {
    CHECK(repair("f :: () {\n    a := 1;\n    b := @;\n    c := 2;\n}\n") ==
          "f :: () {\n    a := 1;\n" + std::string(10, ' ') + "\n    c := 2;\n}\n");
}

TEST_CASE("an item goes as a whole") {
    CHECK(repair("A :: @;\nB :: 2;\n") == std::string(6, ' ') + "\nB :: 2;\n");
    CHECK(repair("f :: () { x @; }\nB :: 2;\n", RepairLevel::Items) == std::string(15, ' ') + "\nB :: 2;\n");
}

TEST_CASE("a brace that is missing at the end of an item is written into the white space behind it") {
    std::string text = repair("f :: () {\n    a := 1;\n    b@\n\n\ng :: () { }\n");
    CHECK(text.find("a := 1;") != std::string::npos);
    CHECK(text.find('}') < text.find("g ::"));
}

TEST_CASE("any error in any text is survived") {
    for (std::string text : {"", "}", "{", "f :: {", "\"", "f :: () { \"", "a\n}\n}\nb", "\xFF\xFE{"})
        for (uint32_t error = 0; error <= text.size() + 2; ++error)
            for (RepairLevel level :
                 {RepairLevel::Statements, RepairLevel::Items, RepairLevel::Unbalanced, RepairLevel::Everything})
                CHECK(repaired(text, {error}, level).size() == text.size());
}
