/* Notes and values: keeping them, and making room for new ones. See notes.h. */
#include "registers.h"

#include "change.h"
#include "notes.h"

enum { MOST_RECORDS = SX_TRACE_NOTES / sizeof(struct sxi_note) };

static const char ellipsis[] = "\xE2\x80\xA6";
enum { ELLIPSIS_BYTES = sizeof ellipsis - 1 };

bool sxi_notes_are_sound(const uint8_t* notes, uint32_t used, uint32_t capacity) {
    uint32_t at = 0;
    while (used <= capacity && at + sizeof(struct sxi_note) <= used) at += sxi_note_size(sxi_note_at(notes, at).len);
    return at == used;
}

void sxi_notes_begin(struct sx_trace_thread* thread) {
    thread->trace.notes_busy += SXI_NOTES_MOVING;
    sxi_step();
}

void sxi_notes_end(struct sx_trace_thread* thread) {
    sxi_step();
    thread->trace.notes_busy -= SXI_NOTES_MOVING;
}

void sxi_notes_shift(struct sx_trace_thread* thread, uint32_t chain, uint64_t by) {
    uint32_t used = thread->trace.notes_used;
    for (uint32_t at = 0; at < used;) {
        struct sxi_note note = sxi_note_at(thread->notes, at);
        if (note.chain == chain && note.frame > 0) {
            note.frame = (uint32_t)sxi_min(UINT32_MAX, note.frame + by);
            sxi_copy(thread->notes + at, &note, sizeof note);
        }
        at += sxi_note_size(note.len);
    }
}

/* ---- Room. ---- */

/* The chain in flight of this number, or 8. */
static uint32_t chain_of(const sx_trace_buffer* t, uint32_t number) {
    uint32_t count = sxi_chain_count(t);
    for (uint32_t i = 0; i < count; ++i) {
        if (t->numbers[sxi_slot_of(t, i)] == number) return i;
    }
    return SX_TRACE_CHAINS;
}

/* Its chain is in flight, and its frame can be shown: a surviving one, one that is still to come, or the origin. */
static bool is_shown(const sx_trace_buffer* t, const struct sxi_note* note) {
    uint32_t chain = chain_of(t, note->chain);
    if (chain == SX_TRACE_CHAINS) return false;
    uint32_t slot = sxi_slot_of(t, chain);
    uint64_t start = sxi_chain_start(t, chain);
    uint64_t alive = sxi_min(sxi_max(start, sxi_oldest(t)), sxi_chain_end(t, chain));
    if (note->frame == 0 && (t->links[slot] & SXI_NO_ORIGIN) == 0) return true;
    return note->frame >= sxi_frames_before(t, slot) + (alive - start);
}

/* The records to keep, a bit for each in order, so that `need` bytes are free. */
static uint64_t choose(const struct sx_trace_thread* thread, uint32_t need) {
    const sx_trace_buffer* t = &thread->trace;
    uint64_t keep = 0;
    uint32_t used = need;
    for (int pass = 0; pass < 3; ++pass) { /* what is gone; then the oldest values; then the oldest of the rest */
        uint32_t i = 0;
        for (uint32_t at = 0; at < t->notes_used; ++i) {
            struct sxi_note note = sxi_note_at(thread->notes, at);
            uint64_t bit = UINT64_C(1) << i;
            at += sxi_note_size(note.len);
            if (pass == 0 && is_shown(t, &note)) {
                keep |= bit;
                used += sxi_note_size(note.len);
            } else if (used > SX_TRACE_NOTES && (keep & bit) != 0 &&
                       (pass == 2 || (pass == 1 && note.kind == SXI_VALUES))) {
                keep &= ~bit;
                used -= sxi_note_size(note.len);
            }
        }
    }
    return keep;
}

/* Where the records stood when a chain began, after those before it have moved. */
static void move_marks(sx_trace_buffer* t, const uint8_t* moved) {
    for (uint32_t i = 0; i < sxi_chain_count(t); ++i) {
        uint8_t* from = &t->notes_from[sxi_slot_of(t, i)];
        *from = moved[*from];
    }
}

/* A handler may have merged chains meanwhile, and what it did to their notes is overwritten now. */
static void forget_hops(struct sx_trace_thread* thread, uint32_t chain) {
    uint32_t of_nobody = (uint32_t)sxi_generation(&thread->trace) + UINT32_MAX / 2;
    for (uint32_t at = 0; at < thread->trace.notes_used;) {
        struct sxi_note note = sxi_note_at(thread->notes, at);
        if (note.chain == chain && note.frame > 0) note.chain = of_nobody;
        sxi_copy(thread->notes + at, &note, sizeof note);
        at += sxi_note_size(note.len);
    }
}

static void make_room(struct sx_trace_thread* thread, uint32_t need) {
    sx_trace_buffer* t = &thread->trace;
    uint8_t kept[SX_TRACE_NOTES], moved[SX_TRACE_NOTES / 4 + 1];
    uint32_t used = 0, i = 0, at = 0;
    uint32_t bottom = sxi_slot_of(t, 0), skipped = t->skipped[bottom];
    uint64_t keep = choose(thread, need);
    for (; at < t->notes_used; ++i) {
        uint32_t size = sxi_note_size(sxi_note_at(thread->notes, at).len);
        for (uint32_t word = 0; word < size / 4; ++word) moved[at / 4 + word] = (uint8_t)(used / 4);
        if ((keep >> i & 1) != 0) {
            sxi_copy(kept + used, thread->notes + at, size);
            used += size;
        }
        at += size;
    }
    moved[at / 4] = (uint8_t)(used / 4);
    sxi_copy(thread->notes, kept, used);
    move_marks(t, moved);
    sxi_step();
    t->notes_used = (uint16_t)used;
    if (sxi_slot_of(t, 0) == bottom && t->skipped[bottom] != skipped) forget_hops(thread, t->numbers[bottom]);
}

void sxi_notes_add(struct sx_trace_thread* thread, const struct sxi_note* note, const char* text) {
    sx_trace_buffer* t = &thread->trace;
    uint32_t size = sxi_note_size(note->len);
    if (t->notes_used + size > SX_TRACE_NOTES) {
        if (t->notes_busy != 0) return;
        sxi_notes_begin(thread);
        make_room(thread, size);
        sxi_notes_end(thread);
    }
    t->notes_busy += SXI_NOTE_FILLING;
    sxi_step();
    uint32_t at = t->notes_used;
    if (t->notes_busy == SXI_NOTE_FILLING) t->notes_whole = (uint16_t)at;
    sxi_step();
    t->notes_used = (uint16_t)(at + size);
    sxi_step();
    sxi_copy(thread->notes + at, note, sizeof *note);
    sxi_copy(thread->notes + at + sizeof *note, text, note->len);
    sxi_step();
    t->notes_busy -= SXI_NOTE_FILLING;
}

/* ---- What callers hand over. ---- */

/* The newest frame of the newest chain, also where that cannot be shown any more; of a chain that has none yet, the one
 * that comes first. */
static struct sxi_note note_here(const sx_trace_buffer* t, uint8_t kind) {
    uint32_t chain = sxi_chain_count(t) - 1, slot = sxi_slot_of(t, chain);
    uint64_t positions = t->end - sxi_chain_start(t, chain), before = sxi_frames_before(t, slot);
    uint64_t frame = positions > 0 ? sxi_frame_number(t, slot, positions - 1) : before - (before > 0);
    struct sxi_note note = {t->numbers[slot], (uint32_t)sxi_min(UINT32_MAX, frame), kind, 0, 0};
    return note;
}

/* The length of a text cut to at most so many bytes, not inside of a character. */
static uint32_t cut(const char* text, size_t len, uint32_t most) {
    if (len <= most) return (uint32_t)len;
    uint32_t end = most;
    while (end > 0 && most - end < 3 && ((uint8_t)text[end] & 0xC0u) == 0x80u) --end;
    return ((uint8_t)text[end] & 0xC0u) == 0x80u ? most : end; /* no UTF-8 */
}

SX_TRACE_COLD void sx_trace_note(const char* text, size_t len) {
    struct sx_trace_thread* thread = sxi_thread();
    if (sxi_chain_count(&thread->trace) == 0) return;
    if (text == NULL) len = 0;
    char bytes[SX_TRACE_NOTE_MAX + ELLIPSIS_BYTES];
    struct sxi_note note = note_here(&thread->trace, SXI_NOTE);
    note.len = (uint8_t)cut(text, len, SX_TRACE_NOTE_MAX);
    if (note.len == len) {
        sxi_notes_add(thread, &note, text);
        return;
    }
    sxi_copy(bytes, text, note.len);
    sxi_copy(bytes + note.len, ellipsis, ELLIPSIS_BYTES);
    note.len = (uint8_t)(note.len + ELLIPSIS_BYTES);
    sxi_notes_add(thread, &note, bytes);
}

static uint32_t size_of(sx_string s) {
    return s.ptr != NULL && s.len > 0 ? (uint32_t)sxi_min((uint64_t)s.len, UINT8_MAX + 1) : 0;
}

/* Shown as `name = text, `, two bytes more than what is stored; what does not fit gives way to an ellipsis. */
SX_TRACE_COLD void sx_trace_values(const sx_trace_value* values, size_t count) {
    struct sx_trace_thread* thread = sxi_thread();
    if (sxi_chain_count(&thread->trace) == 0 || count == 0) return;
    uint8_t bytes[SX_TRACE_VALUES_MAX + 2 + ELLIPSIS_BYTES];
    struct sxi_note note = note_here(&thread->trace, SXI_VALUES);
    uint32_t shown = 0, used = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t name = size_of(values[i].name), text = size_of(values[i].text);
        shown += name + 3 + text + (i > 0 ? 2 : 0);
        if (shown > SX_TRACE_VALUES_MAX) {
            bytes[used++] = 0;
            bytes[used++] = ELLIPSIS_BYTES;
            sxi_copy(bytes + used, ellipsis, ELLIPSIS_BYTES);
            used += ELLIPSIS_BYTES;
            break;
        }
        bytes[used++] = (uint8_t)name;
        bytes[used++] = (uint8_t)text;
        sxi_copy(bytes + used, values[i].name.ptr, name);
        sxi_copy(bytes + used + name, values[i].text.ptr, text);
        used += name + text;
    }
    note.len = (uint8_t)used;
    sxi_notes_add(thread, &note, (const char*)bytes);
}

/* ---- Copies. ---- */

uint32_t sxi_notes_readable(const sx_trace_buffer* t) {
    if (t->notes_busy >= SXI_NOTES_MOVING) return 0;
    return t->notes_busy == 0 || t->notes_whole > t->notes_used ? t->notes_used : t->notes_whole;
}

static uint32_t index_of(const uint32_t* numbers, uint32_t count, uint32_t number) {
    uint32_t i = 0;
    while (i < count && numbers[i] != number) ++i;
    return i;
}

void sxi_notes_copy(sx_trace_snapshot* out, const sx_trace_buffer* t, const uint8_t* notes, const uint32_t* numbers) {
    uint32_t count = sxi_chain_count(&out->trace), readable = sxi_notes_readable(t), total = 0;
    out->trace.notes_used = 0;
    for (int pass = 0; pass < 2; ++pass) { /* how much there is; then all but the oldest that are too much */
        for (uint32_t at = 0; at + sizeof(struct sxi_note) <= readable;) {
            struct sxi_note note = sxi_note_at(notes, at);
            uint32_t size = sxi_note_size(note.len), chain = index_of(numbers, count, note.chain);
            const char* text = sxi_note_text(notes, at);
            at += size;
            if (chain == count || at > readable || !is_shown(t, &note)) continue;
            if (pass == 0) {
                total += size;
            } else if (total > SX_TRACE_KEPT_NOTES) {
                total -= size;
            } else {
                note.chain = chain;
                sxi_copy(out->notes + out->trace.notes_used, &note, sizeof note);
                sxi_copy(out->notes + out->trace.notes_used + sizeof note, text, size - sizeof note);
                out->trace.notes_used = (uint16_t)(out->trace.notes_used + size);
            }
        }
    }
}
