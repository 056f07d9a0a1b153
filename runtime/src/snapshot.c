/* Copying chains out of a thread's trace and back on top of it. */
#include "registers.h"

#include "thread.h"

static void copy_nothing(sx_trace_snapshot *out) {
    out->first_origin = out->lost = out->end = out->bottom = out->top = 0;
    out->merged = 0;
}

/* Positions and chain numbers of a snapshot count from its own first frame and chain. Chains
 * without frames, which only a signal handler finds, stay behind. */
static void copy_chains(sx_trace_snapshot *out, const sx_trace_snapshot *t, uint64_t first) {
    uint64_t base = sxi_chain_start(t, first);
    uint64_t oldest = sxi_max(sxi_oldest(t), base);
    for (uint64_t chain = first; chain < t->top; ++chain) {
        uint64_t slot = out->top;
        uint64_t start = sxi_chain_start(t, chain);
        if (start >= sxi_chain_end(t, chain)) continue;
        out->origins[slot] = sxi_chain_origin(t, chain);
        out->starts[slot] = start - base;
        out->links[slot] = t->links[chain % SX_TRACE_CHAINS];
        ++out->top;
    }
    for (uint64_t position = oldest; position < t->end; ++position) {
        *sxi_frame_slot(out, position - base) = t->frames[position % SX_TRACE_FRAMES];
    }
    out->lost = oldest - base;
    out->end = t->end - base;
}

/* Copies all chains or the newest group; again from the start when a signal handler that raised
 * errors of its own has come between. */
static size_t capture(sx_trace_snapshot *out, bool newest) {
    const sx_trace_snapshot *t = &sx_trace_thread.trace;
    uint64_t begun;
    do {
        begun = sx_trace_thread.begun;
        sxi_step();
        copy_nothing(out);
        if (sxi_chain_count(t) != 0) {
            copy_chains(out, t, newest ? sxi_newest_group(t) : t->bottom);
        }
        sxi_step();
    } while (sx_trace_thread.begun != begun);
    return sxi_len(out);
}

/* Counts `frames` more as pushed to the newest chain, and all of it and below as overwritten.
 * A signal handler in between must not take `lost` back to where `end` still is. */
static void skip_lost(struct sx_trace_thread *thread, uint64_t frames) {
    sx_trace_snapshot *t = &thread->trace;
    uint64_t before = thread->floor;
    uint64_t end = sxi_max(t->end, sxi_min(t->end + frames, SXI_POSITIONS / 2));
    thread->floor = sxi_max(before, end);
    sxi_step();
    sxi_raise_to(&t->lost, end);
    sxi_step();
    t->end = end;
    sxi_step();
    thread->floor = before;
}

/* Goes the way of the error again, so that each step is as sound as the first time. */
static void append_chain(struct sx_trace_thread *thread, const sx_trace_snapshot *s, uint64_t chain) {
    uint64_t position = sxi_chain_start(s, chain);
    uint64_t end = sxi_chain_end(s, chain);
    sxi_raise(sxi_chain_origin(s, chain));
    if (sxi_is_tied(s, chain)) {
        uint64_t slot = (thread->trace.top - 1) % SX_TRACE_CHAINS;
        thread->trace.links[slot] = s->links[chain % SX_TRACE_CHAINS];
    }
    if (position < s->lost) {
        uint64_t lost = sxi_min(end, s->lost) - position - 1;
        skip_lost(thread, lost);
        position += lost;
    }
    while (++position < end) sxi_push(s->frames[position % SX_TRACE_FRAMES]);
}

/* False for an empty snapshot, and for one that no capture has made. */
static bool append_chains(const sx_trace_snapshot *s) {
    if (!sxi_is_sound(s) || s->top == 0) return false;
    for (uint64_t chain = 0; chain < s->top; ++chain) append_chain(&sx_trace_thread, s, chain);
    return true;
}

static void restore(const sx_trace_snapshot *snapshot) {
    sxi_clear();
    append_chains(snapshot);
}

SX_TRACE_COLD void sx_trace_restore(const sx_trace_snapshot *snapshot) { restore(snapshot); }

void sx_trace_swap(sx_trace_state *mine) {
    sx_trace_state before;
    capture(&before.trace, false);
    before.sealed = sx_trace_thread.sealed;
    restore(&mine->trace);
    sx_trace_thread.sealed = mine->sealed <= sx_trace_thread.trace.end ? mine->sealed : 0;
    *mine = before;
}

/* Those with a result are ordinary functions behind stubs that keep registers. */
#if defined(SXI_KEEPS_REGISTERS)
#define HIDDEN __attribute__((used, visibility("hidden")))
HIDDEN size_t sxi_capture(sx_trace_snapshot *out);
HIDDEN size_t sxi_capture_newest(sx_trace_snapshot *out);
HIDDEN bool sxi_resume(const sx_trace_snapshot *snapshot);
SXI_KEEPS_REGISTERS("sx_trace_capture", "sxi_capture");
SXI_KEEPS_REGISTERS("sx_trace_capture_newest", "sxi_capture_newest");
SXI_KEEPS_REGISTERS("sx_trace_resume", "sxi_resume");
#define PUBLIC(result, name) result sxi_##name
#else
#define PUBLIC(result, name) SX_TRACE_COLD result sx_trace_##name
#endif

PUBLIC(size_t, capture)(sx_trace_snapshot *out) { return capture(out, false); }

PUBLIC(size_t, capture_newest)(sx_trace_snapshot *out) { return capture(out, true); }

PUBLIC(bool, resume)(const sx_trace_snapshot *snapshot) {
    return append_chains(snapshot);
}
