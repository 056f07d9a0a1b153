/* The state of a thread, and what keeps it sound when a signal handler interrupts a change. */
#ifndef SX_TRACE_THREAD_H
#define SX_TRACE_THREAD_H

#include "buffer.h"
#include "sx/trace_in_place.h"

/*
 * The fields of struct sx_trace_thread besides those that buffer.h tells:
 *
 *   sealed    where the chain that the newest handler handles ends; 0 = in none. A hop in place asks whether
 *             `end` stands there, and then makes a call instead
 *   error     that of the newest chain, a copy of its entry, for hops in place; 0 = unknown, or none in flight
 *   numbers   of chains: the low half of the generation in which each began. No two in flight share one, and a
 *             move keeps it, so handlers and notes name their chains by it. A snapshot keeps those of its chains,
 *             by which sx_trace_find knows them again
 *   depths    of the handler that handles a chain, the outermost has 1; 0 = it is not being handled
 *   pending   a change of several words that is being made (change.h)
 *   resolver  see sx_trace_set_resolver
 */

/* Changes when the fields come to mean something else. */
#define SXI_LAYOUT_VERSION 2

/* The library's own names for functions of the failing path. A call by the public name may go through
 * the dynamic linker, which does not keep all registers. */
#define SXI_OWN __attribute__((visibility("hidden")))
extern __typeof__(sx_trace_push_error) sxi_push_error SXI_OWN;
extern __typeof__(sx_trace_push) sxi_push SXI_OWN;
extern __typeof__(sx_trace_absorb) sxi_absorb SXI_OWN;

/*
 * A signal handler runs between any two instructions of this thread. It may read, and it may raise
 * and absorb: then it leaves the chains in flight and `end` as it found them, but it may have used any free
 * slot meanwhile, `lost` may have grown, and chains at the bottom may have become one. What each step of a
 * change relies on:
 *
 *   - A hop is written to its slot, then `end` moves. A handler does not touch that slot: its first
 *     frame is an origin, which leaves the slot unused; unless it goes round the whole ring, and
 *     then it leaves `lost` above the slot, and the hop counts as lost.
 *   - A chain is begun by filling a free entry, then the stack takes it in, if its generation is still what
 *     it was; else a handler may have used the entry, and all is done again.
 *   - A chain is dropped by moving `end`, then the stack. In between it is a chain without frames.
 *   - `lost` grows by sxi_raise_to, which cannot undo what a handler did.
 *   - Whatever takes more than one word, merging and moving chains, goes through change.h.
 *
 * Such steps are separated by sxi_step, for the compiler must not reorder them. (It may move plain
 * loads across an atomic_signal_fence, and clang does.)
 */
static inline void sxi_step(void) { __asm__ volatile("" ::: "memory"); }

/* Stores `after` where `before` stands: one instruction, which needs no bus lock, since nobody but this thread's
 * own signal handlers comes between. */
#if defined(__x86_64__) && defined(__GNUC__)
#define SXI_REPLACE(type, suffix) \
    static inline bool sxi_replace_##suffix(type* at, type before, type after) { \
        bool done; \
        __asm__ volatile("cmpxchg %3, %1" : "=@ccz"(done), "+m"(*at), "+a"(before) : "r"(after) : "memory"); \
        return done; \
    }
#else
#define SXI_REPLACE(type, suffix) \
    static inline bool sxi_replace_##suffix(type* at, type before, type after) { \
        return __atomic_compare_exchange_n(at, &before, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    }
#endif
SXI_REPLACE(uint64_t, 64)
typedef uint64_t __attribute__((may_alias)) sxi_word; /* several numbers at once */
SXI_REPLACE(sxi_word, word)

static inline void sxi_raise_to(uint64_t* number, uint64_t least) {
    uint64_t seen = *number;
    while (seen < least && !sxi_replace_64(number, seen, least)) seen = *number;
}

/* A chain that began in generation `number` or after it. (Half of all numbers lie before it.) */
static inline bool sxi_is_since(uint32_t number, uint64_t generation) {
    return (int32_t)(number - (uint32_t)generation) >= 0;
}

static inline uint64_t sxi_generation(const sx_trace_buffer* t) { return t->stack / SXI_GENERATION; }

/* Takes up what the stack says now: `error` and `sealed` (ring.c). */
SX_TRACE_COLD void sxi_refresh(struct sx_trace_thread* thread);

/* Begins a chain with these flags; where it is SXI_APART, `frame` takes no position (ring.c). */
void sxi_begin_chain(struct sx_trace_thread* thread, uint64_t frame, uint64_t error, uint8_t flags);

/* Adds a hop to the newest chain, which there must be. */
void sxi_append_hop(struct sx_trace_thread* thread, uint64_t frame);

/* Drops the chains from number `first` up; those that handlers have merged meanwhile stay as one. */
void sxi_drop_from(struct sx_trace_thread* thread, uint32_t first);

#endif
