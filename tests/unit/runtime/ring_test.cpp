// The calls of the failing path and the reading side, one chain at a time.
#include <catch2/catch.hpp>

#include "support.hpp"
#include "sx/trace_in_place.h"

using Frames = std::vector<uint64_t>;

TEST_CASE("with nothing in flight everything reads empty") {
    CleanTrace clean;
    sx_trace_chain chain;
    CHECK(sx_trace_len() == 0);
    CHECK(sx_trace_truncated() == 0);
    CHECK(sx_trace_omitted() == 0);
    CHECK(sx_trace_frame_at(0) == 0);
    CHECK(sx_trace_chains() == 0);
    CHECK_FALSE(sx_trace_chain_at(0, &chain));
}

TEST_CASE("raise begins a chain, push goes on with it") {
    CleanTrace clean;
    sx_trace_raise(10);
    sx_trace_push(11);
    sx_trace_push(12);
    CHECK(framesInFlight() == Frames{10, 11, 12});
    CHECK(sx_trace_frame_at(3) == 0);
    CHECK(sx_trace_frame_at(UINT32_MAX) == 0);
    REQUIRE(sx_trace_chains() == 1);
    sx_trace_chain chain = chainAt(0);
    CHECK(chain.origin == 10);
    CHECK(chain.pushed == 3);
    CHECK(chain.omitted == 0);
    CHECK(chain.first == 0);
    CHECK(chain.surviving == 3);
    CHECK(chain.link == SX_TRACE_UNLINKED);
}

TEST_CASE("push with nothing in flight begins a chain") {
    CleanTrace clean;
    sx_trace_push(7);
    CHECK(sx_trace_chains() == 1);
    CHECK(chainAt(0).origin == 7);
    CHECK(framesInFlight() == Frames{7});
}

TEST_CASE("a frame is any number, zero too") {
    CleanTrace clean;
    sx_trace_raise(0);
    sx_trace_push(UINT64_MAX);
    CHECK(framesInFlight() == Frames{0, UINT64_MAX});
}

TEST_CASE("chain_at leaves its result alone out of range") {
    CleanTrace clean;
    sx_trace_raise(1);
    sx_trace_chain chain = {};
    chain.origin = 99;
    CHECK_FALSE(sx_trace_chain_at(1, &chain));
    CHECK(chain.origin == 99);
}

TEST_CASE("a full ring is not truncated") {
    CleanTrace clean;
    raiseChain(100, 32);
    CHECK(sx_trace_len() == 32);
    CHECK(sx_trace_truncated() == 0);
    CHECK(sx_trace_omitted() == 0);
}

TEST_CASE("when only the origin was overwritten nothing is omitted") {
    CleanTrace clean;
    raiseChain(100, 33);
    CHECK(sx_trace_len() == 32);
    CHECK(sx_trace_truncated() == 1);
    CHECK(sx_trace_omitted() == 0);
    CHECK(sx_trace_frame_at(0) == 101);
    CHECK(chainAt(0).origin == 100);
    CHECK(chainAt(0).surviving == 32);
}

TEST_CASE("an overflowing chain keeps both ends and counts the middle") {
    CleanTrace clean;
    raiseChain(100, 42);
    CHECK(sx_trace_len() == 32);
    CHECK(sx_trace_omitted() == 9);
    CHECK(sx_trace_frame_at(0) == 110);
    CHECK(sx_trace_frame_at(31) == 141);
    sx_trace_chain chain = chainAt(0);
    CHECK(chain.origin == 100);
    CHECK(chain.pushed == 42);
    CHECK(chain.omitted == 9);
    CHECK(chain.first == 0);
    CHECK(chain.surviving == 32);
}

TEST_CASE("absorb drops the chain, clear drops all, both are harmless on nothing") {
    CleanTrace clean;
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
    raiseChain(1, 50);
    sx_trace_absorb();
    CHECK(sx_trace_len() == 0);
    CHECK(sx_trace_truncated() == 0);
    CHECK(sx_trace_omitted() == 0);
    CHECK(sx_trace_chains() == 0);
    sx_trace_raise(1);
    sx_trace_raise(2);
    sx_trace_clear();
    sx_trace_clear();
    CHECK(sx_trace_chains() == 0);
    CHECK(sx_trace_len() == 0);
}

TEST_CASE("nothing of a dropped overflow is left in the next chain") {
    CleanTrace clean;
    raiseChain(100, 42);
    sx_trace_absorb();
    raiseChain(500, 2);
    CHECK(framesInFlight() == Frames{500, 501});
    CHECK(sx_trace_truncated() == 0);
    CHECK(sx_trace_omitted() == 0);
}

TEST_CASE("what a thread holds is small") { CHECK(sizeof(sx_trace_thread) <= 1400); }
