// Every program there is, as it is and mistreated.
#include "FormatFixture.h"

#include <catch2/catch.hpp>

namespace {

/// Formatting neither refuses nor changes more than white space, and nothing is left for a second time. False if the
/// text does not parse.
bool checkFormats(const Program& program, const std::string& text) {
    const std::string result = formatted(text);
    if (result == "syntax errors") return false;
    INFO(program.path);
    if (contentOf(result) != contentOf(text) || !isStable(result)) {
        CHECK(contentOf(result) == contentOf(text));
        CHECK(formatted(result) == result);
    }
    return true;
}

/// The tokens and comments with `between(i)` before the i-th.
template <typename Between> std::string rewritten(const std::string& text, Between between) {
    std::string result;
    size_t i = 0;
    for (const std::string& piece : contentOf(text)) {
        if (piece.empty()) continue; // the end
        result += between(i++) + piece;
        if (piece.rfind("//", 0) == 0) result += "\n";
    }
    return result;
}

} // namespace

TEST_CASE("the library, the examples and the corpus") {
    size_t count = 0;
    for (const char* folder : {"library", "examples", "tests/corpus"})
        for (const Program& program : programsUnder(folder)) {
            checkFormats(program, program.text);
            ++count;
        }
    CHECK(count > 500);
}

TEST_CASE("a comment between every two tokens, in turns") {
    size_t parsed = 0;
    for (const Program& program : programsUnder("tests/corpus"))
        for (size_t turn = 0; turn < 3; ++turn) {
            const std::string text = rewritten(program.text, [&](size_t i) {
                return i % 3 == turn ? " // c" + std::to_string(i) + "\n" : std::string(" ");
            });
            if (checkFormats(program, text)) ++parsed;
        }
    CHECK(parsed > 1000);
}

TEST_CASE("everything in one line, every token in a line of its own, odd blanks") {
    size_t turn = 0;
    for (const Program& program : programsUnder("tests/corpus")) {
        const size_t way = turn++ % 3;
        checkFormats(program, rewritten(program.text, [way](size_t i) {
                         return way == 0 ? " " : way == 1 ? "\n" : std::string(i * 7919 % 5, ' ') + "\t";
                     }));
    }
}
