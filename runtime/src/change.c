/* Merging and moving chains. See change.h for how such a change is made. */
#include "registers.h"

#include "change.h"
#include "notes.h"

/* True while the change is still to be made. */
static inline bool is_pending(const struct sx_trace_thread* thread, const struct sxi_change* c) {
    sxi_step();
    return thread->pending == c;
}

/* The table as words, each of which is replaced at once. */
_Static_assert(offsetof(sx_trace_buffer, links) - offsetof(sx_trace_buffer, starts) ==
                       offsetof(struct sxi_table, links) &&
                   offsetof(sx_trace_buffer, skipped) - offsetof(sx_trace_buffer, starts) ==
                       offsetof(struct sxi_table, skipped) &&
                   sizeof(struct sxi_table) % sizeof(sxi_word) == 0,
               "the same fields in the same order");

static sxi_word* table_of(sx_trace_buffer* t) {
    return (sxi_word*)(void*)((char*)t + offsetof(sx_trace_buffer, starts));
}

static void finish_table(struct sx_trace_thread* thread, const struct sxi_change* c) {
    sxi_word* words = table_of(&thread->trace);
    const sxi_word *before = (const sxi_word*)&c->tables[0], *after = (const sxi_word*)&c->tables[1];
    for (uint32_t i = 0; i < sizeof(struct sxi_table) / sizeof *words; ++i) {
        if (before[i] != after[i] && is_pending(thread, c)) sxi_replace_word(&words[i], before[i], after[i]);
    }
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
        finish_table(thread, c);
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

/* After `before`, which says whether what is read here is still so. */
static void take_table(struct sxi_change* c, sx_trace_buffer* t) {
    sxi_word *from = table_of(t), *before = (sxi_word*)&c->tables[0], *after = (sxi_word*)&c->tables[1];
    for (uint32_t i = 0; i < sizeof(struct sxi_table) / sizeof *from; ++i) before[i] = after[i] = from[i];
    c->made = false;
}

static uint32_t sum(uint32_t a, uint64_t b) { return (uint32_t)sxi_min(UINT32_MAX, a + b); }

/* ---- Laying out anew. ---- */

/* How many positions a chain takes; where frames are lost, only those that survive. */
static uint64_t positions(const sx_trace_buffer* t, uint32_t chain) {
    uint64_t start = sxi_chain_start(t, chain), end = sxi_chain_end(t, chain);
    return end - sxi_min(end, sxi_max(start, t->lost));
}

/* Lays out a chain from `at` on. What it has lost below its frames becomes a number. */
static uint64_t place(struct sxi_change* c, const sx_trace_buffer* t, uint32_t chain, uint64_t at) {
    uint32_t slot = sxi_slot_of(t, chain);
    struct sxi_table* table = &c->tables[1];
    uint64_t end = sxi_chain_end(t, chain), from = end - positions(t, chain);
    uint64_t lost = from - sxi_chain_start(t, chain);
    table->starts[slot] = at;
    if (lost > 0) {
        table->skipped[slot] = sum(t->skipped[slot], lost - !sxi_is_apart(t, slot));
        table->links[slot] |= SXI_APART;
    }
    for (; from < end; ++from, ++at) c->frames[at % SX_TRACE_FRAMES] = t->frames[from % SX_TRACE_FRAMES];
    return at;
}

/* The number now of the chain that stands at `i` once those from `first` to `last` have gone up to `top`. */
static uint32_t reordered(uint32_t first, uint32_t last, uint32_t top, uint32_t i) {
    if (i < first || i > top) return i;
    return i < first + (top - last) ? i + (last + 1 - first) : i - (top - last);
}

static void reorder(struct sxi_change* c, uint32_t first, uint32_t last, uint32_t top, uint32_t count) {
    uint64_t stack = (c->before / SXI_GENERATION + 1) * SXI_GENERATION + count * SXI_ONE_CHAIN;
    for (uint32_t i = 0; i < SX_TRACE_CHAINS; ++i) {
        stack |= (uint64_t)(sxi_slot(c->before, reordered(first, last, top, i)) ^ i) << 3 * i;
    }
    c->after = stack;
}

/* ---- Two chains become one. ---- */

/* The positions of the bottom chain move up over those of the upper. Returns how many frames more are omitted. */
static uint64_t prepare_merge(struct sxi_change* c, const sx_trace_buffer* t) {
    uint32_t lower = sxi_slot_of(t, 0), upper = sxi_slot_of(t, 1);
    struct sxi_table* table = &c->tables[1];
    uint64_t omitted = sxi_chain_end(t, 1) - sxi_chain_end(t, 0) + sxi_frames_before(t, upper);
    c->last = sxi_chain_end(t, 1);
    c->first = c->last - positions(t, 0);
    place(c, t, 0, c->first);
    table->counts[lower] = sum(t->counts[lower], t->counts[upper] - (uint32_t)sxi_is_tied(t, 1));
    table->skipped[lower] = sum(table->skipped[lower], omitted);
    reorder(c, 1, 1, SX_TRACE_CHAINS - 1, SX_TRACE_CHAINS - 1);
    return omitted;
}

SX_TRACE_COLD void sxi_merge_oldest(struct sx_trace_thread* thread) {
    sx_trace_buffer* t = &thread->trace;
    for (;;) {
        struct sxi_change c;
        c.before = t->stack;
        sxi_step();
        if (sxi_count(c.before) != SX_TRACE_CHAINS) return;
        take_table(&c, t);
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

/* Where frames are lost at or above the group, all is laid out anew: then everything below it is lost too. */
static void prepare_move(struct sxi_change* c, const sx_trace_buffer* t, uint32_t first, uint32_t last) {
    uint32_t count = sxi_chain_count(t);
    uint32_t lowest = sxi_chain_start(t, first) >= t->lost ? first : 0;
    uint64_t at = t->end;
    for (uint32_t i = lowest; i < count; ++i) at -= positions(t, i);
    c->first = at;
    c->last = t->end;
    for (uint32_t i = lowest; i < count; ++i) at = place(c, t, reordered(first, last, count - 1, i), at);
    uint32_t untied = sxi_slot_of(t, last + 1);
    c->tables[1].links[untied] &= (uint8_t)~SXI_LINK;
    reorder(c, first, last, count - 1, count);
}

/* Notes stay where they are: those of the group are cut back to here at most. */
static void keep_notes(sx_trace_buffer* t, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; ++i) t->notes_from[sxi_slot_of(t, i)] = sxi_notes_mark(t);
}

void sxi_bring_to_top(struct sx_trace_thread* thread, uint32_t number, bool with_group) {
    sx_trace_buffer* t = &thread->trace;
    struct sxi_change c;
    for (;;) {
        c.before = t->stack;
        sxi_step();
        uint32_t count = sxi_chain_count(t), last = 0;
        while (last < count && t->numbers[sxi_slot_of(t, last)] != number) ++last;
        if (last + 1 >= count) return;
        take_table(&c, t);
        uint32_t first = with_group ? sxi_group(t, last) : last;
        prepare_move(&c, t, first, last);
        keep_notes(t, first, last);
        make(thread, &c);
    }
}
