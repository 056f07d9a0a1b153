// std::expected with error return traces, by the macros of sx/trace.hpp; without SX_TRACE_HOPS_IN_PLACE hops are
// calls.
#include <expected>

#include "measure.h"
#include "sx/trace.hpp"

struct Traced {
    using Result = std::expected<uint64_t, Error>;
    using Function = Result (*)(uint64_t);
    static constexpr bool RENDERS = true;

    template <int N> BENCH_NOINLINE static Result level(uint64_t x) {
        if constexpr (N == 0) {
            if (leafFails(x)) return SX_RAISE(Error::bad);
            return x;
        } else {
            uint64_t value = SX_TRY(table<Traced>[N - 1](before<N>(x)));
            return after<N>(value);
        }
    }

    static uint64_t top(Function f, uint64_t x) {
        Result r = f(x);
        if (r) return *r;
        sx_trace_cold_absorb();
        return handled(x, r.error());
    }

    static void keep() { bench::sink += !table<Traced>[LEVELS - 1](1); }
    static void render(int fd) { sx_trace_print(fd); }
};

int main(int argc, char** argv) { return benchMain<Traced>(argc, argv); }
