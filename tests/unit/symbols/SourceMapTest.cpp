#include "symbols/SourceMap.h"

#include <catch2/catch.hpp>

#include <random>

using namespace sx;
using namespace sx::symbols;

namespace {

std::string bytes(std::initializer_list<int> all) {
    std::string out;
    for (int b : all) out += static_cast<char>(b);
    return out;
}

const std::vector<LineRow> Rows = {{0x1000, "a.sx", 1, 1}, {0x1008, "", 7, 300}, {0xffffffff, "ü.sx", 70000, 5}};

std::string problemOfMap(const std::string& in) {
    Result<std::vector<LineRow>> rows = readNgsm(in);
    return rows ? "" : rows.error();
}

} // namespace

TEST_CASE("a source map is written as the form says") {
    Result<std::string> written = toNgsm({{0x1020, "ab", 3, 5}});
    REQUIRE(written);
    CHECK(*written == "NGSM" + bytes({1, 0, 0, 0, 0x20, 0x10, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 2, 0}) + "ab");
    CHECK(*toNgsm({}) == "NGSM" + bytes({0, 0, 0, 0}));
}

TEST_CASE("what was written is read back") {
    Result<std::vector<LineRow>> read = readNgsm(*toNgsm(Rows));
    REQUIRE(read);
    REQUIRE(read->size() == Rows.size());
    for (size_t i = 0; i < Rows.size(); ++i) {
        CHECK((*read)[i].pc == Rows[i].pc);
        CHECK((*read)[i].line == Rows[i].line);
        CHECK((*read)[i].column == Rows[i].column);
        CHECK((*read)[i].file == Rows[i].file);
    }
}

TEST_CASE("what does not fit into the form is refused") {
    CHECK_FALSE(toNgsm({{uint64_t{1} << 32, "a", 1, 1}}));
    CHECK_FALSE(toNgsm({{0, std::string(65536, 'a'), 1, 1}}));
    CHECK(toNgsm({{0, std::string(65535, 'a'), 1, 1}}));
}

TEST_CASE("a reader refuses what is no source map, and says why") {
    std::string good = *toNgsm(Rows);
    CHECK(problemOfMap("") == "it does not begin with `NGSM`");
    CHECK(problemOfMap("NGSN" + good.substr(4)) == "it does not begin with `NGSM`");
    CHECK(problemOfMap("NGSM") == "it ends before the number of entries");
    CHECK(problemOfMap("NGSM" + bytes({255, 255, 255, 255})).find("4294967295 entries") != std::string::npos);
    CHECK(problemOfMap(good + "x") == "1 bytes follow the last entry");
    for (size_t n = 0; n < good.size(); ++n) CHECK_FALSE(problemOfMap(good.substr(0, n)).empty());
    auto entry = [](int address, int line, int column) {
        return bytes({address, 0, 0, 0, line, 0, 0, 0, column, column, column, column, 1, 0}) + "a";
    };
    auto file = [](int count, const std::string& entries) { return "NGSM" + bytes({count, 0, 0, 0}) + entries; };
    CHECK(problemOfMap(file(2, entry(1, 1, 0) + entry(2, 1, 0))).empty());
    CHECK(problemOfMap(file(2, entry(2, 1, 0) + entry(1, 1, 0))) == "entry 2: the addresses do not rise");
    CHECK(problemOfMap(file(2, entry(2, 1, 0) + entry(2, 1, 0))) == "entry 2: the addresses do not rise");
    CHECK(problemOfMap(file(1, entry(1, 0, 0))) == "entry 1: there is no line 0");
    CHECK(problemOfMap(file(1, entry(1, 1, 255))) == "entry 1: there is no such column");
    std::string name = file(1, entry(1, 1, 0));
    name.back() = '\xff';
    CHECK(problemOfMap(name) == "entry 1: its name is no UTF-8");
}

TEST_CASE("any bytes end in rows or in a message") {
    std::mt19937 random(1);
    std::string good = *toNgsm(Rows);
    for (int i = 0; i < 100'000; ++i) {
        std::string in = good;
        for (unsigned n = random() % 4; n > 0; --n) in[random() % in.size()] = static_cast<char>(random());
        in.resize(random() % (in.size() + 1));
        if (Result<std::vector<LineRow>> rows = readNgsm(in)) CHECK(*toNgsm(*rows) == in);
    }
}
