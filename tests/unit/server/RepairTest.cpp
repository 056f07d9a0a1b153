// What is left of texts that do not parse.
#include "server/program/Repair.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace sx::server;

namespace {

std::string repair(std::string text, RepairLevel level = RepairLevel::Statements) {
    size_t mark = text.find('@');
    text.erase(mark, 1);
    std::string result = repaired(text, {static_cast<uint32_t>(mark)}, level);
    CHECK(result.size() >= text.size()); // braces may be added at the end
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

TEST_CASE("a dot without a name ends a statement, leaves an operand, or becomes the name of one") {
    auto dots = [](std::string text) {
        return repair("f :: () {\n    " + text + "\n}\n@", RepairLevel::Dots).substr(14);
    };
    CHECK(dots("s.\n    g();") == "s;\n    g();\n}\n");
    CHECK(dots("g(s.);") == "g(s );\n}\n");
    CHECK(dots("if s. {\n    }") == "if s  {\n    }\n}\n");
    CHECK(dots("g(.);") == "g(_);\n}\n");
    CHECK(dots("return .;") == "return _;\n}\n");
    CHECK(dots("a.b.* = .{ 1 };") == "a.b.* = .{ 1 };\n}\n");
}

TEST_CASE("an item that has no room behind it is closed over its last statement, the last one at the end of the text") {
    std::string text = repair("f :: () {\n    if a {\n    g(1)@;\nh :: () { }\n");
    CHECK(text.find("h :: () { }") != std::string::npos);
    CHECK(std::count(text.begin(), text.end(), '}') == 3);
    CHECK(repair("f :: () {\n    g(1);@") == "f :: () {\n    g(1);}");
}

TEST_CASE("any error in any text is survived") {
    for (std::string text : {"", "}", "{", "f :: {", "\"", "f :: () { \"", "a\n}\n}\nb", "\xFF\xFE{"})
        for (uint32_t error = 0; error <= text.size() + 2; ++error)
            for (RepairLevel level : {RepairLevel::Dots, RepairLevel::Statements, RepairLevel::Items,
                                      RepairLevel::Unbalanced, RepairLevel::Everything})
                CHECK(repaired(text, {error}, level).size() >= text.size());
}
