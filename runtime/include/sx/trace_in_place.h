/*
 * What a hop in place needs: the state of a thread. sx/trace_calls.h includes this.
 *
 * A call in each function on an error's way is most of what a hop costs, and deep down it spoils the
 * processor's prediction of returns. So sources that define SX_TRACE_HOPS_IN_PLACE before they include the macros of
 * sx/trace.hpp and sx/trace_c.h record a hop in the code of the function that the error passes. It takes half of the
 * time or less, and about a hundred bytes of cold code at a site instead of thirty. Both do the same, and may be mixed.
 *
 * Programs built so need a library of the same major version, as all others do.
 */
#ifndef SX_TRACE_IN_PLACE_H
#define SX_TRACE_IN_PLACE_H

#include "sx/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a thread. The fields are the runtime's own; they are told in src/thread.h. What code in place
 * reads and writes stands first: trace.frames, end, lost, sealed, error. */
struct sx_trace_thread {
    sx_trace_buffer trace;
    uint8_t notes[SX_TRACE_NOTES];
    struct sxi_change* pending;
    const sx_trace_resolver* resolver;
};

/* Initial-exec: reached without a call even from a shared library. */
extern SX_TRACE_API __thread struct sx_trace_thread sx_trace_thread __attribute__((tls_model("initial-exec")));

#ifdef __cplusplus
}
#endif

#endif
