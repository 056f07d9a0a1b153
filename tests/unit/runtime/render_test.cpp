// What a person sees: layout, the caret, escapes, overflow, separators, colour.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace {

// The two lines that a frame with this text and column ends in.
std::string snippet(const std::string& text, int32_t col) {
    CleanTrace clean;
    Frame frame("f", "a.sx", 1, col, text);
    sx_trace_raise(frame.value());
    std::string out = render();
    std::string head = "error return trace (most recent call last):\n  f at a.sx:1:" + std::to_string(col) + "\n";
    REQUIRE(out.substr(0, head.size()) == head);
    return out.substr(head.size());
}

} // namespace

TEST_CASE("nothing in flight renders as nothing") {
    CleanTrace clean;
    CHECK(render(SX_TRACE_STYLE_TEXT).empty());
    CHECK(render(SX_TRACE_STYLE_SHORT).empty());
    CHECK(render(SX_TRACE_STYLE_JSON).empty());
}

TEST_CASE("frames stand oldest first with their lines and carets") {
    CleanTrace clean;
    Frame digit("parse_digit", "parse.sx", 12, 20, "if !is_digit(s[0]) raise error.BadDigit;");
    Frame main("main", "parse.sx", 20, 10, "    v := try parse_digit(s);");
    sx_trace_raise(digit.value());
    sx_trace_push(main.value());
    CHECK(render() == HEAD + "  parse_digit at parse.sx:12:20\n"
                             "    if !is_digit(s[0]) raise error.BadDigit;\n"
                             "                       ^\n"
                             "  main at parse.sx:20:10\n"
                             "        v := try parse_digit(s);\n"
                             "             ^\n");
    CHECK(render(SX_TRACE_STYLE_SHORT) == HEAD + "  parse_digit at parse.sx:12:20\n"
                                                 "  main at parse.sx:20:10\n");
    CHECK(render(SX_TRACE_STYLE_OFF).empty());
}

TEST_CASE("tabs before the caret are repeated") {
    CHECK(snippet("\tx := 1;\tw := try a(1);", 15) == "    \tx := 1;\tw := try a(1);\n"
                                                      "    \t       \t     ^\n");
}

TEST_CASE("wide characters take two columns, accented letters one") {
    CHECK(snippet("w := len(\"é漢字😀\") + try a();", 28) == "    w := len(\"é漢字😀\") + try a();\n"
                                                            "                          ^\n");
}

TEST_CASE("combining marks and joiners take no column") {
    // e + U+0301, U+200B, Hangul syllable in three jamo
    CHECK(snippet("e\xCC\x81\xE2\x80\x8B\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8x", 16) ==
          "    e\xCC\x81\xE2\x80\x8B\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8x\n"
          "       ^\n");
}

TEST_CASE("an invalid byte takes one column and stays as it is") {
    CHECK(snippet("a\xFF\xC3(\xE2\x82 try", 8) == "    a\xFF\xC3(\xE2\x82 try\n           ^\n");
    CHECK(snippet("\xED\xA0\x80\xF4\x90\x80\x80\xC0\x80x", 10) ==
          "    \xED\xA0\x80\xF4\x90\x80\x80\xC0\x80x\n             ^\n");
}

TEST_CASE("control characters are escaped and the caret knows") {
    CHECK(snippet("a\x1b[2Jb\x7f\xC2\x9b"
                  "c\r",
                  10) == "    a\\x1b[2Jb\\x7f\\x9bc\\x0d\n"
                         "                     ^\n");
    CleanTrace clean;
    Frame frame("f\x1b[m", "a\nb.sx", 1, 2);
    sx_trace_raise(frame.value());
    CHECK(render() == HEAD + "  f\\x1b[m at a\\x0ab.sx:1:2\n");
}

TEST_CASE("the caret at the ends of the line, and none beyond it") {
    CHECK(snippet("abc", 1) == "    abc\n    ^\n");
    CHECK(snippet("abc", 4) == "    abc\n       ^\n");
    CHECK(snippet("abc", 5) == "    abc\n");
}

TEST_CASE("a position inside a character is under that character") {
    CHECK(snippet("é漢x", 2) == "    é漢x\n    ^\n");
    CHECK(snippet("é漢x", 4) == "    é漢x\n     ^\n");
}

TEST_CASE("an excerpt begins at the position, whatever the column") {
    CHECK(snippet("\ntry f(s);", 20) == "    …try f(s);\n     ^\n");
    CHECK(snippet("\ntry f(s);", 250) == "    …try f(s);\n     ^\n");
    CHECK(snippet("\n", 3).empty());
}

TEST_CASE("frames that say little show what is known") {
    CleanTrace clean;
    sx_frame nothing = {};
    Frame noLine("f", "a.sx", 0, 9), noCol("f", "a.sx", 5, 0, "text");
    sx_frame broken = {{nullptr, 5}, -1, -1, {"x", -3}, {nullptr, 9}};
    sx_trace_raise(reinterpret_cast<uint64_t>(&nothing));
    sx_trace_push(noLine.value());
    sx_trace_push(noCol.value());
    sx_trace_push(reinterpret_cast<uint64_t>(&broken));
    sx_trace_push(0);
    sx_trace_push(0x2a);
    sx_trace_push(noCol.value() + 1);
    std::string odd = render();
    CHECK(odd.substr(0, odd.rfind("0x")) == HEAD + "  (unknown function) at (unknown file)\n"
                                                   "  f at a.sx\n"
                                                   "  f at a.sx:5\n"
                                                   "    text\n"
                                                   "  (unknown function) at (unknown file)\n"
                                                   "  (unknown frame 0x0)\n"
                                                   "  (unknown frame 0x2a)\n"
                                                   "  (unknown frame ");
}

TEST_CASE("an overflow shows the origin, the exact number, the newest frames") {
    CleanTrace clean;
    Frame origin("rec", "a.sx", 6, 1), hop("rec", "a.sx", 7, 1), last("main", "a.sx", 11, 1);
    sx_trace_raise(origin.value());
    for (int i = 0; i < 40; ++i) sx_trace_push(hop.value());
    sx_trace_push(last.value());
    CHECK(render() ==
          HEAD + "  rec at a.sx:6:1\n  ... 9 frames omitted\n  rec at a.sx:7:1 (31 times)\n  main at a.sx:11:1\n");
}

TEST_CASE("each chain shows its own origin and omissions") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1), c("c", "a.sx", 3, 1);
    sx_trace_raise(a.value());
    for (int i = 0; i < 4; ++i) sx_trace_push(a.value());
    sx_trace_raise(b.value());
    sx_trace_link(SX_TRACE_CAUSE);
    for (int i = 0; i < 40; ++i) sx_trace_push(c.value());
    sx_trace_absorb();
    CHECK(render().empty());
    for (int i = 0; i < 5; ++i) i == 0 ? sx_trace_raise(a.value()) : sx_trace_push(a.value());
    sx_trace_raise(b.value());
    for (int i = 0; i < 40; ++i) sx_trace_push(c.value());
    sx_trace_absorb();
    sx_trace_push(c.value());
    CHECK(render() == HEAD + "  a at a.sx:1:1\n  ... 4 frames omitted\n  c at a.sx:3:1\n");
    for (int i = 0; i < 32; ++i) sx_trace_push(c.value());
    sx_trace_raise(b.value());
    std::string out = render();
    CHECK(out.find("  a at a.sx:1:1\n  ... 6 frames omitted\n  c at") != std::string::npos);
}

TEST_CASE("links are told, and what is not linked is another report") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1), c("c", "a.sx", 3, 1), d("d", "a.sx", 4, 1);
    sx_trace_raise(a.value());
    sx_trace_raise(b.value());
    sx_trace_raise(c.value());
    sx_trace_link(SX_TRACE_ATTEMPT);
    sx_trace_raise(d.value());
    sx_trace_link(SX_TRACE_CAUSE);
    CHECK(render() == HEAD + "  b at a.sx:2:1\n"
                             "\n"
                             "after the error above, the next attempt failed with another error:\n"
                             "  c at a.sx:3:1\n"
                             "\n"
                             "while handling the error above, another error was raised:\n"
                             "  d at a.sx:4:1\n"
                             "\n"
                             "also in flight: another error (most recent call last):\n"
                             "  a at a.sx:1:1\n");
}

TEST_CASE("colours only add to the text") {
    CleanTrace clean;
    Frame frame("f", "a.sx", 1, 2, "\tx");
    sx_trace_raise(frame.value());
    for (int i = 0; i < 33; ++i) sx_trace_push(frame.value());
    std::string colored = render(SX_TRACE_STYLE_TEXT, true), plain;
    CHECK(colored.find("  \x1b[1mf\x1b[0m at a.sx:1:2\n    \tx\n    \t\x1b[1;31m^\x1b[0m\n") != std::string::npos);
    for (std::size_t i = 0; i < colored.size(); ++i) {
        if (colored[i] == '\x1b') i = colored.find('m', i);
        else plain += colored[i];
    }
    CHECK(plain == render());
}

TEST_CASE("a resolver says what a frame is: in the options, or for the thread") {
    CleanTrace clean;
    auto resolve = [](uint64_t frame, sx_frame* out, void* ctx) {
        if (frame == 0) return false;
        *out = {{"vm.sx", 5}, static_cast<int32_t>(frame >> 32), static_cast<int32_t>(frame), {}, {}};
        out->func = *static_cast<sx_string*>(ctx);
        return true;
    };
    sx_string name = {"op", 2}, other = {"thread", 6};
    sx_trace_resolver resolver = {resolve, &name, nullptr}, ofThread = {resolve, &other, nullptr};
    sx_trace_raise(uint64_t(3) << 32 | 8);
    sx_trace_push(0);
    sx_trace_options options = {};
    options.style = SX_TRACE_STYLE_TEXT;
    options.resolver = &resolver;
    char text[200];
    sx_trace_format(text, sizeof text, nullptr, &options);
    CHECK(text == HEAD + "  op at vm.sx:3:8\n  (unknown frame 0x0)\n");
    CHECK(sx_trace_set_resolver(&ofThread) == nullptr);
    CHECK(render() == HEAD + "  thread at vm.sx:3:8\n  (unknown frame 0x0)\n");
    sx_trace_format(text, sizeof text, nullptr, &options);
    CHECK(std::string(text).find("  op at") != std::string::npos);
    CHECK(sx_trace_set_resolver(nullptr) == &ofThread);
}

TEST_CASE("a snapshot is rendered like what is in flight") {
    CleanTrace clean;
    Frame frame("f", "a.sx", 1, 1, "x");
    sx_trace_raise(frame.value());
    std::string expected = render();
    sx_trace_snapshot snapshot;
    sx_trace_capture(&snapshot);
    sx_trace_clear();
    char text[200];
    sx_trace_options options = {};
    options.style = SX_TRACE_STYLE_TEXT;
    CHECK(sx_trace_format(text, sizeof text, &snapshot, &options) == expected.size());
    CHECK(text == expected);
}

TEST_CASE("format cuts what does not fit and tells the whole length") {
    CleanTrace clean;
    Frame frame("f", "a.sx", 1, 1);
    sx_trace_raise(frame.value());
    std::string whole = render();
    for (std::size_t capacity = 0; capacity < whole.size() + 3; ++capacity) {
        std::string buffer(capacity + 4, '#');
        sx_trace_options options = {};
        options.style = SX_TRACE_STYLE_TEXT;
        CHECK(sx_trace_format(buffer.data(), capacity, nullptr, &options) == whole.size());
        std::size_t fits = capacity == 0 ? 0 : std::min(capacity - 1, whole.size());
        CHECK(buffer.substr(0, fits) == whole.substr(0, fits));
        if (capacity > 0) CHECK(buffer[fits] == '\0');
        CHECK(buffer.substr(capacity) == "####");
    }
}

TEST_CASE("the callback gets whole lines, and can stop") {
    CleanTrace clean;
    Frame frame("f", "a.sx", 1, 1, std::string(90, 'x'));
    Frame other("g", "a.sx", 1, 1, std::string(90, 'x'));
    Frame huge("f", "a.sx", 1, 1, std::string(5000, 'x'));
    for (int i = 0; i < 32; ++i) sx_trace_push(i % 2 == 0 ? frame.value() : other.value());
    std::vector<std::string> parts;
    auto collect = [](const char* bytes, size_t len, void* ctx) {
        static_cast<std::vector<std::string>*>(ctx)->emplace_back(bytes, len);
        return true;
    };
    sx_trace_options options = {};
    options.style = SX_TRACE_STYLE_TEXT;
    CHECK(sx_trace_render(nullptr, &options, collect, &parts));
    std::string all;
    for (const std::string& part : parts) {
        CHECK(part.back() == '\n');
        all += part;
    }
    CHECK(parts.size() > 1);
    CHECK(all == render());

    sx_trace_push(huge.value());
    CHECK(render().find(std::string(5000, 'x') + "\n    ^\n") != std::string::npos);

    int calls = 0;
    auto refuse = [](const char*, size_t, void* ctx) { return ++*static_cast<int*>(ctx) < 2; };
    CHECK_FALSE(sx_trace_render(nullptr, &options, refuse, &calls));
    CHECK(calls == 2);
}
