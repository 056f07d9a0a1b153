// Handlers: what is dropped and what is linked when one is left, and that hops after it begin chains of their own.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace {

using Frames = std::vector<uint64_t>;

constexpr uint64_t HOP = 900, CAUGHT = 901, PASSED = 902;

} // namespace

TEST_CASE("a handler that ends drops its error, with a hop of its own to be seen meanwhile") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChain(10, 3);
    sx_trace_enter(&handler, CAUGHT);
    CHECK(framesInFlight() == Frames{10, 11, 12, CAUGHT});
    sx_trace_leave(&handler);
    CHECK(sx_trace_chains() == 0);
    raiseChain(20, 1);
    sx_trace_leave(&handler); // a second time: nothing
    CHECK(framesInFlight() == Frames{20});
}

TEST_CASE("an error that leaves a handler is linked to the one it handled, whoever raised it") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChain(10, 2);
    sx_trace_enter(&handler, CAUGHT);
    raiseChain(20, 2);
    sx_trace_leave(&handler);
    CHECK(sx_trace_chains() == 2);
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
    CHECK(framesOfChain(1) == Frames{20, 21});
    sx_trace_push(HOP);
    CHECK(framesOfChain(1) == Frames{20, 21, HOP});
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("an error that was linked by hand stays linked as it is") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChain(1, 1);
    raiseChain(10, 2);
    sx_trace_enter(&handler, CAUGHT);
    raiseChain(20, 2);
    sx_trace_link(SX_TRACE_ATTEMPT);
    sx_trace_leave(&handler);
    CHECK(sx_trace_chains() == 3);
    CHECK(chainAt(1).link == SX_TRACE_UNLINKED);
    CHECK(chainAt(2).link == SX_TRACE_ATTEMPT);
}

TEST_CASE("an error without an origin does not continue the one that is being handled") {
    CleanTrace clean;
    sx_trace_handler handler, inner;
    raiseChain(10, 2);
    sx_trace_enter(&handler, CAUGHT);
    sx_trace_enter(&inner, HOP);
    CHECK(sx_trace_chains() == 2);
    CHECK(framesOfChain(1) == Frames{HOP});
    sx_trace_leave(&inner);
    CHECK(framesInFlight() == Frames{10, 11, CAUGHT});
    sx_trace_push(HOP); // again: leaving the inner handler has put the outer seal back
    CHECK(sx_trace_chains() == 2);
    sx_trace_push(HOP + 5);
    CHECK(framesOfChain(1) == Frames{HOP, HOP + 5});
    sx_trace_leave(&handler);
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
}

TEST_CASE("an error that is passed on goes on, and what was ignored above it is dropped") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChain(10, 2);
    sx_trace_enter(&handler, CAUGHT);
    raiseChain(20, 2);
    raiseChain(30, 2);
    sx_trace_pass(&handler, PASSED);
    CHECK(framesInFlight() == Frames{10, 11, CAUGHT, PASSED});
    sx_trace_push(HOP);
    CHECK(sx_trace_chains() == 1);
    sx_trace_leave(&handler); // of a guard that runs later: nothing
    CHECK(framesInFlight() == Frames{10, 11, CAUGHT, PASSED, HOP});
}

TEST_CASE("a handler whose error somebody dropped drops nothing else") {
    CleanTrace clean;
    sx_trace_handler outer, handler;
    raiseChain(1, 1);
    sx_trace_enter(&outer, CAUGHT);
    raiseChain(10, 2);
    sx_trace_enter(&handler, CAUGHT + 10);
    sx_trace_absorb();
    raiseChain(20, 4);
    sx_trace_leave(&handler);
    CHECK(framesOfChain(1) == Frames{20, 21, 22, 23});
    CHECK(chainAt(1).link == SX_TRACE_UNLINKED);
    sx_trace_absorb();
    sx_trace_push(HOP); // the outer handler is back in force
    CHECK(sx_trace_chains() == 2);
    sx_trace_absorb();
    sx_trace_leave(&outer);
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("chains that had to merge in a handler still count when it is left") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChain(10, 2);
    sx_trace_enter(&handler, CAUGHT);
    for (uint64_t i = 1; i < 12; ++i) raiseChain(100 * i, 2);
    CHECK(sx_trace_chains() == SX_TRACE_CHAINS);
    for (int i = 0; i < 7; ++i) sx_trace_absorb();
    CHECK(chainAt(0).errors == 5);
    for (int i = 0; i < 4; ++i) sx_trace_absorb();
    sx_trace_leave(&handler);
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("a handler knows its error when the ring has gone round") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChain(10, 40);
    sx_trace_enter(&handler, CAUGHT);
    raiseChain(100, 40);
    sx_trace_leave(&handler);
    CHECK(sx_trace_chains() == 2);
    CHECK(chainAt(0).pushed == 41);
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
}

TEST_CASE("a handler survives the switch to another fiber and back") {
    CleanTrace clean;
    sx_trace_state other = {};
    sx_trace_handler handler;
    raiseChain(1, 1);
    raiseChain(10, 2);
    sx_trace_enter(&handler, CAUGHT);
    sx_trace_swap(&other);
    CHECK(sx_trace_chains() == 0);
    raiseChain(50, 3);
    sx_trace_push(HOP); // not sealed here
    CHECK(sx_trace_chains() == 1);
    sx_trace_swap(&other);
    sx_trace_push(HOP);
    CHECK(sx_trace_chains() == 3);
    sx_trace_absorb();
    sx_trace_leave(&handler);
    CHECK(framesInFlight() == Frames{1});
}

TEST_CASE("clearing the trace ends all handlers") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChain(10, 2);
    sx_trace_enter(&handler, CAUGHT);
    sx_trace_clear();
    raiseChain(20, 3);
    sx_trace_push(HOP);
    CHECK(sx_trace_chains() == 1);
    sx_trace_leave(&handler);
    CHECK(framesInFlight() == Frames{20, 21, 22, HOP});
}
