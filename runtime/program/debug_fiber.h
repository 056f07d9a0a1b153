/*
 * Fibers, and other things with a stack of their own, as debuggers see them (libsxprogram). Each has a record in one
 * list, which is read from outside, from the symbol `sx_debug_fibers` on, while the program stands still: nothing of
 * the program runs for it. A list that is read in the midst of a change is one of before or after it.
 *
 * Fibers of fiber.h announce themselves. C code with coroutines of its own fills in a record and calls
 * sx_debug_fiber_begin. Fields may be stored to at any time by whoever owns the record; the state by
 * sx_debug_fiber_set_state, for debuggers that tell of changes.
 */
#ifndef SX_PROGRAM_DEBUG_FIBER_H
#define SX_PROGRAM_DEBUG_FIBER_H

#include "sx/trace.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum {
    SX_DEBUG_FIBER_VERSION = 2, /* changes when the fields below come to mean something else */
    SX_DEBUG_CHANGES = 4096,    /* changes of states that are remembered */
};

enum sx_debug_state {
    SX_DEBUG_READY = 0, /* it may run, and others do */
    SX_DEBUG_RUNNING,
    SX_DEBUG_WAITING, /* `reason` says for what */
    SX_DEBUG_DONE,
};

enum sx_debug_reason {
    SX_DEBUG_NO_REASON = 0,
    SX_DEBUG_WAKE,    /* for somebody to wake it */
    SX_DEBUG_SLEEP,   /* `object`: until when, in milliseconds of its scheduler's clock */
    SX_DEBUG_CHANNEL, /* `object`: the channel's number */
    SX_DEBUG_AWAIT,   /* `object`: the `task` of what it waits for */
    SX_DEBUG_ANY,     /* for the first of several; `object`: the address of their `task`s and a zero; 0: not known */
    SX_DEBUG_IO,      /* `object`: the descriptor */
    SX_DEBUG_MUTEX,
};

/* One fiber. What is not known is zero. */
typedef struct sx_debug_fiber {
    struct sx_debug_fiber *next, *previous; /* in the list */
    uint32_t id;                            /* from 1 on, in the order of beginning, never used again; given by
                                               sx_debug_fiber_begin. 0: a thread that waits outside of fibers */
    uint32_t state, reason;
    uint32_t thread; /* the system's number of the thread that it ran on last */
    uint64_t object; /* what it waits for, as `reason` says */
    const char* name;
    uint64_t name_bytes;
    const void* code;       /* the function that it runs, for a name */
    const void* task;       /* what it works for: others may wait for that */
    const void *low, *high; /* its stack: the first address, and the first one after it */
    /* Where it stands while it does not run: the address of a stack pointer, at which lie the registers that a call
       keeps, in the order in which sx_fiber_jump pushes them, and the return address; or else */
    void* const* saved;
    /* the frame address (__builtin_frame_address(0)) of the function that has left its stack. */
    const void* frame;
    /* While it runs: a stack pointer like `saved` of who resumed it, and the record of that; NULL: the thread. */
    void* const* outer;
    const struct sx_debug_fiber* resumer;
    /* What is in flight of a fiber that does not run, and of who resumed it, while they stand still. NULL: nothing. */
    const sx_trace_state *trace, *outer_trace;
} sx_debug_fiber;

/* A fiber has gone from one state to another. */
typedef struct sx_debug_change {
    uint32_t id;
    uint8_t from, to;
    uint8_t reason; /* for which it waits now */
    uint8_t unused;
} sx_debug_change;

typedef struct sx_debug_fiber_list {
    uint32_t version;
    uint32_t created; /* the last id that was given */
    sx_debug_fiber* first;
    uint32_t logs; /* a debugger writes 1 here: changes of states are remembered from then on */
    uint32_t unused;
    uint64_t change_count;    /* so many there were; number n is at place n % SX_DEBUG_CHANGES, counted from 0 */
    sx_debug_change* changes; /* SX_DEBUG_CHANGES places */
} sx_debug_fiber_list;

/* Where the list begins. */
SX_TRACE_API const sx_debug_fiber_list* sx_debug_fiber_records(void);
/* Copies at most `most` records, youngest first. Returns how many there are. For whoever is in the same process. */
SX_TRACE_API size_t sx_debug_fiber_copy(sx_debug_fiber* records, size_t most);

/* Changes of states are remembered from now on, or not any more. */
SX_TRACE_API void sx_debug_fiber_log(uint32_t on);

/* Stores a new state, which is remembered where somebody wants to know. */
SX_TRACE_API void sx_debug_fiber_set_state(sx_debug_fiber* record, uint32_t state);

/* The record, which its owner has filled in but for the links and the id, is in the list until `end`. */
SX_TRACE_API void sx_debug_fiber_begin(sx_debug_fiber* record);
SX_TRACE_API void sx_debug_fiber_end(sx_debug_fiber* record);

/* ---- of whoever calls: the fiber that runs, or outside of fibers the thread ---- */

/* Its record. */
SX_TRACE_API sx_debug_fiber* sx_debug_fiber_own(void);
/* It is about to wait. SX_DEBUG_WAKE leaves a reason that was given before. */
SX_TRACE_API void sx_debug_fiber_wait(uint32_t reason, uint64_t object);
/* It waits no more. */
SX_TRACE_API void sx_debug_fiber_go(void);
/* The next fiber that is created here runs this function, and works for `task`. */
SX_TRACE_API void sx_debug_fiber_next(const void* code, const void* task);

/* A number for something that fibers wait for, from 1 on. */
SX_TRACE_API uint32_t sx_debug_number(void);

#if defined(__cplusplus)
}
#endif

#endif
