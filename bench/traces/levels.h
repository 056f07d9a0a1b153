// The work that every contender does, and how its functions reach each other.
//
// A contender has 32 levels. Level 0, the leaf, fails if the lowest bit of its input is set in `failMask`. Every other
// level does a little work, calls the level below, and does a little more with the result or passes the failure on.
// The call goes through a table that is filled at run time, so no compiler can inline, clone or merge levels, in any
// language; each level has its own call site, which the processor predicts.
#pragma once

#include <cstdint>
#include <utility>

constexpr int LEVELS = 32;

// 0: nothing fails. 1: everything does, for inputs are odd.
inline uint64_t failMask = 0;

enum class Error : int { none, bad };

// Odd stays odd.
template <int N> inline uint64_t before(uint64_t x) { return x * 6364136223846793005u + 2 * N; }

template <int N> inline uint64_t after(uint64_t value) { return value ^ (value >> 7) ^ N; }

inline bool leafFails(uint64_t x) { return (x & failMask) != 0; }

// What the top makes of a failure: the next input has to depend on it.
inline uint64_t handled(uint64_t x, Error e) { return x * 3 + static_cast<uint64_t>(e); }

#define BENCH_NOINLINE __attribute__((noinline))

// `Contender` has a type Function and a template level<N>.
template <typename Contender> inline typename Contender::Function table[LEVELS];

template <typename Contender, int... N> void fillTable(std::integer_sequence<int, N...>) {
    auto set = [](int n, typename Contender::Function f) {
        *const_cast<typename Contender::Function volatile*>(&table<Contender>[n]) = f;
    };
    (set(N, &Contender::template level<N>), ...);
}
