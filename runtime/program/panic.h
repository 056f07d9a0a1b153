/*
 * Run-time failures of compiled sx programs (libsxprogram): output that the program has collected is written, then one
 * line on stderr, then the error return trace that is in flight, if there is one, then abort().
 *
 * `at` is the position shown: its file, line and col; the rest of the frame is not looked at.
 * NULL leaves the place out. All of them are async-signal-safe and allocate nothing.
 */
#ifndef SX_PROGRAM_PANIC_H
#define SX_PROGRAM_PANIC_H

#include "sx/trace.h"

#include <stdbool.h>
#include <stddef.h>

#if defined(__cplusplus)
#define SX_PANIC [[noreturn]] SX_TRACE_API
extern "C" {
#else
#define SX_PANIC _Noreturn SX_TRACE_API __attribute__((cold))
#endif

/* `panic: WHAT at FILE:LINE:COL`; `what` has `len` bytes. */
SX_PANIC void sx_panic_message(const sx_frame* at, const char* what, size_t len);

/* `panic: WHAT in FUNCTION at FILE:LINE:COL`: the frame's function as well. */
SX_PANIC void sx_panic_in(const sx_frame* function, const char* what, size_t len);

/* Whether a panic has begun to print: what comes to be of the process is said. */
SX_TRACE_API bool sx_panic_is_printed(void);

/*
 * What a debugger reads of a process that ends by a panic, also in its core file; all of it is 0 before.
 *
 * The text is what is printed, as it was given: without `panic: `, the function and the place. It stays as long as the
 * process does.
 */
struct sx_debug_panic {
    const char* text;
    uint64_t len;     /* in bytes */
    int64_t signal;   /* the fault that is reported; 0: it is none */
    uint64_t address; /* of a fault: of the access; UINT64_MAX: not known */
};
SX_TRACE_API extern volatile struct sx_debug_panic sx_debug_panic;

/* `panic: null pointer at ...` */
SX_PANIC void sx_panic_null(const sx_frame* at);

/* `panic: index I out of range for length N at ...` */
SX_PANIC void sx_panic_index(const sx_frame* at, int64_t index, int64_t length);

/* `panic: slice A..B out of range for length N at ...` */
SX_PANIC void sx_panic_slice(const sx_frame* at, int64_t from, int64_t to, int64_t length);

#if defined(__cplusplus)
}
#endif

#endif
