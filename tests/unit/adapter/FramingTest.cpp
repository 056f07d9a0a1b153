#include "debugger/protocol/Framing.h"

#include <catch2/catch.hpp>

using namespace sx::debugger;

namespace {

std::vector<std::string> decode(FrameDecoder& decoder, std::string_view bytes) {
    decoder.feed(bytes);
    std::vector<std::string> bodies;
    while (std::optional<std::string> body = decoder.next()) bodies.push_back(*body);
    return bodies;
}

std::string problemOf(std::string_view bytes) {
    FrameDecoder decoder;
    decode(decoder, bytes);
    return decoder.error();
}

} // namespace

TEST_CASE("Bodies come out whole, however the bytes arrive") {
    std::string wire = frame("{}") + frame("") + frame("é");
    for (size_t piece = 1; piece <= wire.size(); ++piece) {
        FrameDecoder decoder;
        std::vector<std::string> all;
        for (size_t i = 0; i < wire.size(); i += piece)
            for (std::string& body : decode(decoder, wire.substr(i, piece))) all.push_back(body);
        CHECK(all == std::vector<std::string>{"{}", "", "é"});
        CHECK(decoder.error().empty());
    }
}

TEST_CASE("Other header fields are ignored") {
    FrameDecoder decoder;
    CHECK(decode(decoder, "X-Y: 1\r\ncontent-length:  2 \r\nContent-Type: json\r\n\r\n{}") ==
          std::vector<std::string>{"{}"});
}

TEST_CASE("Framing that is beyond repair is told") {
    CHECK(problemOf("Content-Length: x\r\n\r\n") == "`Content-Length` is no number of bytes");
    CHECK(problemOf("Content-Length: -1\r\n\r\n") == "`Content-Length` is no number of bytes");
    CHECK(problemOf("Content-Length: 67108865\r\n\r\n") == "a body of more than 64 MiB");
    CHECK(problemOf("A: b\r\n\r\n") == "a header without `Content-Length`");
    CHECK(problemOf(std::string(5000, 'x')) == "a header of more than 4096 bytes");
    CHECK(problemOf("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n") == "a request of a web browser");
    CHECK(problemOf("Content-Length: 67108864\r\n\r\n").empty());
}
