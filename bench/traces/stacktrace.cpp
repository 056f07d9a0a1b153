// std::expected, with a Boost.Stacktrace where the error is made.
#include <unistd.h>

#include <boost/stacktrace.hpp>
#include <expected>

#include "measure.h"

struct Stacktrace {
    using Result = std::expected<uint64_t, Error>;
    using Function = Result (*)(uint64_t);
    static constexpr bool RENDERS = true;

    static inline boost::stacktrace::stacktrace stack;

    template <int N> BENCH_NOINLINE static Result level(uint64_t x) {
        if constexpr (N == 0) {
            if (leafFails(x)) {
                stack = boost::stacktrace::stacktrace();
                return std::unexpected(Error::bad);
            }
            return x;
        } else {
            Result r = table<Stacktrace>[N - 1](before<N>(x));
            if (!r) return std::unexpected(r.error());
            return after<N>(*r);
        }
    }

    static uint64_t top(Function f, uint64_t x) {
        Result r = f(x);
        return r ? *r : handled(x, r.error());
    }

    static void keep() { bench::sink += !table<Stacktrace>[LEVELS - 1](1); }
    static void render(int fd) {
        std::string text = to_string(stack);
        bench::sink += static_cast<uint64_t>(write(fd, text.data(), text.size()));
    }
};

int main(int argc, char** argv) { return benchMain<Stacktrace>(argc, argv); }
