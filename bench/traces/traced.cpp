// std::expected with error return traces, through sx/trace.h; with BENCH_IN_PLACE hops are recorded without a call.
#include <expected>

#include "measure.h"
#include "sx/trace_inline.h"

// The address of a frame for this line; `source` is the text of the line.
#define FRAME(function, column, source)                                                                              \
    ([]() -> uint64_t {                                                                                              \
        static constexpr sx_frame frame = {                                                                          \
            {__FILE_NAME__, sizeof __FILE_NAME__ - 1}, __LINE__, column, {function, sizeof function - 1}, {source, sizeof source - 1}}; \
        return reinterpret_cast<uint64_t>(&frame);                                                                   \
    }())

inline void hop(uint64_t frame) {
#if defined(BENCH_IN_PLACE)
    sx_trace_push_inline(frame);
#else
    sx_trace_push(frame);
#endif
}

struct Traced {
    using Result = std::expected<uint64_t, Error>;
    using Function = Result (*)(uint64_t);
    static constexpr bool RENDERS = true;

    template <int N>
    BENCH_NOINLINE static Result level(uint64_t x) {
        if constexpr (N == 0) {
            if (leafFails(x)) {
                sx_trace_raise(FRAME("Traced::level<0>", 17, "            if (leafFails(x)) {"));
                return std::unexpected(Error::bad);
            }
            return x;
        } else {
            Result r = table<Traced>[N - 1](before<N>(x));
            if (!r) {
                hop(FRAME("Traced::level<N>", 24, "            Result r = table<Traced>[N - 1](before<N>(x));"));
                return std::unexpected(r.error());
            }
            return after<N>(*r);
        }
    }

    static uint64_t top(Function f, uint64_t x) {
        Result r = f(x);
        if (r) return *r;
        sx_trace_absorb();
        return handled(x, r.error());
    }

    static void keep() { bench::sink += !table<Traced>[LEVELS - 1](1); }
    static void render(int fd) { sx_trace_print(fd); }
};

int main(int argc, char** argv) { return benchMain<Traced>(argc, argv); }
