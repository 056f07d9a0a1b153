// Plain error codes: the result through a pointer.
#include "measure.h"

struct Codes {
    using Function = Error (*)(uint64_t, uint64_t*);
    static constexpr bool RENDERS = false;

    template <int N> BENCH_NOINLINE static Error level(uint64_t x, uint64_t* out) {
        if constexpr (N == 0) {
            if (leafFails(x)) return Error::bad;
            *out = x;
        } else {
            uint64_t value;
            Error e = table<Codes>[N - 1](before<N>(x), &value);
            if (e != Error::none) return e;
            *out = after<N>(value);
        }
        return Error::none;
    }

    static uint64_t top(Function f, uint64_t x) {
        uint64_t value;
        Error e = f(x, &value);
        return e == Error::none ? value : handled(x, e);
    }
};

int main(int argc, char** argv) { return benchMain<Codes>(argc, argv); }
