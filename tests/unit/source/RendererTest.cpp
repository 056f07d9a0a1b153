#include "source/Diagnostics.h"

#include <catch2/catch.hpp>

using namespace sx;

namespace {

/// A file with one text, and spans in it by the text they cover.
struct Fixture {
    SourceManager sources;
    FileId file;
    Diagnostics diags;

    explicit Fixture(std::string text) : file(sources.addFile("dir/demo.sx", "demo.sx", std::move(text))) {}

    Span span(std::string_view part) const {
        const size_t at = sources.text(file).find(part);
        REQUIRE(at != std::string_view::npos);
        const SourcePos begin = sources.start(file) + static_cast<uint32_t>(at);
        return {begin, begin + static_cast<uint32_t>(part.size())};
    }
    std::string render(RenderOptions options = {}) const { return renderDiagnostics(sources, diags, options); }
};

} // namespace

TEST_CASE("the shape of an error") {
    Fixture f("a\nb\nc\nd\ne\nf\n    total := cuont + 1;\n");
    f.diags.error(f.span("cuont"), "unknown name `cuont`");
    CHECK(f.render() == "error: unknown name `cuont`\n"
                        "  --> dir/demo.sx:7:14\n"
                        "   |\n"
                        " 7 |     total := cuont + 1;\n"
                        "   |              ^^^^^\n");
}

TEST_CASE("without a range there is only the first line") {
    Fixture f("x");
    f.diags.error({}, "no `main`");
    f.diags.warning({}, "odd").note({}, "why").help("how");
    CHECK(f.render() == "error: no `main`\n\nwarning: odd\n\nnote: why\n\nhelp: how\n");
}

TEST_CASE("the gutter grows with the line number") {
    std::string text(99, '\n');
    Fixture f(text + "here\nthere\n");
    f.diags.error(f.span("here\nthere"), "m");
    CHECK(f.render() == "error: m\n"
                        "  --> dir/demo.sx:100:1\n"
                        "    |\n"
                        "100 | here\n"
                        "    | ^^^^\n"
                        "101 | there\n"
                        "    | ^^^^^\n");
}

TEST_CASE("a range over several lines") {
    Fixture f("x := {\n\n    yy\n} + 1;\n");
    f.diags.error(f.span("{\n\n    yy\n}"), "m");
    CHECK(f.render() == "error: m\n"
                        "  --> dir/demo.sx:1:6\n"
                        "   |\n"
                        " 1 | x := {\n"
                        "   |      ^\n"
                        " 2 | \n"
                        "   | ^\n"
                        " 3 |     yy\n"
                        "   | ^^^^^^\n"
                        " 4 | } + 1;\n"
                        "   | ^\n");
}

TEST_CASE("a range that ends with its line end stays on the line") {
    Fixture f("abc\ndef\n");
    f.diags.error(f.span("bc\n"), "m");
    CHECK(f.render() == "error: m\n  --> dir/demo.sx:1:2\n   |\n 1 | abc\n   |  ^^\n");
}

TEST_CASE("there is a caret for an empty range and for the end of the file") {
    Fixture f("ab\n");
    const SourcePos end = f.sources.start(f.file) + 3;
    f.diags.error({end, end}, "m");
    CHECK(f.render() == "error: m\n  --> dir/demo.sx:2:1\n   |\n 2 | \n   | ^\n");
}

TEST_CASE("tabs stay in the source line, carets count bytes") {
    Fixture f("\tx\xC3\xA9y;\n");
    f.diags.error(f.span("y"), "m");
    CHECK(f.render() == "error: m\n  --> dir/demo.sx:1:5\n   |\n 1 | \tx\xC3\xA9y;\n   |     ^\n");
    Fixture wide("\xC3\xA9;\n");
    wide.diags.error(wide.span("\xC3\xA9"), "m");
    CHECK(wide.render() == "error: m\n  --> dir/demo.sx:1:1\n   |\n 1 | \xC3\xA9;\n   | ^^\n");
}

TEST_CASE("of a long line the part around its marks is shown") {
    const std::string a(500, 'a'), umlauts = "\xC3\xA4\xC3\xA4\xC3\xA4", b(500, 'b');
    Fixture f(umlauts + a + "x;" + b + "\n" + a + "\n");
    auto marked = [&](std::string_view part) {
        f.diags = {};
        f.diags.error(f.span(part), "m");
        const std::string shown = f.render();
        return shown.substr(shown.find(" 1 | "));
    };
    const std::string bar = "\n   | ";
    CHECK(marked("x") ==
          " 1 | …" + a.substr(0, 120) + "x;" + b.substr(0, 278) + "…" + bar + std::string(121, ' ') + "^\n");
    CHECK(marked(umlauts) == " 1 | " + umlauts + a.substr(0, 394) + "…" + bar + "^^^^^^\n");
    CHECK(marked(a) == " 1 | " + umlauts + a.substr(0, 394) + "…" + bar + "      " + std::string(394, '^') + "\n");
    CHECK(marked("\n") == " 1 | …" + b.substr(0, 120) + bar + std::string(121, ' ') + "^\n");
    // No character is cut in two.
    Fixture half(std::string(119, 'a') + "\xC3\xA4" + b.substr(0, 118) + "x" + b);
    half.diags.error(half.span("x"), "m");
    CHECK(half.render().find(" 1 | …\xC3\xA4" + b.substr(0, 118) + "x") != std::string::npos);
}

TEST_CASE("notes come before helps, each after an empty line") {
    Fixture f("first\nsecond\n");
    f.diags.error(f.span("second"), "m").help("do").note(f.span("first"), "here").help(f.span("cond"), "write", "m.*");
    CHECK(f.render() == "error: m\n"
                        "  --> dir/demo.sx:2:1\n"
                        "   |\n"
                        " 2 | second\n"
                        "   | ^^^^^^\n"
                        "\n"
                        "note: here\n"
                        "  --> dir/demo.sx:1:1\n"
                        "   |\n"
                        " 1 | first\n"
                        "   | ^^^^^\n"
                        "\n"
                        "help: do\n"
                        "\n"
                        "help: write\n"
                        "   |\n"
                        " 2 | m.*\n"
                        "   |   ^^^^\n");
}

TEST_CASE("a help without replacement repeats its source") {
    Fixture f("call(x)\n");
    f.diags.error(f.span("call"), "m").help(f.span("(x)"), "here");
    CHECK(f.render() == "error: m\n  --> dir/demo.sx:1:1\n   |\n 1 | call(x)\n   | ^^^^\n\nhelp: here\n   |\n 1 | "
                        "call(x)\n   |     ^^^\n");
}

TEST_CASE("source text cannot drive a terminal") {
    Fixture f("a \x1b[2J\x07\x7f \xC2\x9B \xFF z\n");
    f.diags.error(f.span("z"), "bell \x07 in a message\nsecond line");
    CHECK(f.render() == "error: bell \xE2\x90\x87 in a message\nsecond line\n"
                        "  --> dir/demo.sx:1:15\n"
                        "   |\n"
                        " 1 | a \xE2\x90\x9B[2J\xE2\x90\x87\xE2\x90\xA1 \xEF\xBF\xBD \xEF\xBF\xBD z\n"
                        "   |               ^\n");
}

TEST_CASE("errors in order of reporting, then warnings in order of position") {
    Fixture f("aa bb\n");
    f.diags.warning(f.span("bb"), "w2");
    f.diags.error(f.span("bb"), "e1");
    f.diags.warning(f.span("aa"), "w1");
    f.diags.error(f.span("aa"), "e2");
    const std::string text = f.render();
    CHECK(text.find("e1") < text.find("e2"));
    CHECK(text.find("e2") < text.find("w1"));
    CHECK(text.find("w1") < text.find("w2"));
    CHECK(text.find("\n\nerror: e2") != std::string::npos);
}

TEST_CASE("a limit on the errors of each file") {
    Fixture f("a b c\n");
    const FileId other = f.sources.addFile("other.sx", "other.sx", "z");
    f.diags.error(f.span("a"), "e1");
    f.diags.error(f.span("b"), "e2");
    f.diags.error(f.span("c"), "e3");
    f.diags.error({f.sources.start(other), f.sources.start(other) + 1}, "e4");
    const std::string text = f.render({false, 2});
    CHECK(text.find("e2") != std::string::npos);
    CHECK(text.find("e3") == std::string::npos);
    CHECK(text.find("e4") != std::string::npos);
}

TEST_CASE("colour only if asked") {
    Fixture f("x\n");
    f.diags.error(f.span("x"), "m");
    f.diags.warning(f.span("x"), "w");
    CHECK(f.render().find('\x1b') == std::string::npos);
    const std::string text = f.render({true, 0});
    CHECK(text.find("\x1b[1;31merror\x1b[0m") == 0);
    CHECK(text.find("\x1b[1;33mwarning\x1b[0m") != std::string::npos);
    CHECK(text.find("\x1b[1;31m^\x1b[0m") != std::string::npos);
}

TEST_CASE("what has no place comes last, with further lines as they are") {
    Fixture f("x\n");
    f.diags.unplacedError("the program has no `main` function");
    f.diags.unplacedError("`#run` failed while compiling: error.Bad", "  a\n\tb\n");
    f.diags.error({}, "first");
    CHECK(f.render() == "error: first\n\nerror: the program has no `main` function\n\n"
                        "error: `#run` failed while compiling: error.Bad\n  a\n\tb\n");
    CHECK(f.diags.errorCount() == 1);
    CHECK(f.diags.hasUnplacedErrors());
}
