// What an error knew: notes and values, where they are shown, and what becomes of them when there is no room.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace {

void note(const std::string& text) { sx_trace_note(text.data(), text.size()); }

void values(const std::vector<std::pair<std::string, std::string>>& list) {
    std::vector<sx_trace_value> out;
    for (const auto& [name, text] : list) out.push_back({str(name), str(text)});
    sx_trace_values(out.data(), out.size());
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
    return n;
}

} // namespace

TEST_CASE("values, then notes in order, stand under their frame") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1, "x"), b("b", "a.sx", 2, 1);
    note("nothing is in flight");
    sx_trace_raise(a.value());
    note("first");
    values({{"text", "\"1x5\""}, {"base", "10"}});
    note("second");
    sx_trace_push(b.value());
    note("third");
    CHECK(render() == HEAD + "  a at a.sx:1:1\n    x\n    ^\n      with text = \"1x5\", base = 10\n      note: first\n "
                             "     note: second\n"
                             "  b at a.sx:2:1\n      note: third\n");
    CHECK(render(SX_TRACE_STYLE_SHORT).find("      note: first\n") != std::string::npos);
    CHECK(render(SX_TRACE_STYLE_JSON) == "{\"error\":null,\"frames\":[{\"func\":\"a\",\"file\":\"a.sx\",\"line\":1,"
                                         "\"col\":1,\"text\":\"x\",\"notes\":[\"first\",\"second\"],"
                                         "\"values\":{\"text\":\"\\\"1x5\\\"\",\"base\":\"10\"}},{\"func\":\"b\","
                                         "\"file\":\"a.sx\",\"line\":2,\"col\":1,\"text\":\"\","
                                         "\"notes\":[\"third\"]}],\"omitted\":0}\n");
    Environment quiet("SX_TRACE_VALUES", "0");
    CHECK(render().find("with") == std::string::npos);
    CHECK(render().find("note: first") != std::string::npos);
}

TEST_CASE("notes drive no terminal") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1);
    sx_trace_raise(a.value());
    note("tab\there\nand \x1b[2J\xE2\x80\xAE!");
    CHECK(render() == HEAD + "  a at a.sx:1:1\n      note: tab\\x09here\\x0aand \\x1b[2J\\u202e!\n");
}

TEST_CASE("a note is cut between characters") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1);
    sx_trace_raise(a.value());
    note(std::string(200, 'x'));
    CHECK(render().find(std::string(200, 'x') + "\n") != std::string::npos);
    sx_trace_clear();
    sx_trace_raise(a.value());
    note(std::string(199, 'x') + "é and more");
    CHECK(render().find(std::string(199, 'x') + "…\n") != std::string::npos);
    sx_trace_clear();
    sx_trace_raise(a.value());
    values({{"a", std::string(60, 'v')}, {"b", std::string(60, 'w')}, {"c", "1"}});
    CHECK(render().find("      with a = " + std::string(60, 'v') + ", …\n") != std::string::npos);
}

TEST_CASE("notes go with their frame, an origin's stays") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1), c("c", "a.sx", 3, 1);
    sx_trace_raise(a.value());
    note("of the origin");
    sx_trace_push(b.value());
    note("of a hop");
    for (int i = 0; i < 40; ++i) sx_trace_push(c.value());
    std::string text = render();
    CHECK(text.find("of the origin") != std::string::npos);
    CHECK(text.find("of a hop") == std::string::npos);
    sx_trace_raise(b.value());
    note("of another error");
    sx_trace_absorb();
    sx_trace_raise(b.value());
    CHECK(render().find("of another error") == std::string::npos);
}

TEST_CASE("notes move with their chain, and are kept in a snapshot") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1), c("c", "a.sx", 3, 1);
    sx_trace_raise_error(a.value(), 1);
    note("of a");
    sx_trace_raise_error(b.value(), 2);
    note("of b");
    sx_trace_push_error(c.value(), 1);
    note("of c");
    CHECK(render().find(
              HEAD +
              "  a at a.sx:1:1\n      note: of a\n  c at a.sx:3:1\n      note: of c\n\nalso in flight: another error "
              "(most recent call last):\n  b at a.sx:2:1\n      note: of b\n") == 0);
    sx_trace_snapshot snapshot;
    sx_trace_capture_newest(&snapshot);
    sx_trace_absorb();
    CHECK(render() == HEAD + "  b at a.sx:2:1\n      note: of b\n");
    sx_trace_absorb();
    sx_trace_resume(&snapshot);
    CHECK(render() == HEAD + "  a at a.sx:1:1\n      note: of a\n  c at a.sx:3:1\n      note: of c\n");
    sx_trace_state other = {};
    sx_trace_swap(&other);
    CHECK(render().empty());
    sx_trace_swap(&other);
    CHECK(count(render(), "note:") == 2);
}

TEST_CASE("notes of a merged chain stay with its own frames") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1), c("c", "a.sx", 3, 1);
    sx_trace_raise(a.value());
    note("of a");
    sx_trace_push(b.value());
    note("of b");
    for (int i = 0; i < 8; ++i) {
        raiseChain(c.value(), 1);
        sx_trace_push(c.value());
        note("of c");
    }
    for (int i = 0; i < 7; ++i) sx_trace_absorb();
    CHECK(render() == HEAD + "  a at a.sx:1:1\n      note: of a\n  ... 2 frames omitted\n  b at a.sx:2:1\n      note: "
                             "of b\n\nalso in flight: 1 more error\n");
}

TEST_CASE("when there is no room the oldest values go, then the oldest notes") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1);
    sx_trace_raise(a.value());
    note("the first note");
    for (int i = 0; i < 10; ++i) {
        sx_trace_push(i % 2 == 0 ? a.value() : b.value());
        values({{"n", std::to_string(i)}, {"s", std::string(90, 'v')}});
    }
    std::string text = render();
    CHECK(text.find("the first note") != std::string::npos);
    CHECK(text.find("n = 9,") != std::string::npos);
    CHECK(text.find("n = 0,") == std::string::npos);
    for (int i = 0; i < 10; ++i) note(std::string(150, 'a' + i));
    text = render();
    CHECK(text.find("with") == std::string::npos);
    CHECK(text.find("the first note") == std::string::npos);
    CHECK(text.find(std::string(150, 'j')) != std::string::npos);
    CHECK(count(text, "note:") == 4);
}

TEST_CASE("a snapshot keeps the newest notes") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1);
    sx_trace_raise(a.value());
    for (int i = 0; i < 5; ++i) note(std::string(80, 'a' + i));
    sx_trace_snapshot snapshot;
    sx_trace_capture(&snapshot);
    sx_trace_restore(&snapshot);
    std::string text = render();
    CHECK(count(text, "note:") == 2);
    CHECK(text.find(std::string(80, 'e')) != std::string::npos);
}

TEST_CASE("a frame with notes folds with none, one with values with its equals") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1);
    sx_trace_raise(a.value());
    sx_trace_push(a.value());
    note("x");
    sx_trace_push(a.value());
    sx_trace_push(a.value());
    CHECK(render() == HEAD + "  a at a.sx:1:1\n  a at a.sx:1:1\n      note: x\n  a at a.sx:1:1 (2 times)\n");
    sx_trace_clear();
    sx_trace_raise(a.value());
    values({{"n", "1"}});
    sx_trace_push(a.value());
    values({{"n", "1"}});
    sx_trace_push(a.value());
    values({{"n", "2"}});
    CHECK(render() == HEAD + "  a at a.sx:1:1 (2 times)\n      with n = 1\n  a at a.sx:1:1\n      with n = 2\n");
}

TEST_CASE("a note on an error without frames belongs to its first hop") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1);
    sx_trace_raise_error(0, 1);
    note("early");
    sx_trace_push(a.value());
    CHECK(render() == HEAD + "  a at a.sx:1:1\n      note: early\n");
}

TEST_CASE("a note on a frame that was overwritten stands under no other") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1), c("c", "a.sx", 3, 1);
    auto overwriteAll = [] {
        raiseChain(1, 40);
        sx_trace_absorb();
    };
    sx_trace_raise(a.value());
    overwriteAll();
    note("at the origin");
    sx_trace_push(b.value());
    CHECK(render() == HEAD + "  a at a.sx:1:1\n      note: at the origin\n  b at a.sx:2:1\n");
    overwriteAll();
    note("at what is lost");
    sx_trace_push(c.value());
    CHECK(render() == HEAD + "  a at a.sx:1:1\n      note: at the origin\n  ... 1 frame omitted\n  c at a.sx:3:1\n");
}
