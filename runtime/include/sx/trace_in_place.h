/*
 * A hop without a call: what sx_trace_push does, in the code of the function that the error passes.
 *
 * A call in each function on an error's way is most of what a hop costs, and deep down it spoils the
 * processor's prediction of returns. In place a hop takes about a third of the time, but some sixty
 * bytes of cold code at each site instead of twenty. Worth it where errors are frequent and travel
 * far; else call sx_trace_push.
 *
 * The macros of sx/trace.hpp and sx/trace_c.h make their hops so, except in sources that are optimised
 * for size or not at all, or that define SX_TRACE_HOPS_BY_CALL before they include these.
 *
 * For gcc and clang. The code depends on how the library lays a thread's state out: programs that
 * include this header need a library of the same major version, as all others do.
 */
#ifndef SX_TRACE_IN_PLACE_H
#define SX_TRACE_IN_PLACE_H

#include "sx/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a thread. The fields are the runtime's own; they are told in src/thread.h. */
struct sx_trace_thread {
    sx_trace_snapshot trace;
    uint64_t sealed;
    uint64_t begun;
    uint64_t floor;
    const sx_trace_resolver *resolver;
};

/* Initial-exec: reached without a call even from a shared library. */
extern SX_TRACE_API __thread struct sx_trace_thread sx_trace_thread __attribute__((tls_model("initial-exec")));

/* The usual hop: the newest chain goes on, and there is room. Else false, and nothing has happened. */
static inline __attribute__((always_inline)) bool sxi_push_in_place(uint64_t frame) {
    sx_trace_snapshot *t = &sx_trace_thread.trace;
    uint64_t end = t->end;
    /* The first comparison says that a frame survives, so there is a chain, and that fewer than all
     * slots are in use. With nothing in flight `end` is 0, and `lost` may stand above it. */
    if (end - t->lost - 1 >= SX_TRACE_FRAMES - 1 || end == sx_trace_thread.sealed) return false;
    t->frames[end % SX_TRACE_FRAMES] = frame;
    __asm__ volatile("" ::: "memory"); /* a signal handler must not see the steps in another order */
    t->end = end + 1;
    return true;
}

/* Does what sx_trace_push does. */
static inline __attribute__((always_inline)) void sx_trace_push_in_place(uint64_t frame) {
    if (!sxi_push_in_place(frame)) sx_trace_push(frame);
}

#ifdef __cplusplus
}
#endif

#endif
