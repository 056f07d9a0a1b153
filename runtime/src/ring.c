/* The failing path: beginning, extending, linking and dropping chains. See buffer.h for the layout
 * and thread.h for the order of the steps. */
#include "registers.h"

#include "debugger.h"
#include "thread.h"

_Thread_local struct sxi_thread sxi_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Makes room for a frame at position `end`, by giving up what is in its slot. */
static inline void make_room(sx_trace_snapshot *t) {
    uint64_t position = t->end;
    uint64_t limit = sxi_max(position, sxi_thread.floor);
    if (t->lost > limit) {
        t->lost = limit;
    } else if (position + 1 > t->lost + SX_TRACE_FRAMES) {
        sxi_raise_to(&t->lost, position + 1 - SX_TRACE_FRAMES);
    }
    sxi_step();
}

static inline void append_hop(sx_trace_snapshot *t, uint64_t frame) {
    make_room(t);
    *sxi_frame_slot(t, t->end) = frame;
    sxi_step();
    t->end = t->end + 1;
}

/* Merges the two oldest chains. The origin of the upper one becomes a hop: it goes to the ring.
 * All is read first. When a handler has merged them meanwhile the work is done; when it does so
 * later it writes the same. */
static void merge_oldest(sx_trace_snapshot *t) {
    uint64_t bottom = t->bottom;
    uint64_t second = bottom + 1;
    uint64_t first_origin = sxi_chain_origin(t, bottom);
    uint64_t second_origin = t->origins[second % SX_TRACE_CHAINS];
    uint64_t start = t->starts[second % SX_TRACE_CHAINS];
    sxi_step();
    if (t->bottom != bottom) return;
    t->first_origin = first_origin;
    sxi_step();
    t->merged = true;
    if (start >= t->lost) *sxi_frame_slot(t, start) = second_origin;
    sxi_step();
    sxi_raise_to(&t->bottom, second);
    sxi_step();
    t->links[bottom % SX_TRACE_CHAINS] = SXI_VACANT;
    sxi_step();
}

static inline void begin_chain(sx_trace_snapshot *t, uint64_t origin) {
    ++sxi_thread.begun;
    uint64_t count = sxi_chain_count(t);
    if (count == SX_TRACE_CHAINS) merge_oldest(t);
    if (count == 0) {
        t->bottom = t->top;
        t->end = 0;
    }
    uint64_t chain = t->top;
    uint64_t slot = chain % SX_TRACE_CHAINS;
    t->top = chain + 1;
    sxi_step();
    t->origins[slot] = origin;
    t->starts[slot] = t->end;
    sxi_step();
    t->links[slot] = SXI_UNLINKED;
    sxi_step();
    make_room(t);
    t->end = t->end + 1;
}

SX_TRACE_COLD void sx_trace_raise(uint64_t frame) { begin_chain(&sxi_thread.trace, frame); }

SX_TRACE_COLD void sx_trace_push(uint64_t frame) {
    sx_trace_snapshot *t = &sxi_thread.trace;
    if (sxi_chain_count(t) == 0) {
        begin_chain(t, frame);
    } else {
        append_hop(t, frame);
    }
}

SX_TRACE_COLD void sx_trace_link(uint32_t kind) {
    sx_trace_snapshot *t = &sxi_thread.trace;
    if (kind != SX_TRACE_CAUSE && kind != SX_TRACE_ATTEMPT) return;
    if (sxi_chain_count(t) == 0) return;
    uint64_t chain = sxi_newest_group(t);
    if (chain == t->bottom) return;
    t->links[chain % SX_TRACE_CHAINS] = kind == SX_TRACE_CAUSE ? SXI_CAUSE : SXI_ATTEMPT;
}

/* Drops chain `first` and all above it. */
static inline void drop_chains(sx_trace_snapshot *t, uint64_t first) {
    uint64_t top = t->top;
    t->end = sxi_chain_start(t, first);
    sxi_step();
    for (uint64_t chain = first; chain < top; ++chain) {
        t->links[chain % SX_TRACE_CHAINS] = SXI_VACANT;
    }
    if (first == t->bottom) t->merged = false;
    sxi_step();
    t->top = first;
}

SX_TRACE_COLD void sx_trace_absorb(void) {
    sx_trace_snapshot *t = &sxi_thread.trace;
    if (sxi_chain_count(t) > 0) drop_chains(t, sxi_newest_group(t));
}

void sx_trace_clear(void) {
    sx_trace_snapshot *t = &sxi_thread.trace;
    if (sxi_chain_count(t) > 0) drop_chains(t, t->bottom);
}
