/* Copying chains out of a thread's trace and back on top of it. */
#include "registers.h"

#include "change.h"
#include "notes.h"

static void copy_nothing(sx_trace_snapshot* out) {
    sx_trace_buffer* t = &out->trace;
    t->end = t->lost = t->sealed = t->error = t->stack = 0;
    t->notes_used = t->notes_whole = t->notes_busy = t->is_state = 0;
}

/* Positions of a snapshot count from 0, and its chains stand in order. What they have lost becomes a number. */
static void copy_chain(sx_trace_buffer* out, const sx_trace_buffer* t, uint32_t chain) {
    uint32_t from = sxi_slot_of(t, chain), to = sxi_chain_count(out);
    sx_trace_chain info = sxi_describe_chain(t, chain);
    uint64_t end = sxi_chain_end(t, chain);
    out->stack += SXI_ONE_CHAIN;
    out->origins[to] = t->origins[from];
    out->errors[to] = t->errors[from];
    out->starts[to] = out->end;
    out->skipped[to] = (uint32_t)sxi_min(UINT32_MAX, info.omitted);
    out->counts[to] = info.errors > 0 ? info.errors : 1;
    out->numbers[to] = t->numbers[from];
    out->depths[to] = out->notes_from[to] = 0;
    out->links[to] = (uint8_t)(t->links[from] | (sxi_has_origin_apart(&info) ? SXI_APART : 0));
    for (uint64_t position = end - info.surviving; position < end; ++position) {
        *sxi_frame_slot(out, out->end++) = t->frames[position % SX_TRACE_FRAMES];
    }
}

/* Chains without frames that are just coming or going, which only a signal handler finds, stay behind. */
static void copy_chains(sx_trace_snapshot* out, const struct sx_trace_thread* thread, uint32_t first, uint32_t end) {
    const sx_trace_buffer* t = &thread->trace;
    uint32_t numbers[SX_TRACE_CHAINS];
    for (uint32_t chain = first; chain < end; ++chain) {
        uint32_t slot = sxi_slot_of(t, chain);
        if (!sxi_is_apart(t, slot) && sxi_chain_start(t, chain) == sxi_chain_end(t, chain)) continue;
        numbers[sxi_chain_count(&out->trace)] = t->numbers[slot];
        copy_chain(&out->trace, t, chain);
    }
    uint32_t count = sxi_chain_count(&out->trace);
    if (count == 0) return;
    if (first > 0) out->trace.links[0] &= (uint8_t)~SXI_LINK;
    out->trace.error = out->trace.errors[count - 1];
    sxi_notes_copy(out, t, thread->notes, numbers);
}

static const uint32_t ALL = UINT32_MAX;

/* Copies all chains, or one group; again from the start when a signal handler that raised errors of its own has come
 * between. */
static size_t capture(sx_trace_snapshot* out, uint32_t below) {
    const struct sx_trace_thread* thread = sxi_thread();
    const sx_trace_buffer* t = &thread->trace;
    uint64_t stack;
    do {
        stack = t->stack;
        sxi_step();
        copy_nothing(out);
        uint32_t end = sxi_count(stack), first = 0;
        for (uint32_t i = below; end > 0 && below != ALL;) {
            first = sxi_group(t, end - 1);
            uint32_t errors = t->counts[sxi_slot_of(t, first)];
            if (i > 0 && i < errors) end = first + 1; /* one that was merged: without what is tied to the newest */
            if (i < errors) break;
            i -= errors;
            end = first;
        }
        copy_chains(out, thread, first, end);
        if (below != ALL) out->trace.counts[0] = 1;
        sxi_step();
    } while (t->stack != stack);
    return sxi_len(&out->trace);
}

/* False for what is known to be a copy of another error. A tag and an identity cannot be compared. */
static bool is_of(const sx_trace_snapshot* s, uint64_t error) {
    if (sxi_chain_count(&s->trace) == 0 || !sxi_is_sound(s)) return false;
    uint64_t kept = s->trace.errors[sxi_chain_count(&s->trace) - 1];
    return kept == error || kept == 0 || error == 0 || kept >> 63 != error >> 63;
}

/* The notes of one chain of a snapshot that belong to frame `frame`, in order. */
static void append_notes(struct sx_trace_thread* thread, const sx_trace_snapshot* s, uint32_t chain) {
    uint32_t number = thread->trace.numbers[sxi_slot_of(&thread->trace, sxi_chain_count(&thread->trace) - 1)];
    for (uint32_t at = 0; at < s->trace.notes_used;) {
        struct sxi_note note = sxi_note_at(s->notes, at);
        const char* text = sxi_note_text(s->notes, at);
        at += sxi_note_size(note.len);
        if (note.chain != chain) continue;
        note.chain = number;
        sxi_notes_add(thread, &note, text);
    }
}

/* Goes the way of the error again, so that each step is as sound as the first time. */
static void append_chain(struct sx_trace_thread* thread, const sx_trace_snapshot* s, uint32_t chain) {
    sx_trace_buffer* t = &thread->trace;
    const sx_trace_buffer* from = &s->trace;
    uint64_t position = from->starts[chain], end = sxi_chain_end(from, chain);
    uint8_t flags = from->links[chain] & (chain > 0 ? SXI_LINK_BITS : (uint8_t)~SXI_LINK);
    bool apart = (flags & SXI_APART) != 0;
    sxi_begin_chain(thread, from->origins[chain], from->errors[chain], flags);
    uint32_t slot = sxi_slot_of(t, sxi_chain_count(t) - 1);
    t->skipped[slot] = from->skipped[chain];
    t->counts[slot] = from->counts[chain];
    for (position += !apart; position < end; ++position)
        sxi_append_hop(thread, from->frames[position % SX_TRACE_FRAMES]);
    append_notes(thread, s, chain);
}

/* False for an empty snapshot, and for one that no capture has made. */
static bool append_chains(struct sx_trace_thread* thread, const sx_trace_snapshot* s) {
    if (sxi_chain_count(&s->trace) == 0 || !sxi_is_sound(s)) return false;
    for (uint32_t chain = 0; chain < sxi_chain_count(&s->trace); ++chain) append_chain(thread, s, chain);
    return true;
}

SX_TRACE_COLD void sx_trace_restore(const sx_trace_snapshot* snapshot) {
    struct sx_trace_thread* thread = sxi_thread();
    sxi_drop_from(thread, 0);
    append_chains(thread, snapshot);
}

static void copy_state(sx_trace_state* to, const struct sx_trace_thread* from) {
    sxi_copy(&to->trace, &from->trace, sizeof to->trace);
    sxi_copy(to->notes, from->notes, sizeof to->notes);
}

/* What is marked so was taken from a thread. Anything else counts as empty. */
enum { STATE = 0x5A7E };

/* Everything is written while nothing is in flight; again when a signal handler raised errors meanwhile. */
static void set_state(struct sx_trace_thread* thread, const sx_trace_state* s) {
    sx_trace_buffer* t = &thread->trace;
    uint64_t chains = s->trace.stack % SXI_GENERATION;
    uint64_t number = sxi_generation(&s->trace);
    for (uint64_t before;;) {
        before = t->stack;
        sxi_step();
        /* Numbers of the chains that come must not be used again. */
        uint64_t generation = sxi_max(before / SXI_GENERATION, number) + 1;
        sxi_copy(t->frames, s->trace.frames, offsetof(sx_trace_buffer, stack));
        sxi_copy(t->origins, s->trace.origins, sizeof *t - offsetof(sx_trace_buffer, origins));
        sxi_copy(thread->notes, s->notes, sizeof thread->notes);
        sxi_step();
        if (sxi_replace_64(&t->stack, before, generation * SXI_GENERATION + chains)) return;
    }
}

void sx_trace_swap(sx_trace_state* mine) {
    struct sx_trace_thread* thread = sxi_thread();
    sx_trace_buffer* t = &thread->trace;
    sx_trace_state before;
    for (uint64_t stack;;) {
        stack = t->stack;
        sxi_step();
        copy_state(&before, thread);
        uint64_t nothing = (stack / SXI_GENERATION + 1) * SXI_GENERATION + stack % SXI_ONE_CHAIN;
        if (sxi_replace_64(&t->stack, stack, nothing)) break;
    }
    if (mine->trace.is_state != STATE) {
        mine->trace.stack = mine->trace.end = mine->trace.lost = mine->trace.sealed = mine->trace.error = 0;
        mine->trace.notes_used = mine->trace.notes_busy = 0;
    }
    set_state(thread, mine);
    before.trace.is_state = STATE;
    sxi_copy(mine, &before, sizeof before);
}

/* Those with a result are ordinary functions behind stubs that keep registers. */
#if defined(SXI_KEEPS_REGISTERS)
#define HIDDEN __attribute__((used, visibility("hidden")))
HIDDEN size_t sxi_capture(sx_trace_snapshot* out);
HIDDEN size_t sxi_capture_newest(sx_trace_snapshot* out);
HIDDEN size_t sxi_capture_at(uint32_t below, sx_trace_snapshot* out);
HIDDEN bool sxi_resume(const sx_trace_snapshot* snapshot);
HIDDEN bool sxi_resume_error(const sx_trace_snapshot* snapshot, uint64_t error);
HIDDEN uint32_t sxi_find(const sx_trace_snapshot* snapshot, uint64_t error);
SXI_REGISTER_KEEPER;
SXI_KEEPS_REGISTERS("sx_trace_capture", "sxi_capture");
SXI_KEEPS_REGISTERS("sx_trace_capture_newest", "sxi_capture_newest");
SXI_KEEPS_REGISTERS("sx_trace_capture_at", "sxi_capture_at");
SXI_KEEPS_REGISTERS("sx_trace_resume", "sxi_resume");
SXI_KEEPS_REGISTERS("sx_trace_resume_error", "sxi_resume_error");
SXI_KEEPS_REGISTERS("sx_trace_find", "sxi_find");
#define PUBLIC(result, name) result sxi_##name
#else
#define PUBLIC(result, name) SX_TRACE_COLD result sx_trace_##name
#endif

PUBLIC(size_t, capture)(sx_trace_snapshot* out) { return capture(out, ALL); }

PUBLIC(size_t, capture_newest)(sx_trace_snapshot* out) { return capture(out, 0); }

PUBLIC(size_t, capture_at)(uint32_t below, sx_trace_snapshot* out) { return capture(out, below); }

SX_TRACE_COLD void sx_trace_copy(sx_trace_snapshot* to, const sx_trace_snapshot* from) {
    if (to != from) sxi_copy(to, from, sizeof *to);
}

SX_TRACE_COLD void sx_trace_forget(sx_trace_snapshot* out) { copy_nothing(out); }

PUBLIC(bool, resume)(const sx_trace_snapshot* snapshot) { return append_chains(sxi_thread(), snapshot); }

PUBLIC(bool, resume_error)(const sx_trace_snapshot* snapshot, uint64_t error) {
    return is_of(snapshot, error) && append_chains(sxi_thread(), snapshot);
}

/* Which group ends with the chain of this number, from 1 for the newest; 0 for none. Of a chain that stands for several
 * the number is that of the oldest. */
static uint32_t position_of(const sx_trace_buffer* t, uint32_t count, uint32_t number) {
    for (uint32_t end = count, position = 1, first; end > 0; end = first) {
        first = sxi_group(t, end - 1);
        uint32_t lowest = sxi_slot_of(t, first), newest = sxi_slot_of(t, end - 1), errors = t->counts[lowest];
        if (t->numbers[newest] == number && t->counts[newest] == 1) return position;
        if (t->numbers[lowest] == number && errors > 1) return position + errors - 1;
        position += errors;
    }
    return 0;
}

PUBLIC(uint32_t, find)(const sx_trace_snapshot* snapshot, uint64_t error) {
    if (!is_of(snapshot, error)) return 0;
    const sx_trace_buffer* t = &sxi_thread()->trace;
    uint32_t number = snapshot->trace.numbers[sxi_chain_count(&snapshot->trace) - 1], position;
    uint64_t stack;
    do {
        stack = t->stack;
        sxi_step();
        position = position_of(t, sxi_count(stack), number);
        sxi_step();
    } while (t->stack != stack);
    return position;
}
