#include "debugger/protocol/Arguments.h"
#include "debugger/session/Breakpoints.h"

#include <catch2/catch.hpp>

using namespace sx::debugger;

namespace {

llvm::json::Object object(const char* text) { return *llvm::cantFail(llvm::json::parse(text)).getAsObject(); }

} // namespace

TEST_CASE("The first argument of a wrong type is told") {
    llvm::json::Object o = object(R"({"a":"text","b":1,"c":null,"d":[1],"e":-1,"f":true})");
    Arguments a(o);
    CHECK(a.text("a") == "text");
    CHECK(a.integer("b") == 1);
    CHECK(a.optionalText("c") == std::nullopt);
    CHECK(a.flag("f", false));
    CHECK(a.flag("missing", true));
    CHECK(a.ok());
    a.text("b");
    CHECK(a.problem() == "`b` has to be a text");
    a.text("missing");
    CHECK(a.problem() == "`b` has to be a text");

    Arguments b(o);
    b.index("e");
    CHECK(b.problem() == "`e` has to be a number from 0 to 2147483647");
    Arguments c(o, "source.");
    c.text("path");
    CHECK(c.problem() == "`source.path` has to be given: a text");
    Arguments d(o);
    d.texts("d");
    CHECK(d.problem() == "`d` has to be a list of texts");
}

TEST_CASE("Addresses are numbers or texts") {
    llvm::json::Object o = object(R"({"a":4096,"b":"0x1000","c":"4096","d":"0xZ","e":18446744073709551615})");
    Arguments a(o);
    CHECK(a.optionalAddress("a") == 4096u);
    CHECK(a.optionalAddress("b") == 4096u);
    CHECK(a.optionalAddress("c") == 4096u);
    CHECK(a.optionalAddress("e") == UINT64_MAX);
    CHECK(a.ok());
    CHECK(a.optionalAddress("d") == std::nullopt);
    CHECK_FALSE(a.ok());
}

TEST_CASE("Hit conditions") {
    auto holds = [](const char* text, uint64_t hits) { return parseHitCondition(text)->holds(hits); };
    CHECK(holds("3", 3));
    CHECK_FALSE(holds("3", 4));
    CHECK(holds("== 3", 3));
    CHECK(holds(">= 3", 4));
    CHECK_FALSE(holds(">3", 3));
    CHECK(holds("% 2", 4));
    CHECK_FALSE(holds("%2", 3));
    CHECK(parseHitCondition("") == std::nullopt);
    CHECK(parseHitCondition("x") == std::nullopt);
    CHECK(parseHitCondition("% 0") == std::nullopt);
    CHECK(parseHitCondition("< 3") == std::nullopt);
}
