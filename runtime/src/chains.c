/* Reading a trace, a thread's or a snapshot: its frames and chains, and whether it can be one. */
#include "buffer.h"
#include "notes.h"

/* Not above the start of a chain above it: a chain that is just going has no frames. */
uint64_t sxi_chain_start(const sx_trace_buffer* t, uint32_t chain) {
    uint64_t start = t->end;
    for (uint32_t i = sxi_chain_count(t); i-- > chain;) start = sxi_min(start, t->starts[sxi_slot_of(t, i)]);
    return start;
}

uint64_t sxi_chain_end(const sx_trace_buffer* t, uint32_t chain) { return sxi_chain_start(t, chain + 1); }

uint32_t sxi_slot_of(const sx_trace_buffer* t, uint32_t chain) { return sxi_slot(t->stack, chain); }

bool sxi_is_tied(const sx_trace_buffer* t, uint32_t chain) {
    return chain > 0 && (t->links[sxi_slot_of(t, chain)] & SXI_LINK) != SX_TRACE_UNLINKED;
}

uint32_t sxi_group(const sx_trace_buffer* t, uint32_t chain) {
    while (sxi_is_tied(t, chain) && t->counts[sxi_slot_of(t, chain)] == 1) --chain;
    return chain;
}

uint64_t sxi_frames_before(const sx_trace_buffer* t, uint32_t slot) {
    return t->skipped[slot] + (uint64_t)((t->links[slot] & (SXI_APART | SXI_NO_ORIGIN)) == SXI_APART);
}

uint64_t sxi_oldest(const sx_trace_buffer* t) { return sxi_min(sxi_max(t->lost, sxi_chain_start(t, 0)), t->end); }

/* Where two chains start there, the lower has no frames. */
uint64_t sxi_frame(const sx_trace_buffer* t, uint64_t position) {
    for (uint32_t chain = sxi_chain_count(t); chain-- > 0;) {
        if (sxi_chain_start(t, chain) > position) continue;
        uint32_t slot = sxi_slot_of(t, chain);
        bool is_origin = sxi_chain_start(t, chain) == position && !sxi_is_apart(t, slot);
        return is_origin ? t->origins[slot] : t->frames[position % SX_TRACE_FRAMES];
    }
    return 0;
}

sx_trace_chain sxi_describe_chain(const sx_trace_buffer* t, uint32_t chain) {
    uint32_t slot = sxi_slot_of(t, chain);
    uint64_t start = sxi_chain_start(t, chain);
    uint64_t end = sxi_chain_end(t, chain);
    uint64_t oldest = sxi_oldest(t);
    uint64_t alive = sxi_min(sxi_max(start, oldest), end);
    uint64_t lost = alive - start;
    sx_trace_chain out = {
        .origin = t->origins[slot],
        .pushed = end - start + sxi_frames_before(t, slot),
        .omitted = t->skipped[slot] + lost - (lost > 0 && !sxi_is_apart(t, slot)),
        .first = (uint32_t)(sxi_max(alive, oldest) - oldest),
        .surviving = (uint32_t)(end - alive),
        .link = chain > 0 ? t->links[slot] & SXI_LINK : SX_TRACE_UNLINKED,
        .errors = t->counts[slot],
        .error = t->errors[slot],
        .unknown_origin = (t->links[slot] & SXI_UNKNOWN_ORIGIN) != 0,
    };
    return out;
}

bool sxi_has_origin_apart(const sx_trace_chain* chain) { return chain->surviving + chain->omitted < chain->pushed; }

uint64_t sxi_omitted(const sx_trace_buffer* t) {
    uint64_t omitted = 0;
    for (uint32_t i = 0; i < sxi_chain_count(t); ++i) omitted += sxi_describe_chain(t, i).omitted;
    return omitted;
}

bool sxi_is_sound(const sx_trace_snapshot* s) {
    const sx_trace_buffer* t = &s->trace;
    uint32_t count = sxi_chain_count(t);
    if ((t->stack & SXI_SLOTS) != 0 || count > SX_TRACE_CHAINS || t->lost != 0 || t->end > SX_TRACE_FRAMES)
        return false;
    for (uint32_t chain = 0; chain < count; ++chain) {
        uint8_t link = t->links[chain];
        uint64_t end = chain + 1 < count ? t->starts[chain + 1] : t->end;
        if (t->starts[chain] + ((link & SXI_APART) == 0) > end || t->starts[chain] > end || t->counts[chain] == 0)
            return false;
        if (link > SXI_LINK_BITS || (link & SXI_LINK) > SX_TRACE_ATTEMPT) return false;
        if ((link & (SXI_APART | SXI_NO_ORIGIN)) == SXI_NO_ORIGIN) return false;
    }
    if (count == 0 ? t->end != 0 : t->starts[0] != 0) return false;
    return sxi_notes_are_sound(s->notes, t->notes_used, SX_TRACE_KEPT_NOTES);
}
