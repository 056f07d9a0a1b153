/* Stack overflow of compiled sx programs (libsxprogram): a message instead of a bare signal. */
#ifndef SX_PROGRAM_STACK_H
#define SX_PROGRAM_STACK_H

#include "sx/trace.h"

#if defined(__cplusplus)
#define SX_STACK_NORETURN [[noreturn]] SX_TRACE_API
extern "C" {
#else
#define SX_STACK_NORETURN _Noreturn SX_TRACE_API __attribute__((cold))
#endif

/*
 * From here on a SIGSEGV whose address lies at the calling thread's stack pointer, below the caller's
 * frame, ends as sx_stack_overflow does; any other one takes the way it took before. The handler runs
 * on a stack of its own, so the thread that called last is the one that is watched.
 *
 * Compiled code touches every page of a large frame in order, so it meets the guard page and not
 * what lies behind it.
 */
SX_TRACE_API void sx_stack_watch(void);

/* `panic: stack overflow`, the trace that is in flight, abort(). Async-signal-safe. */
SX_STACK_NORETURN void sx_stack_overflow(void);

#if defined(__cplusplus)
}
#endif

#endif
