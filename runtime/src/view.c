/* Reading what is in flight in the calling thread. */
#include "thread.h"

uint32_t sx_trace_len(void) { return sxi_len(&sx_trace_thread.trace); }

uint32_t sx_trace_truncated(void) { return sxi_oldest(&sx_trace_thread.trace) > 0; }

uint32_t sx_trace_omitted(void) {
    return (uint32_t)sxi_min(sxi_omitted(&sx_trace_thread.trace), UINT32_MAX);
}

uint64_t sx_trace_frame_at(uint32_t i) {
    const sx_trace_snapshot *t = &sx_trace_thread.trace;
    return i < sxi_len(t) ? sxi_frame(t, sxi_oldest(t) + i) : 0;
}

uint32_t sx_trace_chains(void) { return (uint32_t)sxi_chain_count(&sx_trace_thread.trace); }

bool sx_trace_chain_at(uint32_t i, sx_trace_chain *out) {
    const sx_trace_snapshot *t = &sx_trace_thread.trace;
    if (i >= sxi_chain_count(t)) return false;
    *out = sxi_describe_chain(t, t->bottom + i);
    return true;
}
