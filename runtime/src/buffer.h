/*
 * How a trace is laid out, in a thread and in a snapshot, and the arithmetic that reads it.
 *
 * The stack of chains is one word, `stack`, so that each change of it is one store:
 *
 *   bits  0-23   eight slots of the table, three bits each, from the bottom of the stack up; those of chains
 *                in flight come first, then the free ones. Stored exclusive-or 0, 1, … 7: zero is in order
 *   bits 24-27   how many chains are in flight
 *   bits 28-63   the generation: one more with each change
 *
 * Frames are numbered by their position in the stack of all chains, and position n lives in slot n modulo 32
 * of the ring. [lost, end) survive; what lies below `lost` is in flight too, but was overwritten. A chain owns
 * the positions from its start to the start of the chain above it, or to `end`.
 *
 * Its origin is the frame at its start, and stands in the table only: the slot in the ring stays unused. Where
 * a chain is SXI_APART its positions are hops only: it has no origin, or one that no position stands for.
 * `skipped` frames of a chain, between its origin and its first hop, are omitted besides those below `lost`.
 *
 * Merging takes the second chain off the stack, moves the positions of the bottom chain up over it, and adds its
 * frames to what the bottom chain has skipped. So the bottom chain does not start at 0, and what is below its start
 * is nobody's. `counts` says for how many groups a chain stands: two that are tied become one that counts once.
 *
 * Dropping chain c takes `end` back to its start. What it overwrote stays lost: `lost` may be left above `end`,
 * which means that nothing below survives; the next frame takes it back to `end`.
 *
 * `notes` follow the buffer, see notes.h. The other fields are told in thread.h.
 */
#ifndef SX_TRACE_BUFFER_H
#define SX_TRACE_BUFFER_H

#include "sx/trace.h"

/* What `links` holds: SX_TRACE_UNLINKED, _CAUSE or _ATTEMPT, and flags. */
enum { SXI_LINK = 3, SXI_APART = 4, SXI_UNKNOWN_ORIGIN = 8, SXI_NO_ORIGIN = 16, SXI_LINK_BITS = 31 };

/* Of `stack`. */
#define SXI_ONE_CHAIN (UINT64_C(1) << 24)
#define SXI_GENERATION (UINT64_C(1) << 28)
#define SXI_SLOTS (SXI_ONE_CHAIN - 1)

static inline uint64_t sxi_min(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t sxi_max(uint64_t a, uint64_t b) { return a > b ? a : b; }

static inline uint64_t* sxi_frame_slot(sx_trace_buffer* t, uint64_t position) {
    return &t->frames[position % SX_TRACE_FRAMES];
}

static inline uint32_t sxi_count(uint64_t stack) { return (uint32_t)(stack >> 24) & 15; }

/* The slot of the chain number `chain` from the bottom; of one that is not in flight, a free one. */
static inline uint32_t sxi_slot(uint64_t stack, uint32_t chain) { return ((uint32_t)(stack >> 3 * chain) ^ chain) & 7; }

static inline uint32_t sxi_chain_count(const sx_trace_buffer* t) { return sxi_count(t->stack); }

uint32_t sxi_slot_of(const sx_trace_buffer* t, uint32_t chain);

/* Where a chain starts and ends (chains.c). */
uint64_t sxi_chain_start(const sx_trace_buffer* t, uint32_t chain);
uint64_t sxi_chain_end(const sx_trace_buffer* t, uint32_t chain);

static inline bool sxi_is_apart(const sx_trace_buffer* t, uint32_t slot) { return (t->links[slot] & SXI_APART) != 0; }

bool sxi_is_tied(const sx_trace_buffer* t, uint32_t chain);

/* The lowest chain of the group whose highest is `chain`. One that stands for several errors is the lowest, since only
 * the newest of them is in the group. */
uint32_t sxi_group(const sx_trace_buffer* t, uint32_t chain);

/* The number of frames of a chain, its origin included, that come before its first position. */
uint64_t sxi_frames_before(const sx_trace_buffer* t, uint32_t slot);

/* The number of a frame in its chain, by how many positions after the chain's start it stands. The origin has 0. */
static inline uint64_t sxi_frame_number(const sx_trace_buffer* t, uint32_t slot, uint64_t offset) {
    return offset == 0 && !sxi_is_apart(t, slot) ? 0 : sxi_frames_before(t, slot) + offset;
}

/* The position of the oldest surviving frame; `end` if none survives. */
uint64_t sxi_oldest(const sx_trace_buffer* t);

static inline uint32_t sxi_len(const sx_trace_buffer* t) { return (uint32_t)(t->end - sxi_oldest(t)); }

/* ---- Reading (chains.c). ---- */

/* The surviving frame at a position. */
uint64_t sxi_frame(const sx_trace_buffer* t, uint64_t position);

/* Describes a chain, given by its number from the bottom. */
sx_trace_chain sxi_describe_chain(const sx_trace_buffer* t, uint32_t chain);

/* True where a chain's origin is not among its surviving frames, but known. */
bool sxi_has_origin_apart(const sx_trace_chain* chain);

/* Frames of all chains that can no longer be shown. */
uint64_t sxi_omitted(const sx_trace_buffer* t);

/* True for all that a capture can have made: chains in order, positions from 0, nothing lost but what the
 * chains skip, notes that are whole. */
bool sxi_is_sound(const sx_trace_snapshot* s);

#endif
