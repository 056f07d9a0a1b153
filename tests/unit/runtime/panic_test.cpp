// Run-time failures of compiled programs.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>

#include "panic.h"
#include "stack.h"
#include "support.hpp"

namespace {

const sx_frame AT = {{"dir/a.sx", 8}, 12, 7, {}, {}};

std::string panicLine(const std::function<void()>& body) {
    Environment color("SX_TRACE_COLOR", "never"), style("SX_TRACE", nullptr);
    Outcome outcome = runInChild(body);
    CHECK(WIFSIGNALED(outcome.status));
    CHECK(WTERMSIG(outcome.status) == SIGABRT);
    return outcome.err;
}

} // namespace

TEST_CASE("a panic says what and where, then aborts") {
    CleanTrace clean;
    CHECK(panicLine([] { sx_panic_message(&AT, "division by zero", 16); }) ==
          "panic: division by zero at dir/a.sx:12:7\n");
    CHECK(panicLine([] { sx_panic_index(&AT, 5, 3); }) ==
          "panic: index 5 out of range for length 3 at dir/a.sx:12:7\n");
    CHECK(panicLine([] { sx_panic_index(&AT, INT64_MIN, INT64_MAX); }) ==
          "panic: index -9223372036854775808 out of range for length 9223372036854775807"
          " at dir/a.sx:12:7\n");
    CHECK(panicLine([] { sx_panic_slice(&AT, 2, -1, 0); }) ==
          "panic: slice 2..-1 out of range for length 0 at dir/a.sx:12:7\n");
}

TEST_CASE("the trace in flight follows") {
    CleanTrace clean;
    Frame frame("main", "a.sx", 3, 5, "try f();");
    sx_trace_raise(frame.value());
    CHECK(panicLine([] { sx_panic_message(&AT, "reached unreachable code", 24); }) ==
          "panic: reached unreachable code at dir/a.sx:12:7\n"
          "error return trace (most recent call last):\n"
          "  main at a.sx:3:5\n"
          "    try f();\n"
          "        ^\n");
}

TEST_CASE("a panic without a place, with control characters, with a closed stderr") {
    CleanTrace clean;
    CHECK(panicLine([] { sx_panic_message(nullptr, "gone", 4); }) == "panic: gone\n");
    CHECK(panicLine([] { sx_panic_message(&AT, "a\x1b\xC2\x9bé", 6); }) ==
          "panic: a\\x1b\\x9bé at dir/a.sx:12:7\n");
    CHECK(panicLine([] {
              close(STDERR_FILENO);
              sx_panic_index(&AT, 1, 1);
          }).empty());
}

TEST_CASE("a message that is too long is cut, its line is not") {
    CleanTrace clean;
    std::string what(10000, 'x');
    std::string line = panicLine([&] { sx_panic_message(&AT, what.data(), what.size()); });
    CHECK(line.size() == 4096);
    CHECK(line.back() == '\n');
}

namespace {

/// Uses the stack up; volatile, so that no loop is made of it.
int descend(volatile int* depth) {
    volatile char frame[512];
    frame[0] = static_cast<char>(*depth);
    *depth = *depth + 1;
    return *depth < 0 ? 0 : descend(depth) + frame[0];
}

} // namespace

TEST_CASE("a used-up stack ends in a panic, with the trace in flight") {
    CleanTrace clean;
    Frame frame("main", "a.sx", 3, 5, "try f();");
    CHECK(panicLine([] {
              sx_stack_watch();
              int depth = 0;
              descend(&depth);
          }) == "panic: stack overflow\n");
    sx_trace_raise(frame.value());
    CHECK(panicLine([] { sx_stack_overflow(); }).starts_with("panic: stack overflow\nerror return trace"));
}

#ifndef __SANITIZE_ADDRESS__ // which reports such an access itself
TEST_CASE("any other bad access stays the signal that it is") {
    for (auto body : {+[] { *reinterpret_cast<volatile int*>(8) = 1; }, +[] { std::raise(SIGSEGV); }}) {
        Outcome outcome = runInChild([body] {
            sx_stack_watch();
            sx_stack_watch();
            body();
        });
        CHECK(WIFSIGNALED(outcome.status));
        CHECK(WTERMSIG(outcome.status) == SIGSEGV);
        CHECK(outcome.err.empty());
    }
}
#endif
