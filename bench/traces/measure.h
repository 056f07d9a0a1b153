// The clock and the command line of a contender: `contender METRIC…` prints a line `METRIC VALUE` for each, one sample.
//
//   success_8  ns for a call through 8 levels that succeeds
//   fail_D     ns for a call through D levels that fails in the lowest and is handled above the highest; D = 1, 8, 31
//   render     two lines, render_first and render_later: µs to write what a failure through 32 levels left behind
//   peak       KB that the process has had in memory
//
// A contender is a struct with
//   static uint64_t top(Function f, uint64_t x)   calls f, handles its failure, returns a number made of either
//   static void keep()                            fails through 32 levels and keeps what can be rendered (with RENDERS)
//   static void render(int fd)                    writes that
#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "levels.h"

namespace bench {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Each call waits for the one before, as its input depends on it.
template <typename Contender> BENCH_NOINLINE uint64_t callMany(typename Contender::Function f, uint64_t count) {
    uint64_t x = 1;
    for (uint64_t i = 0; i < count; ++i) x = Contender::top(f, x) | 1;
    return x;
}

// For tools that count instructions: the region to be counted.
template <typename Contender> BENCH_NOINLINE uint64_t countedRegion(typename Contender::Function f) {
    return callMany<Contender>(f, 1000);
}

inline uint64_t sink;

template <typename Contender> double nsPerCall(int depth, bool failing) {
    failMask = failing ? 1 : 0;
    typename Contender::Function f = table<Contender>[depth - 1];
    uint64_t count = 16;
    double fastest = 0;
    // Batches of at least 1 ms; shorter ones before it warm up. The sample is the fastest of ten, for other programs on
    // the machine only ever make one slower.
    for (int batches = 0; batches < 10;) {
        Clock::time_point start = Clock::now();
        sink += callMany<Contender>(f, count);
        double seconds = secondsSince(start);
        if (seconds < 0.001) {
            count *= 2;
            continue;
        }
        double ns = seconds / static_cast<double>(count) * 1e9;
        if (batches++ == 0 || ns < fastest) fastest = ns;
    }
    failMask = 0;
    return fastest;
}

template <typename Contender> void measureRendering() {
    if constexpr (Contender::RENDERS) {
        constexpr int LATER = 20;
        int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
        failMask = 1;
        Contender::keep();
        failMask = 0;
        Clock::time_point start = Clock::now();
        Contender::render(fd);
        std::printf("render_first %.2f\n", secondsSince(start) * 1e6);
        double fastest = 0;
        for (int batch = 0; batch < 10; ++batch) {
            start = Clock::now();
            for (int i = 0; i < LATER; ++i) Contender::render(fd);
            double us = secondsSince(start) * 1e6 / LATER;
            if (batch == 0 || us < fastest) fastest = us;
        }
        std::printf("render_later %.2f\n", fastest);
    }
}

template <typename Contender> void measure(const char* metric) {
    int depth = 0;
    if (std::sscanf(metric, "success_%d", &depth) == 1) {
        std::printf("%s %.3f\n", metric, nsPerCall<Contender>(depth, false));
    } else if (std::sscanf(metric, "fail_%d", &depth) == 1) {
        std::printf("%s %.3f\n", metric, nsPerCall<Contender>(depth, true));
    } else if (std::strcmp(metric, "render") == 0) {
        measureRendering<Contender>();
    } else if (std::strcmp(metric, "count") == 0) {
        sink += countedRegion<Contender>(table<Contender>[7]);
    } else if (std::strcmp(metric, "peak") == 0) {
        rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        std::printf("peak %ld\n", usage.ru_maxrss);
    }
}

} // namespace bench

template <typename Contender> int benchMain(int argc, char** argv) {
    fillTable<Contender>(std::make_integer_sequence<int, LEVELS>());
    for (int i = 1; i < argc; ++i) bench::measure<Contender>(argv[i]);
    return 0;
}
