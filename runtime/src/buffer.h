/*
 * How a trace is laid out, in a thread and in a snapshot, and the arithmetic that reads it.
 *
 * Frames and chains are numbered from 0 up, each frame by its position in the stack of all chains,
 * and number n of either lives in slot n modulo the size. So two pairs of numbers say everything:
 *
 *   frames  [lost, end)     survive; [0, lost) are in flight too, but were overwritten
 *   chains  [bottom, top)   are in flight, the newest is top - 1
 *
 * Chain c owns the positions from its start to the start of chain c + 1, or to `end`. Its origin is
 * the frame at its start, and stands in the table only: the slot in the ring stays unused. The
 * bottom chain starts at 0 and is tied to nothing, whatever the table says; when others were
 * merged into it, its origin is `first_origin`. Hence merging the two oldest chains is little more
 * than `bottom + 1`.
 *
 * Dropping chain c takes `end` back to its start. What it overwrote stays lost: `lost` may be left
 * above `end`, which means that nothing below survives; the next frame takes it back to `end`.
 */
#ifndef SX_TRACE_BUFFER_H
#define SX_TRACE_BUFFER_H

#include "sx/trace.h"

/* What `links` holds. Slots outside of [bottom, top) are always vacant. */
enum { SXI_VACANT = 0, SXI_UNLINKED = 1, SXI_CAUSE = 2, SXI_ATTEMPT = 3 };

/* Positions stay below this, so that sums of two do not overflow. Half of it is more than a program
 * pushes; what snapshots claim to have lost is cut there. */
#define SXI_POSITIONS (UINT64_C(1) << 63)

static inline uint64_t sxi_min(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t sxi_max(uint64_t a, uint64_t b) { return a > b ? a : b; }

static inline uint64_t *sxi_frame_slot(sx_trace_snapshot *t, uint64_t position) {
    return &t->frames[position % SX_TRACE_FRAMES];
}

/* Chains in flight. A signal handler that has nested more chains than the table holds can leave
 * `top` below `bottom` for the function that it interrupted: then nothing is in flight. */
static inline uint64_t sxi_chain_count(const sx_trace_snapshot *t) {
    uint64_t count = t->top - t->bottom;
    return count <= SX_TRACE_CHAINS ? count : 0;
}

static inline uint64_t sxi_chain_origin(const sx_trace_snapshot *t, uint64_t chain) {
    return chain == t->bottom && t->merged ? t->first_origin : t->origins[chain % SX_TRACE_CHAINS];
}

/* Not above `end`: a chain that is just coming or going has no frames, and maybe no start. */
static inline uint64_t sxi_chain_start(const sx_trace_snapshot *t, uint64_t chain) {
    if (chain == t->bottom) return 0;
    bool vacant = t->links[chain % SX_TRACE_CHAINS] == SXI_VACANT;
    return vacant ? t->end : sxi_min(t->starts[chain % SX_TRACE_CHAINS], t->end);
}

static inline uint64_t sxi_chain_end(const sx_trace_snapshot *t, uint64_t chain) {
    return chain + 1 == t->top ? t->end : sxi_chain_start(t, chain + 1);
}

static inline bool sxi_is_tied(const sx_trace_snapshot *t, uint64_t chain) {
    return chain != t->bottom && t->links[chain % SX_TRACE_CHAINS] > SXI_UNLINKED;
}

/* The lowest of the chains that the newest is tied to; itself when it is not. At most
 * SX_TRACE_CHAINS - 1 steps. There must be a chain. */
static inline uint64_t sxi_newest_group(const sx_trace_snapshot *t) {
    uint64_t chain = t->top - 1;
    while (sxi_is_tied(t, chain)) --chain;
    return chain;
}

/* The position of the oldest surviving frame; `end` if none survives. */
static inline uint64_t sxi_oldest(const sx_trace_snapshot *t) { return sxi_min(t->lost, t->end); }

static inline uint32_t sxi_len(const sx_trace_snapshot *t) {
    return (uint32_t)(t->end - sxi_oldest(t));
}

/* ---- Reading (chains.c). ---- */

/* The surviving frame at a position. */
uint64_t sxi_frame(const sx_trace_snapshot *t, uint64_t position);

/* Describes a chain, given by its number in [bottom, top). */
sx_trace_chain sxi_describe_chain(const sx_trace_snapshot *t, uint64_t chain);

/* Frames of all chains that can no longer be shown. */
uint64_t sxi_omitted(const sx_trace_snapshot *t);

/* True for all that a capture can have made: then every number in it is in its range, its chains
 * number from 0, and each of them has frames. */
bool sxi_is_sound(const sx_trace_snapshot *s);

#endif
