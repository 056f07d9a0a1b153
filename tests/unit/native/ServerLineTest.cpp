#include "debugger/native/plugin/ServerLine.h"

#include <catch2/catch.hpp>

using namespace sx::debugger::native;

namespace {

std::string hex(const std::string& text) {
    std::string out;
    for (char c : text) out += {"0123456789abcdef"[c >> 4 & 15], "0123456789abcdef"[c & 15]};
    return out;
}

/// What a server says of threads 0x11, 0x12 and 0x13, of which 0x12 is at a breakpoint.
std::string report(const std::string& threads) {
    return "$T05thread:p10.12;name:a;threads:11,12,13;jstopinfo:" + hex(threads) +
           ";thread-pcs:00001000,00002000,00003000;06:a0e4ffffff7f0000;10:0020000000000000;reason:breakpoint;#00";
}

constexpr const char* AtBreakpoint = R"(,{"name":"a","reason":"breakpoint","signal":5,"tid":18})";

} // namespace

TEST_CASE("A report of one thread at a breakpoint is read") {
    std::optional<StopReport> one =
        breakpointIn("$T05thread:p10.12;name:a;threads:12;thread-pcs:00002000;06:a0e4ffffff7f0000;10:0020000000000000;"
                     "reason:breakpoint;#00");
    REQUIRE(one);
    CHECK(one->thread == "12");
    CHECK(one->number == 0x12);
    CHECK(one->pc == 0x2000);
    CHECK(one->framePointer == 0x7fffffffe4a0);
    CHECK(one->others.empty());
}

TEST_CASE("Other threads may be at breakpoints at the same time, and nothing else") {
    std::string still = R"([{"name":"\"reason\":\"signal\"","tid":17})";
    std::optional<StopReport> alone = breakpointIn(report(still + AtBreakpoint + R"(,{"name":"c","tid":19}])"));
    REQUIRE(alone);
    CHECK(alone->others.empty());
    std::optional<StopReport> two =
        breakpointIn(report(still + AtBreakpoint + R"(,{"name":"c","reason":"breakpoint","signal":5,"tid":19}])"));
    REQUIRE(two);
    CHECK(two->others == std::vector<uint64_t>{0x3000});
    CHECK_FALSE(
        breakpointIn(report(still + AtBreakpoint + R"(,{"name":"c","reason":"signal","signal":10,"tid":19}])")));
    CHECK_FALSE(breakpointIn(report(R"([{"reason":"trace","tid":17})" + std::string(AtBreakpoint) + "]")));
}

TEST_CASE("Other reports are none of a breakpoint") {
    CHECK_FALSE(breakpointIn("$T05thread:12;threads:12;thread-pcs:00002000;10:0020000000000000;reason:trace;#00"));
    CHECK_FALSE(breakpointIn("$T13thread:12;threads:12;thread-pcs:00002000;10:0020000000000000;reason:breakpoint;#00"));
    CHECK_FALSE(breakpointIn("$T05thread:12;threads:12;thread-pcs:;10:0020000000000000;reason:breakpoint;#00"));
    for (const char* odd : {"", "$", "$T05", "$T05#", "$T05;;:;:#00", "$OK#9a", "$W00#b7", "$T05thread:zz;10:q;#00"})
        CHECK_FALSE(breakpointIn(odd));
}
