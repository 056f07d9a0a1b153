// Two threads with traces of their own, handing a snapshot over. Built with the thread sanitizer,
// together with the runtime's sources.
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "sx/trace.h"

namespace {

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

void work(uint64_t base, sx_trace_snapshot* out) {
    char text[512];
    for (uint64_t i = 0; i < 20000; ++i) {
        sx_trace_raise(base);
        for (uint64_t hop = 1; hop < 40; ++hop) sx_trace_push(base + hop);
        sx_trace_raise(base + 50);
        sx_trace_link(SX_TRACE_CAUSE);
        require(sx_trace_len() == 32 && sx_trace_chains() == 2, "each thread counts its own");
        require(sx_trace_frame_at(31) == base + 50, "each thread sees its own");
        if (i % 1000 == 0) sx_trace_format(text, sizeof text, nullptr, nullptr);
        sx_trace_capture(out);
        sx_trace_absorb();
        require(sx_trace_chains() == 0, "absorb");
    }
}

} // namespace

int main() {
    sx_trace_snapshot theirs = {}, mine = {};
    std::thread other([&] { work(1000, &theirs); });
    work(2000, &mine);
    other.join();
    sx_trace_restore(&theirs);
    require(sx_trace_frame_at(31) == 1050, "a snapshot crosses threads");
    require(sx_trace_omitted() == 8, "with its counts");
    return 0;
}
