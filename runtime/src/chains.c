/* Reading a trace, a thread's or a snapshot: its frames and chains, and whether it can be one. */
#include "buffer.h"

/* Where two chains start there, the lower has no frames. */
uint64_t sxi_frame(const sx_trace_snapshot *t, uint64_t position) {
    for (uint64_t chain = t->top; chain-- > t->bottom;) {
        if (sxi_chain_start(t, chain) == position) return sxi_chain_origin(t, chain);
    }
    return t->frames[position % SX_TRACE_FRAMES];
}

sx_trace_chain sxi_describe_chain(const sx_trace_snapshot *t, uint64_t chain) {
    uint64_t start = sxi_chain_start(t, chain);
    uint64_t end = sxi_max(start, sxi_chain_end(t, chain));
    uint64_t oldest = sxi_oldest(t);
    uint64_t alive = sxi_min(sxi_max(start, oldest), end);
    bool tied = sxi_is_tied(t, chain);
    sx_trace_chain out = {
        .origin = sxi_chain_origin(t, chain),
        .pushed = end - start,
        .omitted = alive > start ? alive - start - 1 : 0,
        .first = alive > oldest ? (uint32_t)(alive - oldest) : 0,
        .surviving = (uint32_t)(end - alive),
        .link = tied ? t->links[chain % SX_TRACE_CHAINS] - SXI_UNLINKED : SX_TRACE_UNLINKED,
    };
    return out;
}

uint64_t sxi_omitted(const sx_trace_snapshot *t) {
    uint64_t omitted = 0;
    for (uint64_t i = 0; i < sxi_chain_count(t); ++i) {
        omitted += sxi_describe_chain(t, t->bottom + i).omitted;
    }
    return omitted;
}

static bool is_link(uint8_t link) { return link >= SXI_UNLINKED && link <= SXI_ATTEMPT; }

bool sxi_is_sound(const sx_trace_snapshot *s) {
    if (s->bottom != 0 || s->top > SX_TRACE_CHAINS) return false;
    if (s->end > SXI_POSITIONS || s->lost > s->end || s->end - s->lost > SX_TRACE_FRAMES) return false;
    uint64_t start = 0;
    for (uint64_t chain = 1; chain < s->top; ++chain) {
        if (!is_link(s->links[chain]) || s->starts[chain] <= start) return false;
        start = s->starts[chain];
    }
    return s->top == 0 ? s->end == 0 : start < s->end;
}
