/*
 * Output that a compiled sx program has collected and not yet written (library/modules/std/output.sx): it is written
 * when the process ends by itself, and before a panic or an unhandled error is reported, so that what was written
 * first is seen first.
 */
#ifndef SX_PROGRAM_OUTPUT_H
#define SX_PROGRAM_OUTPUT_H

#include "sx/trace.h"

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* What waits for a descriptor. Memory of the program, which the library lays out in the same way. */
typedef struct sx_output {
    struct sx_output* next;
    const char* bytes;
    int64_t len;
    int64_t fd;
} sx_output;

/* Has it written at the end. It must stay where it is until sx_output_drop. One thread of a program does this. */
SX_TRACE_API void sx_output_keep(sx_output* output);
/* Forgets it, without writing. */
SX_TRACE_API void sx_output_drop(sx_output* output);
/* Writes what waits, the newest output first, and empties it. Async-signal-safe; keeps errno. */
SX_TRACE_API void sx_output_flush(void);

#if defined(__cplusplus)
}
#endif

#endif
