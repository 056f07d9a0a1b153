/*
 * Notes and values, in the bytes that follow a trace's buffer.
 *
 * They are records, one after the other in the order in which they were made, up to `notes_used`. A record names
 * its frame by the number of the chain, and by how many frames that chain has had before it. What a chain that is no
 * longer in flight has said stays until room is needed, and is never shown, for numbers are not used again.
 * `notes_from` of a chain tells, in fours of bytes, where the records stood when it began: so dropping it is
 * cutting back to there. (Of a chain that came to the top: where they stood then, for others may have followed.)
 *
 * A record is reserved by moving `notes_used` over it, then filled. `notes_busy` counts what is being filled, and
 * is above that where records move: a signal handler then makes no room, and shows the records before the one that it
 * interrupted (`notes_whole` bytes), or none where they move.
 */
#ifndef SX_TRACE_NOTES_H
#define SX_TRACE_NOTES_H

#include "buffer.h"

enum { SXI_NOTE = 1, SXI_VALUES = 2 };

/* Text follows, then up to three bytes up to the next multiple of four. The text of values is, for each of them,
 * the sizes of its name and its text in a byte each, and these two. */
struct sxi_note {
    uint32_t chain;
    uint32_t frame;
    uint8_t kind;
    uint8_t len;
    uint16_t unused;
};

/* memcpy may use vector registers. */
static inline void sxi_copy(void* to, const void* from, size_t len) {
#if defined(__x86_64__) && defined(__GNUC__)
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
#else
    for (size_t i = 0; i < len; ++i) ((volatile uint8_t*)to)[i] = ((const uint8_t*)from)[i];
#endif
}

/* What is added to `notes_busy`. */
enum { SXI_NOTE_FILLING = 1, SXI_NOTES_MOVING = 256 };

static inline uint32_t sxi_note_size(uint32_t len) { return ((uint32_t)sizeof(struct sxi_note) + len + 3) & ~3u; }

static inline uint8_t sxi_notes_mark(const sx_trace_buffer* t) { return (uint8_t)(t->notes_used / 4); }

/* The record at an offset. Its text follows it. */
static inline struct sxi_note sxi_note_at(const uint8_t* notes, uint32_t at) {
    struct sxi_note note;
    __builtin_memcpy(&note, notes + at, sizeof note);
    return note;
}

static inline const char* sxi_note_text(const uint8_t* notes, uint32_t at) {
    return (const char*)notes + at + sizeof(struct sxi_note);
}

bool sxi_notes_are_sound(const uint8_t* notes, uint32_t used, uint32_t capacity);

struct sx_trace_thread;

/* Records may be about to change or move between these two. */
void sxi_notes_begin(struct sx_trace_thread* thread);
void sxi_notes_end(struct sx_trace_thread* thread);

/* The hops of a chain have `by` more frames before them. */
void sxi_notes_shift(struct sx_trace_thread* thread, uint32_t chain, uint64_t by);

/* How many bytes of the records can be read now. */
uint32_t sxi_notes_readable(const sx_trace_buffer* t);

/* Copies the records of the chains that `out` holds, whose numbers in the thread's table are `numbers` from the bottom
 * up: the newest that fit. Their chains are then numbered from 0. */
void sxi_notes_copy(sx_trace_snapshot* out, const sx_trace_buffer* t, const uint8_t* notes, const uint32_t* numbers);

/* Appends a record. It may make room. */
void sxi_notes_add(struct sx_trace_thread* thread, const struct sxi_note* note, const char* text);

#endif
