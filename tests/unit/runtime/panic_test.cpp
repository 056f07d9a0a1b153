// Run-time failures of compiled programs.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>

#include "fault.h"
#include "functions.h"
#include "panic.h"
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
    CHECK(panicLine([] { sx_panic_message(&AT, "a\x1b\xC2\x9bé", 6); }) == "panic: a\\x1b\\x9bé at dir/a.sx:12:7\n");
    CHECK(panicLine([] { sx_panic_message(nullptr, "a\u202Ab\u202Ec\u2066d\u2069e", 17); }) ==
          "panic: a\\u202ab\\u202ec\\u2066d\\u2069e\n");
    CHECK(panicLine([] { sx_panic_message(nullptr, "\u2029\u202F\u2065\u206A\xE2\x80", 14); }) ==
          "panic: \u2029\u202F\u2065\u206A\xE2\x80\n");
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
              sx_fault_watch();
              int depth = 0;
              descend(&depth);
          }) == "panic: stack overflow\n");
    sx_trace_raise(frame.value());
    CHECK(panicLine([] { sx_stack_overflow(nullptr); }).starts_with("panic: stack overflow\nerror return trace"));
}

TEST_CASE("a null pointer, and a failure somewhere in a function") {
    CleanTrace clean;
    CHECK(panicLine([] { sx_panic_null(&AT); }) == "panic: null pointer at dir/a.sx:12:7\n");
    sx_frame function = AT;
    function.func = {"walk", 4};
    CHECK(panicLine([&] { sx_panic_in(&function, "SIGILL", 6); }) == "panic: SIGILL in walk at dir/a.sx:12:7\n");
    CHECK(panicLine([] { sx_panic_in(&AT, "SIGILL", 6); }) == "panic: SIGILL at dir/a.sx:12:7\n");
    CHECK(panicLine([&] { sx_stack_overflow(&function); }) == "panic: stack overflow in walk at dir/a.sx:12:7\n");
}

TEST_CASE("functions are found by any address of their code") {
    alignas(8) static char code[64];
    static sx_function table[2];
    auto distance = [](const void* to, const void* from) {
        return static_cast<int32_t>(reinterpret_cast<intptr_t>(to) - reinterpret_cast<intptr_t>(from));
    };
    table[0] = {distance(code + 32, &table[0]), 16, "second", "a.sx", 4, 1};
    table[1] = {distance(code, &table[1]), 32, "first", "a.sx", 1, 1};
    sx_functions_add(table, sizeof table);
    auto nameAt = [](const char* pc) {
        sx_frame found{};
        bool isKnown = sx_function_at(reinterpret_cast<uintptr_t>(pc), &found);
        return isKnown ? std::string(found.func.ptr, static_cast<size_t>(found.func.len)) : std::string("none");
    };
    CHECK(nameAt(code) == "first");
    CHECK(nameAt(code + 31) == "first");
    CHECK(nameAt(code + 32) == "second");
    CHECK(nameAt(code + 48) == "none");
    CHECK(nameAt(nullptr) == "none");
}

#ifndef __SANITIZE_ADDRESS__ // which reports such an access itself
TEST_CASE("any other fault says what it was, and aborts") {
    CleanTrace clean;
    static const int constant = 1;
    auto line = [](void (*body)()) {
        return panicLine([body] {
            sx_fault_watch();
            sx_fault_watch();
            body();
        });
    };
    CHECK(line([] { *reinterpret_cast<volatile int*>(0x1238) = 1; }) ==
          "panic: invalid memory access at address 0x1238\n");
    CHECK(line([] { *reinterpret_cast<volatile int*>(0x1234567812345678) = 1; }) == "panic: SIGSEGV\n");
    CHECK(line([] { *const_cast<volatile int*>(&constant) = 2; }) == "panic: write to constant memory\n");
    CHECK(line([] { __builtin_trap(); }) == "panic: SIGILL\n");
    CHECK(line([] { abort(); }) == "panic: SIGABRT\n");
    // Said once.
    CHECK(line([] { sx_panic_message(nullptr, "gone", 4); }) == "panic: gone\n");
}

TEST_CASE("a fault in the report of a fault ends the process") {
    CleanTrace clean;
    CHECK(panicLine([] {
              sx_fault_watch();
              sx_trace_raise(8); // no frame: showing the trace fails
              __builtin_trap();
          }).starts_with("panic: SIGILL\n"));
}

TEST_CASE("a signal that was sent stays what it is") {
    Outcome outcome = runInChild([] {
        sx_fault_watch();
        kill(getpid(), SIGSEGV);
    });
    CHECK(WIFSIGNALED(outcome.status));
    CHECK(WTERMSIG(outcome.status) == SIGSEGV);
    CHECK(outcome.err.empty());
}
#endif
