// Boost.LEAF: the place of the raise, and with BENCH_LEAF_HOPS the place of each hop as well.
#include <boost/leaf.hpp>

#include "measure.h"

namespace leaf = boost::leaf;

struct Place {
    const char* file;
    int line;
    const char* function;
};

struct Hops {
    Place places[LEVELS];
    int count = 0;
};

struct Leaf {
    using Result = leaf::result<uint64_t>;
    using Function = Result (*)(uint64_t);
    static constexpr bool RENDERS = false;

    template <int N> BENCH_NOINLINE static Result level(uint64_t x) {
        if constexpr (N == 0) {
            if (leafFails(x)) return BOOST_LEAF_NEW_ERROR(Error::bad);
            return x;
        } else {
            Result r = table<Leaf>[N - 1](before<N>(x));
#if defined(BENCH_LEAF_HOPS)
            if (!r) return r.load([](Hops& hops) { hops.places[hops.count++] = {__FILE__, __LINE__, __func__}; });
#else
            if (!r) return r.error();
#endif
            return after<N>(*r);
        }
    }

    static uint64_t top(Function f, uint64_t x) {
        return leaf::try_handle_all([&]() -> Result { return f(x); },
#if defined(BENCH_LEAF_HOPS)
                                    [&](Error e, const leaf::e_source_location&, const Hops& hops) {
                                        return handled(x, e) + 2 * static_cast<uint64_t>(hops.places[0].line);
                                    },
#endif
                                    [&](Error e, const leaf::e_source_location&) { return handled(x, e); },
                                    [&] { return x; });
    }
};

int main(int argc, char** argv) { return benchMain<Leaf>(argc, argv); }
