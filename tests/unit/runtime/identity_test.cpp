// Chains that know their error: hops find their chain, groups come to the top, handlers keep theirs.
#include <catch2/catch.hpp>
#include <cstring>

#include "support.hpp"

namespace {

using Frames = std::vector<uint64_t>;

constexpr uint64_t identity(uint64_t value) { return value | uint64_t(1) << 63; }
constexpr uint64_t A = identity(1), B = identity(2), C = identity(3);

void raiseChainOf(uint64_t error, uint64_t first, uint64_t count) {
    sx_trace_raise_error(first, error);
    for (uint64_t i = 1; i < count; ++i) sx_trace_push(first + i);
}

} // namespace

TEST_CASE("a hop of a known error goes to its chain, which comes to the top") {
    CleanTrace clean;
    raiseChainOf(A, 10, 2);
    raiseChainOf(B, 20, 3);
    sx_trace_push_error(12, A);
    CHECK(framesInFlight() == Frames{20, 21, 22, 10, 11, 12});
    CHECK(chainAt(1).error == A);
    sx_trace_push_error(23, B);
    CHECK(framesInFlight() == Frames{10, 11, 12, 20, 21, 22, 23});
    sx_trace_absorb();
    CHECK(framesInFlight() == Frames{10, 11, 12});
}

TEST_CASE("a chain of unknown error takes that of the hop, a hop of unknown error goes to the newest") {
    CleanTrace clean;
    raiseChainOf(A, 10, 1);
    raiseChain(20, 1);
    sx_trace_push_error(21, A);
    CHECK(chainAt(1).error == A);
    CHECK(framesOfChain(1) == Frames{20, 21});
    sx_trace_push_error(22, 0);
    sx_trace_push(23);
    CHECK(framesOfChain(1) == Frames{20, 21, 22, 23});
    sx_trace_rename(B);
    sx_trace_push_error(11, A);
    CHECK(framesOfChain(1) == Frames{10, 11});
    CHECK(chainAt(0).error == B);
}

TEST_CASE("an error that is not in flight begins a chain of unknown origin") {
    CleanTrace clean;
    sx_trace_push_error(10, A);
    CHECK(chainAt(0).unknown_origin);
    CHECK(chainAt(0).error == A);
    sx_trace_push_error(20, B);
    CHECK(sx_trace_chains() == 2);
    CHECK(chainAt(1).unknown_origin);
    sx_trace_raise_error(30, C);
    CHECK_FALSE(chainAt(2).unknown_origin);
}

TEST_CASE("of equal errors the newest is taken") {
    CleanTrace clean;
    raiseChainOf(A, 10, 1);
    raiseChainOf(A, 20, 1);
    raiseChainOf(B, 30, 1);
    sx_trace_push_error(21, A);
    CHECK(framesInFlight() == Frames{10, 30, 20, 21});
}

TEST_CASE("a group moves with what it is tied to, and what is tied to it is untied and stays") {
    CleanTrace clean;
    raiseChainOf(identity(9), 1, 1);
    raiseChainOf(A, 10, 2);
    raiseChainOf(B, 20, 2);
    sx_trace_link(SX_TRACE_CAUSE);
    raiseChainOf(C, 30, 2);
    sx_trace_link(SX_TRACE_ATTEMPT);
    sx_trace_push_error(22, B);
    CHECK(framesInFlight() == Frames{1, 30, 31, 10, 11, 20, 21, 22});
    CHECK(chainAt(1).link == SX_TRACE_UNLINKED);
    CHECK(chainAt(2).link == SX_TRACE_UNLINKED);
    CHECK(chainAt(3).link == SX_TRACE_CAUSE);
    sx_trace_absorb();
    CHECK(framesInFlight() == Frames{1, 30, 31});
}

TEST_CASE("a move loses no frame, whatever was lost before") {
    CleanTrace clean;
    raiseChainOf(A, 100, 10);
    raiseChainOf(B, 200, 40); // all of A but its origin is overwritten
    sx_trace_push_error(110, A);
    CHECK(chainAt(1).origin == 100);
    CHECK(chainAt(1).pushed == 11);
    CHECK(chainAt(1).omitted == 9);
    CHECK(framesOfChain(1) == Frames{110});
    CHECK(chainAt(0).origin == 200);
    CHECK(chainAt(0).pushed == 40);
    CHECK(chainAt(0).surviving == 31); // the hop took one
    CHECK(framesOfChain(0).back() == 239);
    CHECK(sx_trace_len() == 32);
    sx_trace_push_error(0, B); // brings it to the top, and nothing else
    CHECK(framesOfChain(1).back() == 239);
    CHECK(chainAt(1).surviving == 31);
    CHECK(framesOfChain(0) == Frames{110});
}

TEST_CASE("merged errors are not found") {
    CleanTrace clean;
    for (uint64_t i = 0; i < 9; ++i) raiseChainOf(identity(100 + i), 10 * (i + 1), 1);
    CHECK(chainAt(0).errors == 2);
    CHECK(chainAt(0).error == identity(100));
    sx_trace_push_error(1000, identity(100));
    CHECK(framesOfChain(7) == Frames{1000});
    CHECK(chainAt(7).unknown_origin);
    CHECK(chainAt(0).errors == 3);
}

TEST_CASE("a chain without frames is linked, absorbed and counted like any other") {
    CleanTrace clean;
    raiseChainOf(A, 10, 2);
    sx_trace_raise_error(0, B);
    CHECK(sx_trace_chains() == 2);
    CHECK(chainAt(1).pushed == 0);
    CHECK(chainAt(1).origin == 0);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_push(20);
    CHECK(framesOfChain(1) == Frames{20});
    CHECK_FALSE(chainAt(1).unknown_origin);
    for (uint64_t i = 1; i < 40; ++i) sx_trace_push(20 + i);
    CHECK(chainAt(1).omitted == 8);
    CHECK(framesOfChain(1).front() == 28);
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("what a handler has in hand is not found by a hop") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChainOf(A, 10, 2);
    raiseChainOf(B, 20, 1);
    sx_trace_enter_error(&handler, 12, A);
    CHECK(framesInFlight() == Frames{20, 10, 11, 12});
    sx_trace_push_error(30, A); // of an error of the same value, which nobody raised
    CHECK(sx_trace_chains() == 3);
    CHECK(chainAt(2).unknown_origin);
    sx_trace_absorb();
    sx_trace_push_error(21, B); // passes over the one in hand
    CHECK(framesInFlight() == Frames{10, 11, 12, 20, 21});
    sx_trace_pass(&handler, 13);
    CHECK(framesInFlight() == Frames{20, 21, 10, 11, 12, 13});
    sx_trace_push_error(14, A);
    CHECK(framesOfChain(1) == Frames{10, 11, 12, 13, 14});
}

TEST_CASE("a handler finds its chain where a move has put it") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChainOf(B, 20, 1);
    raiseChainOf(A, 10, 2);
    sx_trace_enter_error(&handler, 12, A);
    sx_trace_push_error(21, B); // an older error leaves the block
    sx_trace_leave(&handler);
    CHECK(framesInFlight() == Frames{20, 21});
    CHECK(chainAt(0).error == B);
}

TEST_CASE("a handler that an exception passes through drops its chain and what began in it") {
    CleanTrace clean;
    sx_trace_handler handler;
    raiseChainOf(C, 1, 1);
    raiseChainOf(A, 10, 1);
    sx_trace_enter_error(&handler, 11, A);
    raiseChainOf(B, 20, 2);
    sx_trace_push_error(2, C);
    sx_trace_unwind(&handler);
    CHECK(framesInFlight() == Frames{1, 2});
    sx_trace_unwind(&handler); // once
    sx_trace_leave(&handler);
    CHECK(framesInFlight() == Frames{1, 2});
}

TEST_CASE("rewinding to a mark drops what began since and forgets the handlers") {
    CleanTrace clean;
    sx_trace_handler skipped;
    raiseChainOf(A, 10, 1);
    uint64_t mark = sx_trace_mark();
    raiseChainOf(B, 20, 2);
    raiseChainOf(C, 30, 1);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_push_error(11, A);
    sx_trace_enter(&skipped, 12);
    sx_trace_rewind(mark);
    CHECK(framesInFlight() == Frames{10, 11, 12});
    sx_trace_push_error(13, A);
    CHECK(framesInFlight() == Frames{10, 11, 12, 13});
    sx_trace_rewind(mark);
    CHECK(sx_trace_chains() == 1);
}

TEST_CASE("nested causes ten deep and a hundred errors in flight are counted exactly") {
    CleanTrace clean;
    for (uint64_t i = 0; i < 10; ++i) {
        sx_trace_raise_error(10 + i, i + 1);
        if (i > 0) sx_trace_link(SX_TRACE_CAUSE);
    }
    CHECK(sx_trace_chains() == 8);
    CHECK(chainAt(0).errors == 1); // all of one group
    CHECK(sx_trace_omitted() == 2);
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
    for (uint64_t i = 0; i < 100; ++i) sx_trace_raise_error(1000 + i, identity(i));
    CHECK(chainAt(0).errors == 93);
    CHECK(chainAt(0).pushed == 93);
    CHECK(sx_trace_omitted() == 92);
    for (int i = 0; i < 99; ++i) sx_trace_absorb();
    CHECK(framesInFlight() == Frames{1000});
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("a group below the newest can be captured") {
    CleanTrace clean;
    raiseChainOf(A, 10, 2);
    raiseChainOf(B, 20, 1);
    raiseChainOf(C, 30, 1);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_snapshot snapshot;
    CHECK(sx_trace_capture_at(0, &snapshot) == 2);
    CHECK(sx_trace_capture_at(1, &snapshot) == 2);
    CHECK(sx_trace_resume(&snapshot));
    CHECK(framesOfChain(3) == Frames{10, 11});
    CHECK(chainAt(3).error == A);
    CHECK(sx_trace_capture_at(3, &snapshot) == 0);
    CHECK_FALSE(sx_trace_resume(&snapshot));
}
