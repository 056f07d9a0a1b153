/* The state of a thread, and what keeps it sound when a signal handler interrupts a change. */
#ifndef SX_TRACE_THREAD_H
#define SX_TRACE_THREAD_H

#include "buffer.h"
#include "sx/trace_in_place.h"

/*
 * The fields of struct sx_trace_thread besides the trace:
 *
 *   sealed    where `end` stood when the newest handler was entered; 0 = in none
 *   begun     counts the chains begun: tells whether a signal handler was here
 *   floor     `lost` is not taken back below it while `end` jumps; else 0
 *   resolver  see sx_trace_set_resolver
 */

/* The library's own names for functions of the failing path. A call by the public name may go through
 * the dynamic linker, which does not keep all registers. */
extern __typeof__(sx_trace_raise) sxi_raise __attribute__((visibility("hidden")));
extern __typeof__(sx_trace_push) sxi_push __attribute__((visibility("hidden")));
extern __typeof__(sx_trace_absorb) sxi_absorb __attribute__((visibility("hidden")));
extern __typeof__(sx_trace_clear) sxi_clear __attribute__((visibility("hidden")));

/*
 * A signal handler runs between any two instructions of this thread. It may read, and it may raise
 * and absorb: then it leaves `top` and `end` as it found them, but it may have used any free slot
 * meanwhile, and `lost` and `bottom` may have grown. What each step of a change relies on:
 *
 *   - A hop is written to its slot, then `end` moves. A handler does not touch that slot: its first
 *     frame is an origin, which leaves the slot unused; unless it goes round the whole ring, and
 *     then it leaves `lost` above the slot, and the hop counts as lost.
 *   - A chain is begun by moving `top`, then its entry is filled, its link last. A handler in
 *     between sees a vacant entry, for it leaves those that it used vacant, and goes above it.
 *   - A chain is dropped by moving `end`, then its entry is vacated, then `top` moves. In between
 *     it is a chain without frames.
 *   - `lost` and `bottom` grow by sxi_raise_to, which cannot undo what a handler did.
 *
 * Such steps are separated by sxi_step, for the compiler must not reorder them. (It may move plain
 * loads across an atomic_signal_fence, and clang does.)
 */
static inline void sxi_step(void) { __asm__ volatile("" ::: "memory"); }

static inline void sxi_raise_to(uint64_t *number, uint64_t least) {
    uint64_t seen = *number;
    while (seen < least && !__atomic_compare_exchange_n(number, &seen, least, false,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

#endif
