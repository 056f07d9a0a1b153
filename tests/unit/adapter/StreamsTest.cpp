#include "debugger/session/Streams.h"

#include <catch2/catch.hpp>

#include <unistd.h>

using namespace sx::debugger;

namespace {

struct Heard {
    Streams streams;
    std::string out, err, console;
    Heard() {
        streams.onOutput = [this](const char* category, const std::string& text) {
            (category == std::string("stderr") ? err : category == std::string("console") ? console : out) += text;
        };
    }
    void write(int stream, std::string_view bytes) {
        REQUIRE(::write(streams.programEnds()[static_cast<size_t>(stream)], bytes.data(), bytes.size()) ==
                static_cast<ssize_t>(bytes.size()));
        streams.pump();
    }
};

llvm::json::Array list(const char* text) { return *llvm::cantFail(llvm::json::parse(text)).getAsArray(); }

} // namespace

TEST_CASE("A character that comes in two pieces is passed on whole") {
    Heard h;
    REQUIRE(h.streams.open(nullptr, "/"));
    h.write(1, "a\xc3");
    CHECK(h.out == "a");
    h.write(1, "\xa9");
    CHECK(h.out == "aé");
    h.write(1, "\xff\xc3");
    h.write(2, "e");
    h.streams.started();
    h.streams.drain();
    CHECK(h.out == "aé\\xff\\xc3");
    CHECK(h.err == "e");
}

TEST_CASE("The streams for debug text and binary output are marked") {
    Heard h;
    llvm::json::Array stdio = list(R"([null, null, null, null, null, null])");
    REQUIRE(h.streams.open(&stdio, "/"));
    h.write(3, "one\ntw");
    CHECK(h.console == "[dbg] one\n");
    h.write(5, "\x01\xff");
    CHECK(h.out == "[dato] 01 ff\n");
    h.streams.started();
    h.streams.drain();
    CHECK(h.console == "[dbg] one\n[dbg] tw\n");
}

TEST_CASE("What `stdio` may hold") {
    Heard h;
    llvm::json::Array many = list("[null,null,null,null,null,null,null]"), wrong = list("[1]"),
                      missing = list(R"(["/no/such/file"])");
    CHECK(h.streams.open(&many, "/").error() == "`stdio` has at most six entries");
    CHECK(h.streams.open(&wrong, "/").error() == "an entry of `stdio` is a text or null");
    CHECK_FALSE(h.streams.open(&missing, "/"));
    REQUIRE(h.streams.open(nullptr, "/"));
    CHECK_FALSE(h.streams.write("x", false));
}
