#include "source/JsonReader.h"

#include "source/JsonDepth.h"

#include "llvm/Support/JSON.h"

#include <catch2/catch.hpp>

using sx::JsonReader;

namespace {

// clang-format off
const char* const Texts[] = {
    "", " ", "{}", "[]", " [ ] ", "[1]", "[1,]", "[,1]", "[1 2]", "[1,2", "{\"a\":1}", "{\"a\":1,}", "{\"a\" 1}",
    "{a:1}", "{\"a\":}", "{1:2}", "[[],{},[{}]]", "[}", "{]", "[]]", "[] []", "0", "-0", "-", "1.5", "1e", "1e+",
    "1e5", "1E-5", "true", "tru", "truex", "null", "\"", "\"a", "\"a\"", "\"\\", "\"\\\"", "\"\\n\"", "\"\\x\"",
    "\"\\u12\"", "\"\\u12G4\"", "\"\\u0041\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\n\"", "\"\xc3\xa4\"",
    "\"\xc3\"", "\xc3\xa4", "{\"a\":[1,{\"b\":[true,null]}],\"c\":\"\"}", "[\"a\":1]", "{\"a\",1}", "nan",
};
// clang-format on

std::string problemOf(std::string_view text) {
    JsonReader json(text);
    json.skip();
    json.end();
    return json.problem();
}

} // namespace

TEST_CASE("the reader takes what is JSON, and nothing else", "[json]") {
    for (const char* text : Texts) {
        INFO(text);
        llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
        CHECK(problemOf(text).empty() == static_cast<bool>(parsed));
        if (!parsed) llvm::consumeError(parsed.takeError());
    }
    for (const char* text : {"01", "+1", "1.", ".5"}) CHECK_FALSE(problemOf(text).empty()); // LLVM takes these
    CHECK(problemOf("{\n \"a\": [1,\n  2 3]}") == "line 3, column 5: `,` or `]` is expected");
    std::string deep(sx::MaxJsonDepth + 1, '[');
    JsonReader json(deep);
    json.skip();
    CHECK(json.isTooDeep());
    CHECK(problemOf(std::string(sx::MaxJsonDepth, '[') + std::string(sx::MaxJsonDepth, ']')).empty());
}

TEST_CASE("values are read as what they have to be, or passed over", "[json]") {
    JsonReader json(
        R"({"a": "x\ty\u00e4\ud83d\ude00\udc00", "n": [1, -2, 3.0, 1e2, 1.5, 9223372036854775808, "4", true],
                        "other": {"a": [{}]}, "b": true, "w\u006frd": "seen", "none": null})");
    std::string a, word;
    std::vector<int64_t> numbers;
    bool b = false;
    int members = 0;
    CHECK(json.object([&](std::string_view name) {
        ++members;
        if (name == "a") a = json.string().value_or("");
        else if (name == "n") CHECK(json.array([&] { numbers.push_back(json.integer().value_or(-1)); }));
        else if (name == "b") b = json.boolean().value_or(false);
        else if (name == "word") word = json.string().value_or("");
        else if (name == "none") CHECK_FALSE(json.object([](std::string_view) {}));
    }));
    json.end();
    CHECK(json.problem().empty());
    CHECK(a == "x\ty\u00e4\U0001F600\ufffd");
    CHECK(numbers == std::vector<int64_t>{1, -2, 3, 100, -1, -1, -1, -1});
    CHECK(b);
    CHECK(word == "seen");
    CHECK(members == 6);
}
