#include "symbols/Json.h"

#include "symbols/Annotate.h"

#include <catch2/catch.hpp>

#include <random>

using namespace sx;
using namespace sx::symbols;

namespace {

SymbolFile sample() {
    SymbolFile f;
    f.path = "/p/\"a\"";
    f.crc = 0xfedcba98;
    f.functions = {{"f", 16, 24, "a.sx", 3}, {"g", 40, 8, "", 0}};
    f.variables = {{"x", UINT64_MAX - 8, 8, "i64", "global"}};
    f.labels = {{24, "f.1"}};
    f.instructions = {{16, UINT64_MAX, "", "Mov", "r1, r2", "a.sx", 3}, {24, std::nullopt, "c3", "ret", "", "", 0}};
    f.lines = {{16, "a.sx", 3, 1}, {24, "a.sx", 4, 9}};
    f.regions = {{"code", 16, 48, "text", "r-x"}};
    return f;
}

/// The file with one piece of its text replaced.
std::string changed(const std::string& from, const std::string& to) {
    std::string text = toJson(sample());
    size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::string problemOf(const std::string& text) {
    Result<SymbolFile> f = readJson(text);
    return f ? "" : f.error();
}

} // namespace

TEST_CASE("a symbol file is read back as it was written") {
    std::string text = toJson(sample());
    Result<SymbolFile> read = readJson(text);
    REQUIRE(read);
    CHECK(toJson(*read) == text);
    CHECK(read->crc == 0xfedcba98);
    CHECK(read->instructions[0].word == UINT64_MAX);
    CHECK(read->labels[0].address == 24);
    CHECK(toJson(*readJson(toJson({}))) == toJson({}));
}

TEST_CASE("a reader of symbol files says what is wrong") {
    CHECK(problemOf("").find("no JSON") != std::string::npos);
    CHECK(problemOf("[]") == "it is no JSON object");
    CHECK(problemOf("{}") == "there is no `version`");
    CHECK(problemOf(std::string(100'000, '[')) == "it is nested too deeply");
    CHECK(problemOf(changed("\"version\":1", "\"version\":2")).find("version 2") != std::string::npos);
    CHECK(problemOf(changed("\"crc\":", "\"crc\":9")) == "`crc` has to be a number in its range");
    CHECK(problemOf(changed("\"crc\":", "\"crc\":-")) == "`crc` has to be a number in its range");
    CHECK(problemOf(changed("\"name\":\"f\"", "\"name\":7")) == "`functions`, row 1: `name` has to be a text");
    CHECK(problemOf(changed("\"size\":8,\"type\"", "\"size\":99,\"type\"")).find("last address") != std::string::npos);
    CHECK(problemOf(changed("\"bytes\":\"c3\"", "\"bytes\":\"c\"")).find("`bytes`") != std::string::npos);
    CHECK(problemOf(changed("\"bytes\":\"c3\",", "")) == "`instructions`, row 2: there is no `bytes`");
    CHECK(problemOf(changed("\"line\":4,\"pc\":24", "\"line\":4,\"pc\":16")) ==
          "`line_map`, row 2: the addresses do not rise");
    CHECK(problemOf(changed("0x18", "24")).find("`labels`") != std::string::npos);
    CHECK(problemOf(changed("\"end\":48", "\"end\":4")).find("ends before") != std::string::npos);
    CHECK(problemOf(changed("\"line\":4,\"pc\":24", "\"line\":0,\"pc\":24")) ==
          "`line_map`, row 2: `line` has to be 1 or more");
    CHECK(problemOf(changed("\"address\":16", "\"address\":41")) ==
          "`functions`, row 2: the rows are not in order of address");
    CHECK(problemOf(changed("r-x", "zzz")).find("`permissions`") != std::string::npos);
}

TEST_CASE("any text ends in symbols or in a message") {
    std::mt19937 random(2);
    std::string good = toJson(sample());
    for (int i = 0; i < 10'000; ++i) {
        std::string in = good;
        for (unsigned n = 1 + random() % 3; n > 0; --n) in[random() % in.size()] = static_cast<char>(random() % 128);
        if (random() % 8 == 0) in.resize(random() % in.size());
        if (Result<SymbolFile> f = readJson(in)) CHECK(readJson(toJson(*f)));
    }
}

TEST_CASE("addresses are looked up") {
    SymbolFile f = sample();
    CHECK(functionAt(f, 15) == nullptr);
    CHECK(functionAt(f, 39)->name == "f");
    CHECK(functionAt(f, 40)->name == "g");
    CHECK(functionAt(f, 48) == nullptr);
    CHECK(lineAt(f, 15) == nullptr);
    CHECK(lineAt(f, 23)->line == 3);
    CHECK(lineAt(f, 1000)->line == 4);
}

TEST_CASE("code is printed with its names, labels and lines") {
    std::string text = annotated(sample(), [](const std::string&, uint32_t) { return "x := 1;"; });
    CHECK(text == "f:\n; a.sx:3  x := 1;\n  0x10        ffffffffffffffff    Mov      r1, r2\n f.1:\n"
                  "  0x18        c3                  ret\n");
}
