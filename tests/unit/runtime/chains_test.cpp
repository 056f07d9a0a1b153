// Several chains in flight: order, links, dropping, merging.
#include <catch2/catch.hpp>

#include "support.hpp"

using Frames = std::vector<uint64_t>;

TEST_CASE("chains stand on each other, push extends the newest") {
    CleanTrace clean;
    raiseChain(10, 2);
    raiseChain(20, 1);
    sx_trace_push(21);
    CHECK(framesInFlight() == Frames{10, 11, 20, 21});
    REQUIRE(sx_trace_chains() == 2);
    CHECK(framesOfChain(0) == Frames{10, 11});
    CHECK(framesOfChain(1) == Frames{20, 21});
    CHECK(chainAt(1).first == 2);
}

TEST_CASE("absorb drops only the newest chain, and push goes on below it") {
    CleanTrace clean;
    raiseChain(10, 2);
    raiseChain(20, 5);
    sx_trace_absorb();
    sx_trace_push(12);
    CHECK(framesInFlight() == Frames{10, 11, 12});
    CHECK(sx_trace_chains() == 1);
}

TEST_CASE("link needs two chains and a kind that exists") {
    CleanTrace clean;
    sx_trace_link(SX_TRACE_CAUSE);
    CHECK(sx_trace_chains() == 0);
    sx_trace_raise(1);
    sx_trace_link(SX_TRACE_CAUSE);
    CHECK(chainAt(0).link == SX_TRACE_UNLINKED);
    sx_trace_raise(2);
    sx_trace_link(0);
    sx_trace_link(3);
    CHECK(chainAt(1).link == SX_TRACE_UNLINKED);
    sx_trace_link(SX_TRACE_ATTEMPT);
    CHECK(chainAt(1).link == SX_TRACE_ATTEMPT);
    CHECK(chainAt(0).link == SX_TRACE_UNLINKED);
}

TEST_CASE("absorb takes along each chain that the newest is tied to") {
    CleanTrace clean;
    sx_trace_raise(1);
    sx_trace_raise(2);
    sx_trace_raise(3);
    sx_trace_link(SX_TRACE_ATTEMPT);
    sx_trace_raise(4);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_absorb();
    CHECK(framesInFlight() == Frames{1});
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("a chain on top of linked ones is dropped alone") {
    CleanTrace clean;
    sx_trace_raise(1);
    sx_trace_raise(2);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_raise(3);
    sx_trace_absorb();
    CHECK(framesInFlight() == Frames{1, 2});
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
}

TEST_CASE("an error that leaves two handlers ties both of their errors") {
    CleanTrace clean;
    sx_trace_raise(1); // being handled
    sx_trace_raise(2); // being handled in that handler
    sx_trace_raise(3); // leaves the inner handler
    sx_trace_link(SX_TRACE_CAUSE);
    CHECK(chainAt(1).link == SX_TRACE_UNLINKED);
    sx_trace_link(SX_TRACE_CAUSE); // and the outer one
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
    CHECK(chainAt(2).link == SX_TRACE_CAUSE);
    sx_trace_link(SX_TRACE_ATTEMPT); // no chain is left
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("a later attempt that is itself a pair keeps its own link") {
    CleanTrace clean;
    sx_trace_raise(1); // first operand
    sx_trace_raise(2); // second operand: an error ...
    sx_trace_raise(3); // ... and another while it was handled
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_link(SX_TRACE_ATTEMPT);
    CHECK(chainAt(1).link == SX_TRACE_ATTEMPT);
    CHECK(chainAt(2).link == SX_TRACE_CAUSE);
}

TEST_CASE("a link is not inherited by the next chain in its place") {
    CleanTrace clean;
    sx_trace_raise(1);
    sx_trace_raise(2);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_absorb();
    sx_trace_raise(3);
    sx_trace_raise(4);
    CHECK(chainAt(1).link == SX_TRACE_UNLINKED);
}

TEST_CASE("frames that a dropped chain overwrote are gone, and counted") {
    CleanTrace clean;
    raiseChain(10, 5);
    raiseChain(100, 30); // overwrites 10, 11, 12
    CHECK(sx_trace_omitted() == 2);
    sx_trace_absorb();
    CHECK(framesInFlight() == Frames{13, 14});
    CHECK(sx_trace_truncated() == 1);
    CHECK(sx_trace_omitted() == 2);
    CHECK(chainAt(0).origin == 10);
    CHECK(chainAt(0).pushed == 5);
    sx_trace_push(15);
    CHECK(framesInFlight() == Frames{13, 14, 15});
}

TEST_CASE("a chain overwritten completely still shows its origin and goes on") {
    CleanTrace clean;
    raiseChain(10, 5);
    raiseChain(100, 200);
    sx_trace_absorb();
    CHECK(sx_trace_len() == 0);
    REQUIRE(sx_trace_chains() == 1);
    CHECK(sx_trace_truncated() == 1);
    CHECK(sx_trace_omitted() == 4);
    sx_trace_chain chain = chainAt(0);
    CHECK(chain.origin == 10);
    CHECK(chain.surviving == 0);
    CHECK(chain.omitted == 4);
    raiseChain(300, 2);
    sx_trace_absorb();
    sx_trace_push(15);
    CHECK(framesInFlight() == Frames{15});
    CHECK(sx_trace_omitted() == 4);
}

TEST_CASE("each chain's omitted frames are its own") {
    CleanTrace clean;
    raiseChain(10, 5);
    raiseChain(20, 5);
    raiseChain(100, 30); // leaves 8 of the ten frames overwritten
    CHECK(chainAt(0).omitted == 4);
    CHECK(chainAt(1).omitted == 2);
    CHECK(chainAt(2).omitted == 0);
    CHECK(framesOfChain(0) == Frames{});
    CHECK(framesOfChain(1) == Frames{23, 24});
    CHECK(sx_trace_omitted() == 6);
}

TEST_CASE("with more than eight chains the two oldest merge") {
    CleanTrace clean;
    for (uint64_t i = 0; i < 8; ++i) raiseChain(10 * i + 10, 2);
    CHECK(sx_trace_chains() == 8);
    sx_trace_raise(90);
    REQUIRE(sx_trace_chains() == 8);
    CHECK(framesOfChain(0) == Frames{10, 11});
    CHECK(chainAt(0).origin == 10);
    CHECK(chainAt(0).pushed == 4);
    CHECK(chainAt(0).omitted == 2);
    CHECK(chainAt(0).errors == 2);
    CHECK(framesOfChain(7) == Frames{90});
    for (int i = 0; i < 7; ++i) sx_trace_absorb();
    CHECK(framesInFlight() == Frames{10, 11});
    sx_trace_absorb();
    CHECK(framesInFlight() == Frames{10, 11});
    CHECK(chainAt(0).errors == 1);
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("the frames of a chain that was merged away count as omitted") {
    CleanTrace clean;
    for (uint64_t i = 0; i < 9; ++i) raiseChain(10 * i + 10, 1);
    CHECK(sx_trace_len() == 8);
    CHECK(sx_trace_omitted() == 1);
    for (uint64_t i = 0; i < 25; ++i) sx_trace_push(1000 + i); // overwrites 10
    CHECK(sx_trace_len() == 32);
    CHECK(sx_trace_omitted() == 1);
    CHECK(chainAt(0).origin == 10);
    CHECK(chainAt(0).omitted == 1);
}

TEST_CASE("tied chains that merge stand for one error, and links above them stay") {
    CleanTrace clean;
    sx_trace_raise(1);
    sx_trace_raise(2);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_raise(3);
    sx_trace_link(SX_TRACE_CAUSE);
    for (uint64_t i = 4; i <= 9; ++i) sx_trace_raise(i);
    REQUIRE(sx_trace_chains() == 8);
    CHECK(chainAt(0).errors == 1);
    CHECK(chainAt(0).link == SX_TRACE_UNLINKED);
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
    for (int i = 0; i < 6; ++i) sx_trace_absorb();
    CHECK(framesInFlight() == Frames{1, 3});
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("a group of more than eight chains is one error, whether they were tied before they merged or after") {
    CleanTrace clean;
    uint64_t chains = GENERATE(8, 9, 10, 20);
    bool before = GENERATE(true, false);
    uint64_t below = GENERATE(0, 1, 3);
    for (uint64_t i = 0; i < below; ++i) sx_trace_raise(1000 + i);
    for (uint64_t i = 1; i <= chains; ++i) {
        sx_trace_raise(i);
        if (before && i > 1) sx_trace_link(SX_TRACE_ATTEMPT);
    }
    for (uint64_t i = 1; !before && i < chains; ++i) sx_trace_link(SX_TRACE_CAUSE);
    uint64_t absorbed = 0;
    for (; sx_trace_chains() > 0; ++absorbed) sx_trace_absorb();
    CHECK(absorbed == below + 1);
}

TEST_CASE("many chains and many frames cost nothing and stay exact") {
    CleanTrace clean;
    for (uint64_t i = 0; i < 100000; ++i) sx_trace_raise(i);
    CHECK(sx_trace_chains() == 8);
    CHECK(chainAt(0).origin == 0);
    CHECK(chainAt(0).pushed == 100000 - 7);
    CHECK(sx_trace_omitted() == 100000 - 8);
    CHECK(chainAt(0).errors == 100000 - 7);
}
