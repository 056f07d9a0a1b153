// std::expected, with the stack captured by backtrace() where the error is made.
#include <execinfo.h>

#include <expected>

#include "measure.h"

struct Backtrace {
    using Result = std::expected<uint64_t, Error>;
    using Function = Result (*)(uint64_t);
    static constexpr bool RENDERS = true;

    static inline void* frames[64];
    static inline int count;

    template <int N> BENCH_NOINLINE static Result level(uint64_t x) {
        if constexpr (N == 0) {
            if (leafFails(x)) {
                count = backtrace(frames, 64);
                return std::unexpected(Error::bad);
            }
            return x;
        } else {
            Result r = table<Backtrace>[N - 1](before<N>(x));
            if (!r) return std::unexpected(r.error());
            return after<N>(*r);
        }
    }

    static uint64_t top(Function f, uint64_t x) {
        Result r = f(x);
        return r ? *r : handled(x, r.error());
    }

    static void keep() { bench::sink += !table<Backtrace>[LEVELS - 1](1); }
    static void render(int fd) { backtrace_symbols_fd(frames, count, fd); }
};

int main(int argc, char** argv) { return benchMain<Backtrace>(argc, argv); }
