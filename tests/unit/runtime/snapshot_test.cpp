// Keeping traces: capture, restore, capture_newest, resume, swap.
#include <catch2/catch.hpp>
#include <thread>

#include "support.hpp"

using Frames = std::vector<uint64_t>;

TEST_CASE("capture copies and drops nothing") {
    CleanTrace clean;
    raiseChain(10, 3);
    sx_trace_snapshot snapshot;
    CHECK(sx_trace_capture(&snapshot) == 3);
    CHECK(framesInFlight() == Frames{10, 11, 12});
    sx_trace_clear();
    sx_trace_restore(&snapshot);
    CHECK(framesInFlight() == Frames{10, 11, 12});
}

TEST_CASE("restore replaces what is in flight, links and losses included") {
    CleanTrace clean;
    raiseChain(10, 5);
    raiseChain(100, 30);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_snapshot snapshot;
    CHECK(sx_trace_capture(&snapshot) == 32);
    sx_trace_clear();
    raiseChain(900, 7);
    sx_trace_restore(&snapshot);
    REQUIRE(sx_trace_chains() == 2);
    CHECK(sx_trace_len() == 32);
    CHECK(sx_trace_omitted() == 2);
    CHECK(chainAt(0).origin == 10);
    CHECK(chainAt(1).origin == 100);
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("an empty snapshot: restoring clears, resuming does nothing") {
    CleanTrace clean;
    sx_trace_snapshot zero = {}, empty;
    CHECK(sx_trace_capture(&empty) == 0);
    CHECK(sx_trace_capture_newest(&empty) == 0);
    sx_trace_raise(1);
    CHECK_FALSE(sx_trace_resume(&empty));
    CHECK_FALSE(sx_trace_resume(&zero));
    CHECK(framesInFlight() == Frames{1});
    sx_trace_restore(&empty);
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("capture_newest takes the newest chain with those it is tied to") {
    CleanTrace clean;
    raiseChain(10, 2);
    raiseChain(20, 2);
    raiseChain(30, 2);
    sx_trace_link(SX_TRACE_ATTEMPT);
    sx_trace_snapshot snapshot;
    CHECK(sx_trace_capture_newest(&snapshot) == 4);
    sx_trace_clear();
    CHECK(sx_trace_resume(&snapshot));
    CHECK(framesInFlight() == Frames{20, 21, 30, 31});
    CHECK(chainAt(0).link == SX_TRACE_UNLINKED);
    CHECK(chainAt(1).link == SX_TRACE_ATTEMPT);
}

TEST_CASE("an error variable inside a handler leaves the error outside alone") {
    CleanTrace clean;
    raiseChain(10, 2); // is being handled
    sx_trace_snapshot last;
    for (uint64_t i = 0; i < 3; ++i) { // last = attempt();
        raiseChain(100 + 10 * i, 2);
        sx_trace_capture_newest(&last);
        sx_trace_absorb();
    }
    CHECK(framesInFlight() == Frames{10, 11});
    REQUIRE(sx_trace_resume(&last)); // raise last;
    sx_trace_push(500);
    sx_trace_link(SX_TRACE_CAUSE);
    CHECK(framesInFlight() == Frames{10, 11, 120, 121, 500});
    CHECK(chainAt(1).link == SX_TRACE_CAUSE);
    sx_trace_absorb();
    CHECK(sx_trace_chains() == 0);
}

TEST_CASE("a variable filled in a handler and raised after it does not bring the handler's back") {
    CleanTrace clean;
    raiseChain(10, 2);
    raiseChain(20, 2);
    sx_trace_snapshot last;
    sx_trace_capture_newest(&last);
    sx_trace_absorb(); // the variable has it
    sx_trace_absorb(); // the handler ends
    REQUIRE(sx_trace_resume(&last));
    CHECK(framesInFlight() == Frames{20, 21});
}

TEST_CASE("a snapshot knows its chain while that is in flight, and no other") {
    CleanTrace clean;
    sx_trace_snapshot kept = {}, second = {}, copy;
    CHECK(sx_trace_find(&kept, 7) == 0);
    sx_trace_raise_error(1, 7);
    sx_trace_capture_newest(&kept);
    copy = kept;
    sx_trace_push(2);
    CHECK(sx_trace_find(&copy, 7) == 1);
    sx_trace_raise_error(3, 7);
    sx_trace_capture_newest(&second);
    CHECK(sx_trace_find(&kept, 7) == 2);
    CHECK(sx_trace_find(&second, 7) == 1);
    CHECK(sx_trace_find(&kept, 8) == 0);
    CHECK_FALSE(sx_trace_resume_error(&kept, 8));
    sx_trace_absorb();
    sx_trace_raise_error(3, 7); // in the place of the one that was there
    CHECK(sx_trace_find(&second, 7) == 0);
    CHECK(sx_trace_find(&kept, 7) == 2);
    CHECK(sx_trace_resume_error(&kept, 7));
    CHECK(framesInFlight() == Frames{1, 2, 3, 1});
    CHECK(sx_trace_find(&kept, 7) == 3);
}

TEST_CASE("what was copied of merged errors is one error, and all of them are counted below") {
    CleanTrace clean;
    sx_trace_snapshot first = {}, merged = {};
    sx_trace_raise(1);
    sx_trace_capture_newest(&first);
    for (uint64_t i = 2; i <= 10; ++i) sx_trace_raise(i);
    CHECK(chainAt(0).errors == 3);
    CHECK(sx_trace_find(&first, 0) == 10);
    CHECK(sx_trace_capture_at(9, &merged) == 1);
    CHECK(sx_trace_capture_at(10, &merged) == 0);
    sx_trace_capture_at(9, &merged);
    sx_trace_clear();
    CHECK(sx_trace_resume(&merged));
    CHECK(chainAt(0).errors == 1);
}

TEST_CASE("an overflowed chain is captured and resumed exactly") {
    CleanTrace clean;
    raiseChain(10, 3);
    raiseChain(100, 42);
    sx_trace_snapshot snapshot;
    CHECK(sx_trace_capture_newest(&snapshot) == 32);
    sx_trace_absorb();
    CHECK(sx_trace_resume(&snapshot));
    CHECK(chainAt(0).origin == 10);
    CHECK(chainAt(0).omitted == 2);
    CHECK(chainAt(1).origin == 100);
    CHECK(chainAt(1).pushed == 42);
    CHECK(chainAt(1).omitted == 9);
    CHECK(sx_trace_omitted() == 11);
}

TEST_CASE("resuming onto much in flight keeps the newest frames and merges the oldest chains") {
    CleanTrace clean;
    for (uint64_t i = 0; i < 8; ++i) raiseChain(1000 + 10 * i, 3);
    sx_trace_snapshot snapshot;
    sx_trace_state outer = {};
    sx_trace_swap(&outer);
    for (uint64_t i = 0; i < 3; ++i) raiseChain(10 * i + 10, 6);
    CHECK(sx_trace_capture(&snapshot) == 18);
    sx_trace_swap(&outer);
    REQUIRE(sx_trace_resume(&snapshot));
    CHECK(sx_trace_chains() == 8);
    CHECK(sx_trace_len() == 32);
    CHECK(chainAt(0).origin == 1000);
    CHECK(chainAt(0).pushed == 12);
    CHECK(chainAt(0).omitted == 9);
    CHECK(framesOfChain(5) == Frames{10, 11, 12, 13, 14, 15});
    CHECK(chainAt(7).origin == 30);
}

TEST_CASE("swap exchanges whole traces, a zero state is an empty one") {
    CleanTrace clean;
    raiseChain(10, 2);
    sx_trace_state fiber = {};
    sx_trace_swap(&fiber);
    CHECK(sx_trace_chains() == 0);
    raiseChain(20, 3);
    sx_trace_swap(&fiber);
    CHECK(framesInFlight() == Frames{10, 11});
    sx_trace_swap(&fiber);
    CHECK(framesInFlight() == Frames{20, 21, 22});
}

TEST_CASE("each thread has its own trace, and a snapshot crosses") {
    CleanTrace clean;
    sx_trace_raise(1);
    sx_trace_snapshot snapshot;
    std::size_t before = 99, captured = 0;
    std::thread worker([&] {
        before = sx_trace_chains();
        raiseChain(10, 3);
        captured = sx_trace_capture(&snapshot);
    });
    worker.join();
    CHECK(before == 0);
    CHECK(captured == 3);
    CHECK(framesInFlight() == Frames{1});
    sx_trace_restore(&snapshot);
    CHECK(framesInFlight() == Frames{10, 11, 12});
}
