/* Fibers of sx programs (libsxprogram): functions with stacks of their own, which take turns on one thread. */
#ifndef SX_PROGRAM_FIBER_H
#define SX_PROGRAM_FIBER_H

#include "sx/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/*
 * A function on a stack of its own. It runs while somebody is in sx_fiber_resume for it, and stands still otherwise. A
 * fiber belongs to the thread that resumed it first: only that one may resume it again.
 *
 * Each fiber has its own error return trace. What is in flight when a fiber pauses is not seen by anybody else, and is
 * there again when it goes on.
 */
typedef struct sx_fiber sx_fiber;

/*
 * A fiber that will call `entry(argument)` when it is first resumed. `stack_bytes` is the least size of its stack;
 * below the stack is a page that faults. NULL: the system has no memory, or there are no fibers for this processor.
 */
SX_TRACE_API sx_fiber* sx_fiber_create(void (*entry)(void*), void* argument, size_t stack_bytes);

/*
 * Runs the fiber until it pauses or its function returns. True: it paused. False: it is over, and what remains is to
 * release it. Must not be called for a fiber that runs, or is over.
 */
SX_TRACE_API bool sx_fiber_resume(sx_fiber* fiber);

/* Goes back to who resumed the running fiber, and returns when it is resumed again. Does nothing outside of fibers. */
SX_TRACE_API void sx_fiber_pause(void);

/* Gives the stack back, for the next fiber. The fiber must not be running; what its function had still to do is not
 * done. */
SX_TRACE_API void sx_fiber_release(sx_fiber* fiber);

/* For interpreters, which run a fiber's function on no stack of its own: from now on this fiber is the one that runs in
 * the calling thread. NULL: none. It must not be resumed. */
SX_TRACE_API void sx_fiber_set_running(sx_fiber* fiber);

/* For debuggers (debug_fiber.h): what the fiber waited for has come; it goes on when its turn does. */
SX_TRACE_API void sx_fiber_ready(sx_fiber* fiber);
/* The name that debuggers show. The text stays the caller's, and has to stay as long as the fiber. */
SX_TRACE_API void sx_fiber_set_name(sx_fiber* fiber, const char* name, size_t bytes);
/* Its sx_debug_fiber. */
SX_TRACE_API const void* sx_fiber_record(const sx_fiber* fiber);

/* The number of the fiber that runs, in the order of their creation from 1 on; 0 outside of fibers. */
SX_TRACE_API uint32_t sx_fiber_number(void);
/* The page below the stack of the fiber that runs, which faults; NULL outside of fibers. */
enum { SX_FIBER_GUARD = 4096 };
SX_TRACE_API const void* sx_fiber_stack_guard(void);
/* The first address after the stack of the fiber that runs; NULL outside of fibers. */
SX_TRACE_API const void* sx_fiber_stack_end(void);

#if defined(__cplusplus)
}
#endif

#endif
