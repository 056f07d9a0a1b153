/* The failing path: beginning, extending, linking and dropping chains. See buffer.h for the layout
 * and thread.h for the order of the steps. */
#include "registers.h"

#include "debugger.h"
#include "thread.h"

SX_TRACE_API __thread struct sx_trace_thread sx_trace_thread __attribute__((tls_model("initial-exec")));

/* Makes room for a frame at position `end`, by giving up what is in its slot. */
static inline void make_room(sx_trace_snapshot *t) {
    uint64_t position = t->end;
    uint64_t limit = sxi_max(position, sx_trace_thread.floor);
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
    t->merged = 1;
    if (start >= t->lost) *sxi_frame_slot(t, start) = second_origin;
    sxi_step();
    sxi_raise_to(&t->bottom, second);
    sxi_step();
    t->links[bottom % SX_TRACE_CHAINS] = SXI_VACANT;
    sxi_step();
}

static inline void begin_chain(sx_trace_snapshot *t, uint64_t origin) {
    ++sx_trace_thread.begun;
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

SX_TRACE_COLD void sx_trace_raise(uint64_t frame) { begin_chain(&sx_trace_thread.trace, frame); }

/* A hop that begins a chain, or has to give up an older frame, or finds none left. Apart, so that the
 * usual hop saves few registers. What follows an error that is being handled belongs to another error:
 * one whose origin nobody recorded, if it was not raised. */
static SX_TRACE_COLD __attribute__((noinline)) void push_slowly(uint64_t frame) {
    sx_trace_snapshot *t = &sx_trace_thread.trace;
    if (sxi_chain_count(t) == 0 || t->end == sx_trace_thread.sealed) {
        sxi_raise(frame);
    } else {
        append_hop(t, frame);
    }
}

/* sx/trace_calls.h has the same in assembly. */
SX_TRACE_COLD void sx_trace_push(uint64_t frame) {
    sx_trace_snapshot *t = &sx_trace_thread.trace;
    uint64_t end = t->end;
    /* The first comparison says that a frame survives, so there is a chain, and that fewer than all
     * slots are in use. With nothing in flight `end` is 0, and `lost` may stand above it. */
    if (end - t->lost - 1 >= SX_TRACE_FRAMES - 1 || end == sx_trace_thread.sealed) {
        push_slowly(frame);
        return;
    }
    *sxi_frame_slot(t, end) = frame;
    sxi_step();
    t->end = end + 1;
}

SX_TRACE_COLD void sx_trace_link(uint32_t kind) {
    sx_trace_snapshot *t = &sx_trace_thread.trace;
    if (kind != SX_TRACE_CAUSE && kind != SX_TRACE_ATTEMPT) return;
    if (sxi_chain_count(t) == 0) return;
    uint64_t chain = sxi_newest_group(t);
    if (chain == t->bottom) return;
    t->links[chain % SX_TRACE_CHAINS] = kind == SX_TRACE_CAUSE ? SXI_CAUSE : SXI_ATTEMPT;
}

/* Drops chain `first` and all above it. */
static inline void drop_chains(sx_trace_snapshot *t, uint64_t first) {
    uint64_t top = t->top;
    uint64_t end = sxi_chain_start(t, first);
    if (end < sx_trace_thread.sealed) sx_trace_thread.sealed = 0;
    sxi_step();
    t->end = end;
    sxi_step();
    for (uint64_t chain = first; chain < top; ++chain) {
        t->links[chain % SX_TRACE_CHAINS] = SXI_VACANT;
    }
    if (first == t->bottom) t->merged = 0;
    sxi_step();
    t->top = first;
    /* Signal handlers may have merged with chains of their own all that is left below. */
    if (sxi_chain_count(t) == 0) t->end = 0;
}

SX_TRACE_COLD void sx_trace_absorb(void) {
    sx_trace_snapshot *t = &sx_trace_thread.trace;
    if (sxi_chain_count(t) > 0) drop_chains(t, sxi_newest_group(t));
}

void sx_trace_clear(void) {
    sx_trace_snapshot *t = &sx_trace_thread.trace;
    if (sxi_chain_count(t) > 0) drop_chains(t, t->bottom);
}

extern __typeof__(sx_trace_raise) sxi_raise __attribute__((alias("sx_trace_raise")));
extern __typeof__(sx_trace_push) sxi_push __attribute__((alias("sx_trace_push")));
extern __typeof__(sx_trace_absorb) sxi_absorb __attribute__((alias("sx_trace_absorb")));
extern __typeof__(sx_trace_clear) sxi_clear __attribute__((alias("sx_trace_clear")));

/* For compilers that cannot be told which registers a function keeps. */
SXI_INLINE_ENTRY("sx_trace_inline_raise", "sx_trace_raise");
SXI_INLINE_ENTRY("sx_trace_inline_push", "sx_trace_push");
SXI_INLINE_ENTRY("sx_trace_inline_link", "sx_trace_link");
SXI_INLINE_ENTRY("sx_trace_inline_absorb", "sx_trace_absorb");
