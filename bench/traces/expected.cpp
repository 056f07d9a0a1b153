// std::expected, with nothing recorded.
#include <expected>

#include "measure.h"

struct Expected {
    using Result = std::expected<uint64_t, Error>;
    using Function = Result (*)(uint64_t);
    static constexpr bool RENDERS = false;

    template <int N> BENCH_NOINLINE static Result level(uint64_t x) {
        if constexpr (N == 0) {
            if (leafFails(x)) return std::unexpected(Error::bad);
            return x;
        } else {
            Result r = table<Expected>[N - 1](before<N>(x));
            if (!r) return std::unexpected(r.error());
            return after<N>(*r);
        }
    }

    static uint64_t top(Function f, uint64_t x) {
        Result r = f(x);
        return r ? *r : handled(x, r.error());
    }
};

int main(int argc, char** argv) { return benchMain<Expected>(argc, argv); }
