/* Faults of compiled sx programs (libsxprogram): a line and the trace in flight instead of a bare signal. */
#ifndef SX_PROGRAM_FAULT_H
#define SX_PROGRAM_FAULT_H

#include "sx/trace.h"

#include <signal.h>
#include <stddef.h>

#if defined(__cplusplus)
#define SX_FAULT_NORETURN [[noreturn]] SX_TRACE_API
extern "C" {
#else
#define SX_FAULT_NORETURN _Noreturn SX_TRACE_API __attribute__((cold))
#endif

/*
 * From here on an access to memory that is not there or may not be written, an invalid instruction, a trap of the
 * processor and an abort() end as panics do: `panic: WHAT`, with ` in FUNCTION at FILE:LINE:COL` where the machine
 * stood in compiled code (functions.h), the trace that is in flight, abort(). A signal that was sent takes the way it
 * took before.
 *
 * A used-up stack is told from other faults for the calling thread, below the caller's frame, and for fibers in any
 * thread that is watched. The handler runs on a stack of its own there. It is one for the process, so one thread calls
 * this; others call sx_fault_watch_thread. Compiled code touches every page of a large frame in order, so it meets the
 * guard page and not what lies behind it. A larger stack for handlers that the thread has is kept.
 *
 * A second fault while the first is reported ends the process without more words.
 */
SX_TRACE_API void sx_fault_watch(void);

/* Bytes of a stack for the handler. */
enum { SX_FAULT_STACK = 64 * 1024 };

/* The same for one more thread, the calling one, below `stack`: the upper part of its own stack, in a frame that stays
   until it ends. Faults before sx_fault_watch are the signal's. */
SX_TRACE_API void sx_fault_watch_thread(char stack[SX_FAULT_STACK]);

/* Room for the longest text of sx_fault_text. */
enum { SX_FAULT_TEXT = 64 };

/* What a fault is called: `invalid memory access at address 0x…`, `write to constant memory`, or the signal's name.
   Returns the length. Async-signal-safe. `context`: the handler's third argument. */
SX_TRACE_API size_t sx_fault_text(const siginfo_t* info, const void* context, char text[SX_FAULT_TEXT]);

/* Reports faults instead, for a machine that knows better where it stands; NULL: nobody. Called in the handler, and
   ends the process. */
SX_TRACE_API void sx_fault_set_reporter(void (*report)(const siginfo_t* info, const void* context));

/* Told of each fault before it is reported, of an abort(), and of such a signal that was sent, in the handler; NULL:
   nobody. `is_overflow`: the stack is used up, which is a panic. It may leave by a jump, and then nothing is reported;
   nor is it, and the process goes on, where it returns true: for a signal that was sent. */
SX_TRACE_API void sx_fault_set_witness(bool (*see)(const siginfo_t* info, bool is_overflow));

/* `panic: stack overflow in FUNCTION at FILE:LINE:COL`, the trace that is in flight, abort(). `at`: the function at the
   top of the stack, or NULL. Async-signal-safe. */
SX_FAULT_NORETURN void sx_stack_overflow(const sx_frame* at);

#if defined(__cplusplus)
}
#endif

#endif
