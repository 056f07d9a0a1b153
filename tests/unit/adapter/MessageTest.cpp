#include "debugger/protocol/Message.h"

#include <catch2/catch.hpp>

using namespace sx::debugger;

TEST_CASE("What is no UTF-8 is escaped") {
    CHECK(asUtf8("aé\n") == "aé\n");
    CHECK(asUtf8("\xff") == "\\xff");
    CHECK(asUtf8("\xc3") == "\\xc3");
    CHECK(asUtf8("\xed\xa0\x80") == "\\xed\\xa0\\x80"); // half of a surrogate pair
    CHECK(asUtf8(std::string_view("\0", 1)) == std::string(1, '\0'));
}

TEST_CASE("A request is read, or what is wrong with it is told") {
    auto parsed = parseRequest(R"({"seq":3,"type":"request","command":"next","arguments":{"threadId":1}})");
    REQUIRE(parsed);
    CHECK(parsed->problem.empty());
    CHECK(parsed->request.seq == 3);
    CHECK(parsed->request.command == "next");
    CHECK(parsed->request.arguments.getInteger("threadId") == 1);

    CHECK(parseRequest(R"({"seq":3,"type":"request"})")->problem == "a request needs the text `command`");
    CHECK(parseRequest(R"({"type":"request","command":"x"})")->problem == "a request needs the number `seq`");
    CHECK(parseRequest(R"({"seq":1,"type":"event","command":"x"})")->problem ==
          "the message's `type` is not `request`");
    CHECK(parseRequest(R"({"seq":1,"type":"request","command":"x","arguments":[]})")->problem ==
          "`arguments` has to be an object");
    CHECK_FALSE(parseRequest("[]"));
    CHECK_FALSE(parseRequest("nonsense"));
    CHECK_FALSE(parseRequest(std::string(100000, '[')));
}
