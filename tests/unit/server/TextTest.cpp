// Positions in three encodings, names of documents, and edits.
#include "server/text/Documents.h"
#include "server/text/Uri.h"

#include <catch2/catch.hpp>

using namespace sx::server;

TEST_CASE("positions count units of their encoding") {
    std::string text = "a\xC3\xA9\xF0\x9F\x98\x80z\r\nb\rc\n";
    for (auto [encoding, column] : {std::pair(Encoding::Utf8, 7u), {Encoding::Utf16, 4u}, {Encoding::Utf32, 3u}}) {
        LineTable lines(text, encoding);
        CHECK(lines.lineCount() == 4);
        CHECK(lines.offset({0, column}) == 7);
        CHECK(lines.position(7) == Position{0, column});
        CHECK(lines.offset({0, 99}) == 8);
        CHECK(lines.offset({1, 0}) == 10);
        CHECK(lines.offset({2, 1}) == 13);
        CHECK(lines.offset({9, 9}) == text.size());
        for (uint32_t at : {0u, 1u, 7u, 10u, 12u, 14u}) CHECK(lines.offset(lines.position(at)) == at);
    }
}

TEST_CASE("a position within a character is its beginning") {
    LineTable lines("\xF0\x9F\x98\x80x", Encoding::Utf16);
    CHECK(lines.offset({0, 1}) == 0);
    CHECK(lines.offset({0, 2}) == 4);
    CHECK(LineTable("\xF0\x9F\x98\x80", Encoding::Utf8).offset({0, 2}) == 0);
}

TEST_CASE("bytes that are no UTF-8 count as one unit each") {
    CHECK(unitsIn("\xFF\xC3", Encoding::Utf16) == 2);
    CHECK(LineTable("\xFF\xC3", Encoding::Utf32).offset({0, 1}) == 1);
}

TEST_CASE("URIs and paths") {
    CHECK(pathOfUri("file:///a/b%20c.sx") == "/a/b c.sx");
    CHECK(pathOfUri("file://host/a/../b.sx") == "/b.sx");
    CHECK(uriOfPath("/a/b c.sx") == "file:///a/b%20c.sx");
    CHECK(uriOfPath(pathOfUri("untitled:Untitled-1")) == "untitled:Untitled-1");
    for (const char* broken : {"", "file:", "file://", "file://x", "%", "file:///%", "file:///%4"}) pathOfUri(broken);
}

TEST_CASE("changes are applied in order, and clamped") {
    std::string text = "one\ntwo\n";
    applyChange(text, {Range{{0, 1}, {1, 1}}, "X"}, Encoding::Utf16);
    CHECK(text == "oXwo\n");
    applyChange(text, {Range{{7, 0}, {9, 9}}, "end"}, Encoding::Utf16);
    CHECK(text == "oXwo\nend");
    applyChange(text, {Range{{0, 2}, {0, 1}}, ""}, Encoding::Utf16);
    CHECK(text == "owo\nend");
    applyChange(text, {std::nullopt, "all"}, Encoding::Utf16);
    CHECK(text == "all");
}
