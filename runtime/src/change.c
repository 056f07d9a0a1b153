/* Merging and moving chains. See change.h for how such a change is made. */
#include "registers.h"

#include "change.h"
#include "notes.h"

/* True while the change is still to be made. */
static inline bool is_pending(const struct sx_trace_thread* thread, const struct sxi_change* c) {
    sxi_step();
    return thread->pending == c;
}

static void finish_entry(struct sx_trace_thread* thread, const struct sxi_change* c, uint32_t slot) {
    sx_trace_buffer* t = &thread->trace;
    if (is_pending(thread, c)) sxi_replace_64(&t->starts[slot], c->starts[0][slot], c->starts[1][slot]);
    if (is_pending(thread, c)) sxi_replace_32(&t->skipped[slot], c->skipped[0][slot], c->skipped[1][slot]);
    if (is_pending(thread, c)) sxi_replace_32(&t->counts[slot], c->counts[0][slot], c->counts[1][slot]);
    if (is_pending(thread, c)) sxi_replace_8(&t->links[slot], c->links[0][slot], c->links[1][slot]);
}

/* The stack comes last, so as long as it is what it was the change can go on; and where it is not at the start, a
 * handler came before the change was pending, and what was worked out is no longer right. */
SX_TRACE_COLD void sxi_finish(struct sx_trace_thread* thread) {
    struct sxi_change* c = thread->pending;
    sx_trace_buffer* t = &thread->trace;
    if (c == NULL) return;
    if (t->stack == c->before) {
        for (uint64_t position = c->first; position < c->last && is_pending(thread, c); ++position) {
            *sxi_frame_slot(t, position) = c->frames[position % SX_TRACE_FRAMES];
        }
        if (is_pending(thread, c)) sxi_raise_to(&t->lost, c->lost);
        for (uint32_t slot = 0; slot < SX_TRACE_CHAINS; ++slot) {
            if ((c->slots >> slot & 1) != 0) finish_entry(thread, c, slot);
        }
        if (is_pending(thread, c) && sxi_replace_64(&t->stack, c->before, c->after)) c->made = true;
        if (is_pending(thread, c)) sxi_refresh(thread);
    }
    if (is_pending(thread, c)) thread->pending = NULL;
}

struct sx_trace_thread* sxi_thread(void) {
    return sxi_thread_in_place();
}

/* Makes the change, if nobody came between. */
static void make(struct sx_trace_thread* thread, struct sxi_change* c) {
    sxi_step();
    thread->pending = c;
    sxi_step();
    sxi_finish(thread);
}

/* An entry that changes begins as it is. */
static void take_entry(struct sxi_change* c, const sx_trace_buffer* t, uint32_t slot) {
    c->slots |= 1u << slot;
    c->starts[0][slot] = c->starts[1][slot] = t->starts[slot];
    c->skipped[0][slot] = c->skipped[1][slot] = t->skipped[slot];
    c->counts[0][slot] = c->counts[1][slot] = t->counts[slot];
    c->links[0][slot] = c->links[1][slot] = t->links[slot];
}

static void begin(struct sxi_change* c, const sx_trace_buffer* t) {
    c->before = t->stack;
    sxi_step();
    c->first = c->last = 0;
    c->lost = 0;
    c->slots = 0;
    c->made = false;
}

static uint32_t sum(uint32_t a, uint64_t b) { return (uint32_t)sxi_min(UINT32_MAX, a + b); }

/* The stack with these slots from the bottom up. */
static uint64_t stack_of(uint64_t before, const uint8_t* slots, uint32_t count) {
    uint64_t stack = (before / SXI_GENERATION + 1) * SXI_GENERATION + count * SXI_ONE_CHAIN;
    for (uint32_t i = 0; i < SX_TRACE_CHAINS; ++i) stack |= (uint64_t)(slots[i] ^ i) << 3 * i;
    return stack;
}

/* ---- Two chains become one. ---- */

/* The positions of the bottom chain move up over those of the upper. Returns how many frames more are omitted. */
static uint64_t prepare_merge(struct sxi_change* c, const sx_trace_buffer* t) {
    uint32_t upper = sxi_slot_of(t, 1), lower = sxi_slot_of(t, 0);
    uint64_t start = sxi_chain_start(t, 0), end = sxi_chain_start(t, 1), by = sxi_chain_start(t, 2) - end;
    uint64_t alive = sxi_min(end, sxi_max(t->lost, start));
    uint64_t omitted = by + sxi_frames_before(t, upper);
    take_entry(c, t, lower);
    c->starts[1][lower] = start + by;
    c->counts[1][lower] = sum(t->counts[lower], t->counts[upper]);
    c->skipped[1][lower] = sum(t->skipped[lower], omitted);
    c->lost = alive > start ? alive + by : 0;
    c->first = alive + by;
    c->last = end + by;
    for (uint64_t from = alive; from < end; ++from) {
        c->frames[(from + by) % SX_TRACE_FRAMES] = t->frames[from % SX_TRACE_FRAMES];
    }
    uint8_t slots[SX_TRACE_CHAINS];
    for (uint32_t i = 0; i < SX_TRACE_CHAINS; ++i)
        slots[i] = (uint8_t)sxi_slot_of(t, i < 1 ? 0 : (i + 1) % SX_TRACE_CHAINS);
    slots[SX_TRACE_CHAINS - 1] = (uint8_t)upper;
    c->after = stack_of(c->before, slots, sxi_count(c->before) - 1);
    return omitted;
}

SX_TRACE_COLD void sxi_merge_oldest(struct sx_trace_thread* thread) {
    sx_trace_buffer* t = &thread->trace;
    while (sxi_chain_count(t) == SX_TRACE_CHAINS) {
        struct sxi_change c;
        begin(&c, t);
        uint32_t number = t->numbers[sxi_slot_of(t, 0)];
        uint64_t omitted = prepare_merge(&c, t);
        if (t->notes_used == 0) {
            make(thread, &c);
            continue;
        }
        /* A handler leaves notes where they are meanwhile. */
        sxi_notes_begin(thread);
        make(thread, &c);
        sxi_step();
        if (c.made) sxi_notes_shift(thread, number, omitted);
        sxi_notes_end(thread);
    }
}

/* ---- A group comes to the top. ---- */

/* The chains from `first` to `last` in a new order: those above, then they. */
static uint32_t reordered(const sx_trace_buffer* t, uint32_t first, uint32_t last, uint32_t i) {
    uint32_t above = sxi_chain_count(t) - 1 - last;
    if (i < first || i >= sxi_chain_count(t)) return i;
    return i < first + above ? i + (last + 1 - first) : i - above;
}

/* How many positions a chain takes; where frames are lost, only those that survive. */
static uint64_t positions(const sx_trace_buffer* t, uint32_t chain) {
    uint64_t start = sxi_chain_start(t, chain), end = sxi_chain_end(t, chain);
    return end - sxi_min(end, sxi_max(start, t->lost));
}

/* Lays out a chain from `at` on. What it has lost below its frames becomes a number. */
static uint64_t place(struct sxi_change* c, const sx_trace_buffer* t, uint32_t chain, uint64_t at) {
    uint32_t slot = sxi_slot_of(t, chain);
    uint64_t start = sxi_chain_start(t, chain), end = sxi_chain_end(t, chain);
    uint64_t lost = sxi_min(end, sxi_max(start, t->lost)) - start;
    take_entry(c, t, slot);
    c->starts[1][slot] = at;
    if (lost > 0) {
        c->skipped[1][slot] = sum(t->skipped[slot], lost - !sxi_is_apart(t, slot));
        c->links[1][slot] |= SXI_APART;
    }
    for (uint64_t from = start + lost; from < end; ++from, ++at) {
        c->frames[at % SX_TRACE_FRAMES] = t->frames[from % SX_TRACE_FRAMES];
    }
    return at;
}

/* Where frames are lost at or above the group, all is laid out anew: then everything below it is lost too. */
static void prepare_move(struct sxi_change* c, const sx_trace_buffer* t, uint32_t first, uint32_t last) {
    uint32_t count = sxi_chain_count(t);
    uint32_t lowest = sxi_chain_start(t, first) >= t->lost ? first : 0;
    uint64_t at = t->end;
    for (uint32_t i = lowest; i < count; ++i) at -= positions(t, i);
    c->first = at;
    c->last = t->end;
    uint8_t slots[SX_TRACE_CHAINS];
    for (uint32_t i = 0; i < SX_TRACE_CHAINS; ++i) {
        uint32_t chain = reordered(t, first, last, i);
        slots[i] = (uint8_t)sxi_slot_of(t, chain);
        if (i >= lowest && i < count) at = place(c, t, chain, at);
    }
    uint32_t untied = sxi_slot_of(t, last + 1);
    c->links[1][untied] &= (uint8_t)~SXI_LINK;
    c->after = stack_of(c->before, slots, count);
}

/* Notes stay where they are: those of the group are cut back to here at most. */
static void keep_notes(sx_trace_buffer* t, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; ++i) t->notes_from[sxi_slot_of(t, i)] = sxi_notes_mark(t);
}

void sxi_bring_to_top(struct sx_trace_thread* thread, uint32_t number, bool with_group) {
    sx_trace_buffer* t = &thread->trace;
    struct sxi_change c;
    for (;;) {
        begin(&c, t);
        uint32_t count = sxi_chain_count(t), last = 0;
        while (last < count && t->numbers[sxi_slot_of(t, last)] != number) ++last;
        if (last + 1 >= count) return;
        uint32_t first = with_group ? sxi_group(t, last) : last;
        prepare_move(&c, t, first, last);
        keep_notes(t, first, last);
        make(thread, &c);
    }
}
