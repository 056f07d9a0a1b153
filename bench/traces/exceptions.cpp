// C++ exceptions.
#include "measure.h"

struct Exceptions {
    using Function = uint64_t (*)(uint64_t);
    static constexpr bool RENDERS = false;

    template <int N> BENCH_NOINLINE static uint64_t level(uint64_t x) {
        if constexpr (N == 0) {
            if (leafFails(x)) throw Error::bad;
            return x;
        } else {
            return after<N>(table<Exceptions>[N - 1](before<N>(x)));
        }
    }

    static uint64_t top(Function f, uint64_t x) {
        try {
            return f(x);
        } catch (Error e) { return handled(x, e); }
    }
};

int main(int argc, char** argv) { return benchMain<Exceptions>(argc, argv); }
