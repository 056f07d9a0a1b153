/* Reading what is in flight in the calling thread. */
#include "change.h"

uint32_t sx_trace_len(void) { return sxi_len(&sxi_thread()->trace); }

uint32_t sx_trace_truncated(void) {
    const sx_trace_buffer* t = &sxi_thread()->trace;
    for (uint32_t i = 0; i < sxi_chain_count(t); ++i) {
        sx_trace_chain chain = sxi_describe_chain(t, i);
        if (chain.surviving < chain.pushed) return 1;
    }
    return 0;
}

uint32_t sx_trace_omitted(void) { return (uint32_t)sxi_min(sxi_omitted(&sxi_thread()->trace), UINT32_MAX); }

uint64_t sx_trace_frame_at(uint32_t i) {
    const sx_trace_buffer* t = &sxi_thread()->trace;
    return i < sxi_len(t) ? sxi_frame(t, sxi_oldest(t) + i) : 0;
}

uint32_t sx_trace_chains(void) { return sxi_chain_count(&sxi_thread()->trace); }

bool sx_trace_chain_at(uint32_t i, sx_trace_chain* out) {
    const sx_trace_buffer* t = &sxi_thread()->trace;
    if (i >= sxi_chain_count(t)) return false;
    *out = sxi_describe_chain(t, i);
    return true;
}
