// Long lines: the window that is baked, and the caret in it.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace {

std::string window(const std::string& line, int32_t col) {
    std::string out(sx_trace_line_window(str(line), col, nullptr, 0), '\0');
    sx_trace_line_window(str(line), col, out.data(), out.size());
    return out;
}

// The line and the caret's column (0-based, in columns) as they are rendered.
std::pair<std::string, std::size_t> shown(const std::string& line, int32_t col) {
    CleanTrace clean;
    Frame frame("f", "a.sx", 1, col, window(line, col));
    sx_trace_raise(frame.value());
    std::string out = render();
    std::size_t text = out.find("\n    ") + 5;
    std::size_t end = out.find('\n', text);
    std::size_t caret = out.find('^', end);
    return {out.substr(text, end - text), caret - end - 5};
}

std::string repeat(const std::string& part, int count) {
    std::string out;
    while (count-- > 0) out += part;
    return out;
}

} // namespace

TEST_CASE("a line of up to 200 columns is kept whole") {
    CHECK(window("", 1) == "");
    CHECK(window(std::string(200, 'x'), 150) == std::string(200, 'x'));
    CHECK(window(repeat("漢", 100), 1) == repeat("漢", 100));
}

TEST_CASE("a position near the start leaves the left end whole") {
    std::string line = std::string(50, 'a') + "try" + std::string(500, 'b');
    auto [text, caret] = shown(line, 51);
    CHECK(text == std::string(50, 'a') + "try" + std::string(146, 'b') + "…");
    CHECK(caret == 50);
    CHECK(shown(std::string(100, 'a') + "try" + std::string(500, 'b'), 101).second == 100);
}

TEST_CASE("a position further on stands after 100 columns, both ends cut") {
    std::string line = std::string(300, 'a') + "try" + std::string(500, 'b');
    auto [text, caret] = shown(line, 301);
    CHECK(text == "…" + std::string(99, 'a') + "try" + std::string(96, 'b') + "…");
    CHECK(caret == 100);
    CHECK(shown(std::string(101, 'a') + "try" + std::string(500, 'b'), 102).second == 100);
}

TEST_CASE("a position near the end leaves the right end whole") {
    auto [text, caret] = shown(std::string(300, 'a') + "try f();", 301);
    CHECK(text == "…" + std::string(99, 'a') + "try f();");
    CHECK(caret == 100);
    auto [exact, caret2] = shown(std::string(300, 'a') + std::string(100, 'b'), 301);
    CHECK(exact == "…" + std::string(99, 'a') + std::string(100, 'b'));
    CHECK(caret2 == 100);
}

TEST_CASE("a wide character that does not fit before the position leaves a blank") {
    auto [text, caret] = shown(repeat("漢", 100) + "try" + repeat("字", 100), 301);
    CHECK(text == "… " + repeat("漢", 49) + "try" + repeat("字", 48) + "…");
    CHECK(caret == 100);
}

TEST_CASE("marks, invalid bytes and odd columns do not upset it") {
    auto [text, caret] = shown(repeat("e\xCC\x81", 150) + "try" + repeat("x", 90), 451);
    CHECK(text == "…" + repeat("e\xCC\x81", 99) + "try" + repeat("x", 90));
    CHECK(caret == 100);
    CHECK(shown(repeat("\xFF", 300) + "try", 301).second == 100);
    std::string line(300, 'a');
    CHECK(window(line, 0) == std::string(199, 'a') + "…");
    CHECK(window(line, -5) == std::string(199, 'a') + "…");
    CHECK(window(line, 100000) == "…" + std::string(99, 'a'));
}

TEST_CASE("a line that begins with an ellipsis of its own is read as it is") {
    auto [text, caret] = shown("…abc try f();", 8);
    CHECK(text == "…abc try f();");
    CHECK(caret == 5);
}

TEST_CASE("the window is cut to the buffer") {
    std::string out(10, '#');
    CHECK(sx_trace_line_window(str(std::string(300, 'a')), 1, out.data(), 5) == 202);
    CHECK(out == "aaaaa#####");
}
