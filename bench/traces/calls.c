/* What single calls of the trace library cost, in nanoseconds: the fastest of 200 batches. Rows of README.md. */
#define _GNU_SOURCE
#define SX_TRACE_HOPS_IN_PLACE
#include "sx/trace.h"
#include "sx/trace_calls.h"
#include "values.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>

enum { BATCHES = 200, ROUNDS = 1000 };
static const uint64_t A = 1 | UINT64_C(1) << 63, B = 2 | UINT64_C(1) << 63;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define MEASURE(name, operations, ...) \
    do { \
        double best = 1e18; \
        for (int batch = 0; batch < BATCHES; ++batch) { \
            double begin = now(); \
            for (int i = 0; i < ROUNDS; ++i) { __VA_ARGS__ } \
            double each = (now() - begin) / ROUNDS / (operations); \
            if (each < best) best = each; \
        } \
        printf("%-40s %8.2f\n", name, best); \
    } while (0)

#define EIGHT(x) x x x x x x x x

/* `with text = "1x5", at = 1, base = 10`, as a failing path of a program with --trace-values does it. */
static void record_values(void) {
    static const sx_type number = {.category = 1, .size = 8, .align = 8, .bits = 64};
    static const sx_type string = {.category = 4, .size = 16, .align = 8};
    static const struct {
        int64_t count;
        const sx_error_names* errors;
        sx_parameter items[3];
    } parameters = {3, NULL, {{{"text", 4}, &string, 1}, {{"at", 2}, &number, 0}, {{"base", 4}, &number, 0}}};
    static const sx_string text = {"1x5", 3};
    const uint64_t words[3] = {(uint64_t)(uintptr_t)&text, 1, 10};
    sx_program_values((const sx_parameters*)&parameters, words);
}

int main(void) {
    static const sx_frame frames[2] = {{{"a.c", 3}, 1, 1, {"f", 1}, {"return f();", 11}},
                                       {{"a.c", 3}, 2, 1, {"g", 1}, {"return g();", 11}}};
    uint64_t f = (uint64_t)(uintptr_t)&frames[0], g = (uint64_t)(uintptr_t)&frames[1];
    MEASURE("raise and absorb", 1, sx_trace_raise(f); sx_trace_absorb(););
    MEASURE("raise_error and absorb", 1, sx_trace_raise_error(f, A); sx_trace_absorb(););
    MEASURE("8 hops in place, raise and absorb", 1, sx_trace_raise_error(f, A);
            EIGHT(sx_trace_cold_push(f);) sx_trace_absorb(););
    MEASURE("the same with identity", 1, sx_trace_raise_error(f, A);
            EIGHT(sx_trace_cold_push_error(f, A);) sx_trace_absorb(););
    MEASURE("8 hops by call, raise and absorb", 1, sx_trace_raise_error(f, A);
            EIGHT(sx_trace_push(f);) sx_trace_absorb(););
    MEASURE("the same with identity", 1, sx_trace_raise_error(f, A);
            EIGHT(sx_trace_push_error(f, A);) sx_trace_absorb(););
    MEASURE("raise, note and absorb", 1, sx_trace_raise(f); sx_trace_note("while loading a.conf", 20);
            sx_trace_absorb(););
    MEASURE("raise, 3 values and absorb", 1, sx_trace_raise(f); record_values(); sx_trace_absorb(););
    sx_trace_raise_error(f, A), sx_trace_raise_error(f, B);
    MEASURE("a hop that moves its chain", 2, sx_trace_push_error(f, A); sx_trace_push_error(f, B););
    sx_trace_clear();
    for (int i = 0; i < 8; ++i) sx_trace_raise(f), sx_trace_push(g);
    MEASURE("raise with eight in flight", 1, sx_trace_raise(f););
    sx_trace_clear();
    sx_trace_snapshot kept;
    sx_trace_raise(f), sx_trace_push(f);
    MEASURE("capture_newest", 1, sx_trace_capture_newest(&kept););
    sx_trace_clear();
    for (int i = 0; i < 32; ++i) sx_trace_push(i % 2 == 0 ? f : g);
    int null = open("/dev/null", O_WRONLY);
    double begin = now();
    sx_trace_print(null);
    printf("%-40s %8.2f\n", "first report of 32 frames", now() - begin);
    double best = 1e18;
    for (int i = 0; i < 1000; ++i) {
        begin = now();
        sx_trace_print(null);
        if (now() - begin < best) best = now() - begin;
    }
    printf("%-40s %8.2f\n", "later ones", best);
    return 0;
}
