// What a program sees.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace {

std::string json(const std::string& error) {
    sx_trace_options options = {};
    options.style = SX_TRACE_STYLE_JSON;
    options.error = str(error);
    std::string text(sx_trace_format(nullptr, 0, nullptr, &options), '\0');
    sx_trace_format(text.data(), text.size() + 1, nullptr, &options);
    return text;
}

} // namespace

TEST_CASE("json: one object on one line") {
    CleanTrace clean;
    Frame a("parse", "a.sx", 3, 5, "raise error.Bad;"), b("main", "a.sx", 9, 1);
    sx_trace_raise(a.value());
    sx_trace_push(b.value());
    CHECK(json("Bad") == "{\"error\":\"Bad\",\"frames\":["
                         "{\"func\":\"parse\",\"file\":\"a.sx\",\"line\":3,\"col\":5,\"text\":\"raise error.Bad;\"},"
                         "{\"func\":\"main\",\"file\":\"a.sx\",\"line\":9,\"col\":1,\"text\":\"\"}"
                         "],\"omitted\":0}\n");
    CHECK(json("").substr(0, 14) == "{\"error\":null,");
}

TEST_CASE("json: an excerpt shows that something precedes it") {
    CleanTrace clean;
    Frame frame("f", "a.c", 1, 7, "\ntry f();");
    sx_trace_raise(frame.value());
    CHECK(render(SX_TRACE_STYLE_JSON).find("\"text\":\"…try f();\"") != std::string::npos);
}

TEST_CASE("json: an error without frames") {
    CleanTrace clean;
    CHECK(json("Bad") == "{\"error\":\"Bad\",\"frames\":[],\"omitted\":0}\n");
    CHECK(json("").empty());
}

TEST_CASE("json: links stand on the frame that begins the chain, overflow is counted") {
    CleanTrace clean;
    Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1);
    const std::string frameA = "{\"func\":\"a\",\"file\":\"a.sx\",\"line\":1,\"col\":1,\"text\":\"\"";
    const std::string frameB = "{\"func\":\"b\",\"file\":\"a.sx\",\"line\":2,\"col\":1,\"text\":\"\"";
    sx_trace_raise(a.value());
    sx_trace_raise(b.value());
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_push(b.value());
    sx_trace_raise(b.value());
    sx_trace_link(SX_TRACE_ATTEMPT);
    CHECK(json("E") == "{\"error\":\"E\",\"frames\":[" + frameA + "}," + frameB + ",\"link\":\"cause\"}," + frameB +
                           "}," + frameB + ",\"link\":\"attempt\"}],\"omitted\":0}\n");
    for (int i = 0; i < 33; ++i) sx_trace_push(b.value());
    std::string text = json("E");
    CHECK(text.find("[" + frameA + "}," + frameB + ",\"link\":\"cause\"}," + frameB + ",\"link\":\"attempt\"}," +
                    frameB + "}") != std::string::npos);
    CHECK(text.find("],\"omitted\":2}\n") != std::string::npos);
}

TEST_CASE("json: strings are escaped and always valid UTF-8") {
    CleanTrace clean;
    Frame odd("q\"\\", "t\tn\n\x1b\x7f\xC2\x9b", 1, 1,
              "\xFF"
              "a\xE2\x82"
              "é漢😀\xED\xA0\x80");
    sx_trace_raise(odd.value());
    sx_trace_push(0);
    CHECK(json("\xC3") == "{\"error\":\"\\ufffd\",\"frames\":["
                          "{\"func\":\"q\\\"\\\\\",\"file\":\"t\\u0009n\\u000a\\u001b\\u007f\\u009b\","
                          "\"line\":1,\"col\":1,\"text\":\"\\ufffda\\ufffd\\ufffdé漢😀\\ufffd\\ufffd\\ufffd\"},"
                          "{\"func\":\"\",\"file\":\"\",\"line\":0,\"col\":0,\"text\":\"\"}"
                          "],\"omitted\":0}\n");
}
