// Signal handlers that use the runtime while they interrupt it.
#include <sys/time.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>

#include "intruder.hpp"
#include "support.hpp"

namespace {

// Interrupts this thread every 50 microseconds while it lives.
class Ticker {
public:
    Ticker() {
        struct sigaction action = {};
        action.sa_handler = Intruder::handle;
        sigaction(SIGALRM, &action, &before_);
        itimerval every = {{0, 50}, {0, 50}};
        setitimer(ITIMER_REAL, &every, nullptr);
    }
    ~Ticker() {
        itimerval never = {};
        setitimer(ITIMER_REAL, &never, nullptr);
        sigaction(SIGALRM, &before_, nullptr);
    }

private:
    struct sigaction before_;
};

// Surviving frames are those that were pushed last, without a gap, and all is accounted for.
bool looksExact(uint64_t pushed) {
    sx_trace_chain chain;
    uint32_t len = sx_trace_len();
    for (uint32_t i = 0; i < len; ++i) {
        if (sx_trace_frame_at(i) != pushed - len + i + 1) return false;
    }
    return sx_trace_chain_at(0, &chain) && chain.origin == 1 && chain.pushed == pushed && chain.surviving == len &&
           chain.link == SX_TRACE_UNLINKED;
}

// Looks again when a handler came between: it may have overwritten frames.
bool isExact(uint64_t pushed) {
    bool exact;
    sig_atomic_t before;
    do {
        before = Intruder::runs;
        exact = looksExact(pushed);
    } while (Intruder::runs != before);
    return exact;
}

// One round of everything: a chain of up to 40 frames, others on top that come and go.
bool round() {
    sx_trace_snapshot kept;
    sx_trace_raise(1);
    for (uint64_t pushed = 1; pushed < 40; sx_trace_push(++pushed)) {
        if (!isExact(pushed)) return false;
    }
    sx_trace_raise(70);
    sx_trace_link(SX_TRACE_CAUSE);
    if (chainAt(1).origin != 70 || chainAt(1).link != SX_TRACE_CAUSE) return false;
    sx_trace_capture(&kept);
    sx_trace_restore(&kept);
    sx_trace_capture_newest(&kept);
    sx_trace_absorb();
    sx_trace_resume(&kept);
    sx_trace_raise(80);
    sx_trace_absorb();
    if (sx_trace_chains() != 2 || chainAt(1).origin != 70 || chainAt(0).pushed != 40) return false;
    sx_trace_absorb();
    return sx_trace_chains() == 0;
}

void runInterrupted(int chains, uint64_t frames) {
    CleanTrace clean;
    Intruder::become(chains, frames);
    bool exact = true;
    {
        Ticker ticker;
        auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
        while (exact && std::chrono::steady_clock::now() < end) exact = round();
    }
    CHECK(exact);
    CHECK(Intruder::seenWrong == 0);
    CHECK(Intruder::runs > 10);
}

void printFromHandler(int) { sx_trace_print(STDERR_FILENO); }

} // namespace

TEST_CASE("a handler's errors leave what they interrupt exact") { runInterrupted(1, 3); }

TEST_CASE("so do handlers that fill the ring") { runInterrupted(2, 40); }

TEST_CASE("a trace is printed from a signal handler") {
    Environment style("SX_TRACE", nullptr), color("SX_TRACE_COLOR", "never");
    Frame frame("main", "a.sx", 3, 1, "try f();");
    Outcome outcome = runInChild([&] {
        signal(SIGUSR1, printFromHandler);
        sx_trace_raise(frame.value());
        raise(SIGUSR1);
    });
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "error return trace (most recent call last):\n"
                         "  main at a.sx:3:1\n"
                         "    try f();\n"
                         "    ^\n");
}
