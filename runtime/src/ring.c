/* The failing path: beginning, extending, linking and dropping chains. See buffer.h for the layout
 * and thread.h for the order of the steps. */
#include "registers.h"

#include "change.h"
#include "debugger.h"
#include "notes.h"

SX_TRACE_API __thread struct sx_trace_thread sx_trace_thread __attribute__((tls_model("initial-exec")));

/* For what comes seldom: as small as the rest of the library. */
#define SMALL __attribute__((cold))

/* Makes room for a frame at position `end`, by giving up what is in its slot. */
static inline void make_room(sx_trace_buffer* t) {
    uint64_t position = t->end;
    if (t->lost > position) {
        t->lost = position;
    } else if (position + 1 > t->lost + SX_TRACE_FRAMES) {
        sxi_raise_to(&t->lost, position + 1 - SX_TRACE_FRAMES);
    }
    sxi_step();
}

static inline void append_hop(sx_trace_buffer* t, uint64_t frame) {
    make_room(t);
    *sxi_frame_slot(t, t->end) = frame;
    sxi_step();
    t->end = t->end + 1;
}

void sxi_begin_chain(struct sx_trace_thread* thread, uint64_t frame, uint64_t error, uint8_t flags) {
    sx_trace_buffer* t = &thread->trace;
    for (uint64_t stack;;) {
        stack = t->stack;
        sxi_step();
        uint32_t count = sxi_count(stack);
        if (count == SX_TRACE_CHAINS) {
            sxi_merge_oldest(thread);
            continue;
        }
        if (count == 0) t->end = 0;
        uint32_t slot = sxi_slot(stack, count);
        t->origins[slot] = frame;
        t->starts[slot] = t->end;
        t->errors[slot] = error;
        t->skipped[slot] = 0;
        t->counts[slot] = 1;
        t->numbers[slot] = (uint32_t)(stack / SXI_GENERATION + 1);
        t->depths[slot] = 0;
        t->notes_from[slot] = sxi_notes_mark(t);
        t->links[slot] = flags;
        sxi_step();
        if (sxi_replace_64(&t->stack, stack, stack + SXI_GENERATION + SXI_ONE_CHAIN)) break;
    }
    if ((flags & SXI_APART) == 0) {
        make_room(t);
        t->end = t->end + 1;
    }
    t->error = error;
}

SMALL void sxi_append_hop(struct sx_trace_thread* thread, uint64_t frame) { append_hop(&thread->trace, frame); }

SX_TRACE_COLD void sx_trace_raise_error(uint64_t frame, uint64_t error) {
    sxi_begin_chain(sxi_thread_in_place(), frame, error, frame == 0 ? SXI_APART | SXI_NO_ORIGIN : 0);
}

SX_TRACE_COLD void sx_trace_raise(uint64_t frame) { sxi_begin_chain(sxi_thread_in_place(), frame, 0, 0); }

/* The newest chain is one to add hops to. What follows an error that is being handled belongs to another error: one
 * whose origin nobody recorded, if it was not raised. */
static inline bool is_open(const sx_trace_buffer* t) {
    uint32_t count = sxi_chain_count(t);
    return count > 0 && t->depths[sxi_slot_of(t, count - 1)] == 0;
}

/* A hop that begins a chain, or has to give up an older frame, or finds none left. Apart, so that the
 * usual hop saves few registers. */
static SX_TRACE_COLD SMALL __attribute__((noinline)) void push_slowly(uint64_t frame) {
    struct sx_trace_thread* thread = sxi_thread();
    if (is_open(&thread->trace)) {
        append_hop(&thread->trace, frame);
    } else {
        sxi_begin_chain(thread, frame, 0, SXI_UNKNOWN_ORIGIN);
    }
}

/* A hop into the newest chain where there is nothing else to do. False where there may be: with nothing in flight
 * `end` is 0, and `lost` may stand above it; else fewer than all slots have to be in use. sx/trace_calls.h has the
 * same in assembly. */
static inline bool push_fast(sx_trace_buffer* t, uint64_t frame) {
    uint64_t end = t->end;
    if (end - t->lost - 1 >= SX_TRACE_FRAMES - 1 || end == t->sealed) return false;
    *sxi_frame_slot(t, end) = frame;
    sxi_step();
    t->end = end + 1;
    return true;
}

SX_TRACE_COLD void sx_trace_push(uint64_t frame) {
    if (!push_fast(&sx_trace_thread.trace, frame)) push_slowly(frame);
}

/* The highest chain of this error that a hop may go to; UINT32_MAX if there is none. */
static inline uint32_t find(const sx_trace_buffer* t, uint64_t error) {
    for (uint32_t chain = sxi_chain_count(t); chain-- > 0;) {
        uint32_t slot = sxi_slot_of(t, chain);
        if (t->errors[slot] == error && t->depths[slot] == 0 && t->counts[slot] == 1) return chain;
    }
    return UINT32_MAX;
}

static inline void set_error(sx_trace_buffer* t, uint64_t error) {
    t->errors[sxi_slot_of(t, sxi_chain_count(t) - 1)] = error;
    sxi_step();
    t->error = error;
}

static SX_TRACE_COLD SMALL __attribute__((noinline)) void push_error_slowly(uint64_t frame, uint64_t error) {
    struct sx_trace_thread* thread = sxi_thread();
    sx_trace_buffer* t = &thread->trace;
    bool open = is_open(t);
    uint64_t newest = open ? t->errors[sxi_slot_of(t, sxi_chain_count(t) - 1)] : 0;
    if (open && (error == 0 || newest == 0 || newest == error)) {
        if (error != 0) set_error(t, error);
    } else {
        uint32_t chain = error != 0 ? find(t, error) : UINT32_MAX;
        if (chain == UINT32_MAX) {
            uint8_t flags = frame == 0 ? SXI_UNKNOWN_ORIGIN | SXI_APART | SXI_NO_ORIGIN : SXI_UNKNOWN_ORIGIN;
            sxi_begin_chain(thread, frame, error, flags);
            return;
        }
        sxi_bring_to_top(thread, t->numbers[sxi_slot_of(t, chain)], true);
    }
    if (frame != 0) append_hop(t, frame);
}

SX_TRACE_COLD void sx_trace_push_error(uint64_t frame, uint64_t error) {
    sx_trace_buffer* t = &sx_trace_thread.trace;
    if (frame == 0 || error == 0 || error != t->error || !push_fast(t, frame)) push_error_slowly(frame, error);
}

SX_TRACE_COLD SMALL void sx_trace_rename(uint64_t error) {
    struct sx_trace_thread* thread = sxi_thread();
    if (sxi_chain_count(&thread->trace) > 0) set_error(&thread->trace, error);
}

SX_TRACE_COLD void sx_trace_link(uint32_t kind) {
    struct sx_trace_thread* thread = sxi_thread_in_place();
    sx_trace_buffer* t = &thread->trace;
    if (kind != SX_TRACE_CAUSE && kind != SX_TRACE_ATTEMPT) return;
    if (sxi_chain_count(t) == 0) return;
    uint32_t chain = sxi_group(t, sxi_chain_count(t) - 1), slot = sxi_slot_of(t, chain);
    if (t->counts[slot] > 1) { /* the newest of its errors is tied to the one before it */
        --t->counts[slot];
        return;
    }
    if (chain == 0) return;
    uint8_t* link = &t->links[slot];
    *link = (uint8_t)((*link & ~SXI_LINK) | kind);
}

SX_TRACE_COLD SMALL void sxi_refresh(struct sx_trace_thread* thread) {
    sx_trace_buffer* t = &thread->trace;
    uint32_t count = sxi_chain_count(t), deepest = 0;
    uint64_t sealed = 0;
    for (uint32_t chain = 0; chain < count; ++chain) {
        uint32_t depth = t->depths[sxi_slot_of(t, chain)];
        if (depth == 0 || depth < deepest) continue;
        deepest = depth;
        sealed = sxi_chain_end(t, chain);
    }
    t->sealed = sealed;
    t->error = count > 0 ? t->errors[sxi_slot_of(t, count - 1)] : 0;
}

/* Handlers have merged chains at the bottom meanwhile. If the lowest that was to be dropped is among them, what is
 * dropped stands in the count of the bottom chain, unless it is tied to what stays. */
static SMALL uint32_t first_after_merge(sx_trace_buffer* t, uint32_t count, uint32_t dropped, bool* tied) {
    if (count > dropped) return count - dropped;
    uint32_t* errors = &t->counts[sxi_slot_of(t, 0)];
    if (!*tied && *errors > 1) --*errors;
    *tied = true;
    return 1;
}

void sxi_drop_from(struct sx_trace_thread* thread, uint32_t first) {
    sx_trace_buffer* t = &thread->trace;
    uint64_t stack = t->stack;
    sxi_step();
    uint32_t count = sxi_count(stack), dropped = count - first;
    bool tied = first < count && sxi_is_tied(t, first);
    while (first < count) {
        uint32_t slot = sxi_slot(stack, first);
        uint64_t end = first > 0 ? sxi_min(t->end, t->starts[slot]) : 0;
        uint64_t error = first > 0 ? t->errors[sxi_slot(stack, first - 1)] : 0;
        t->notes_used = t->notes_from[slot] * 4u;
        t->end = end;
        sxi_step();
        if (sxi_replace_64(&t->stack, stack, stack + SXI_GENERATION - dropped * SXI_ONE_CHAIN)) {
            t->error = error;
            if (end < t->sealed) sxi_refresh(thread);
            return;
        }
        stack = t->stack;
        count = sxi_count(stack);
        if (first > 0) first = first_after_merge(t, count, dropped, &tied);
        dropped = count - first;
    }
}

/* A chain that stands for several errors stays, with one less. */
SX_TRACE_COLD void sx_trace_absorb(void) {
    struct sx_trace_thread* thread = sxi_thread_in_place();
    sx_trace_buffer* t = &thread->trace;
    for (uint32_t chain = sxi_chain_count(t); chain-- > 0;) {
        uint32_t* count = &t->counts[sxi_slot(t->stack, chain)];
        bool several = *count > 1;
        if (!several && chain > 0 && (t->links[sxi_slot(t->stack, chain)] & SXI_LINK) != SX_TRACE_UNLINKED) continue;
        sxi_drop_from(thread, chain + several);
        if (several) --*count;
        return;
    }
}

SMALL void sx_trace_clear(void) {
    struct sx_trace_thread* thread = sxi_thread();
    sxi_drop_from(thread, 0);
}

extern __typeof__(sx_trace_push_error) sxi_push_error __attribute__((cold, alias("sx_trace_push_error")));
extern __typeof__(sx_trace_push) sxi_push __attribute__((cold, alias("sx_trace_push")));
extern __typeof__(sx_trace_absorb) sxi_absorb __attribute__((cold, alias("sx_trace_absorb")));

/* For compilers that cannot be told which registers a function keeps. */
SXI_INLINE_ENTRY("sx_trace_inline_raise", "sx_trace_raise");
SXI_INLINE_ENTRY("sx_trace_inline_raise_error", "sx_trace_raise_error");
SXI_INLINE_ENTRY("sx_trace_inline_push", "sx_trace_push");
SXI_INLINE_ENTRY("sx_trace_inline_push_error", "sx_trace_push_error");
SXI_INLINE_ENTRY("sx_trace_inline_rename", "sx_trace_rename");
SXI_INLINE_ENTRY("sx_trace_inline_link", "sx_trace_link");
SXI_INLINE_ENTRY("sx_trace_inline_absorb", "sx_trace_absorb");
