/*
 * Changes of several words that a signal handler sees whole or not at all: two chains become one, and a group
 * comes to the top.
 *
 * What the words shall be is worked out first, on the stack of the function that makes the change. Then
 * `pending` is set to it, and from that store on the change is made: whoever comes and finds it (every function
 * asks first) finishes it. A handler that did so goes on with the new state; when the function that it
 * interrupted runs again, it sees before each word that the change is no longer pending, and stops. It may have
 * looked just before the handler came, though, and so can store one word late. That does no harm to any of them:
 *
 *   - a frame: the word is as it should be, or free by now, or lost
 *   - the words of the table are replaced only where the old one stands, which does not come back: in each that changes
 *     there is a number of a chain that is in flight all along, and handlers can only merge others into it, by which
 * such numbers grow
 *   - the stack has a generation
 *   - `error`, `sealed` are computed from the others
 */
#ifndef SX_TRACE_CHANGE_H
#define SX_TRACE_CHANGE_H

#include "thread.h"

/* What changes of the table: a copy of the fields of sx_trace_buffer from `starts` to `links`. */
struct sxi_table {
    uint64_t starts[SX_TRACE_CHAINS];
    uint32_t skipped[SX_TRACE_CHAINS];
    uint32_t counts[SX_TRACE_CHAINS];
    uint8_t links[SX_TRACE_CHAINS];
};

struct sxi_change {
    uint64_t before, after;           /* of `stack` */
    uint64_t first, last;             /* positions whose frames change */
    uint64_t frames[SX_TRACE_FRAMES]; /* by slot of the ring */
    struct sxi_table tables[2];       /* before and after */
    bool made;
};

/* Finishes the change that is pending. */
SX_TRACE_COLD void sxi_finish(struct sx_trace_thread* thread);

/* What every function of the library does first; a call where size counts for more than time. */
static inline struct sx_trace_thread* sxi_thread_in_place(void) {
    struct sx_trace_thread* thread = &sx_trace_thread;
    if (__builtin_expect(thread->pending != NULL, 0)) sxi_finish(thread);
    return thread;
}
struct sx_trace_thread* sxi_thread(void);

/* Makes the two oldest chains one, where the table is full. */
SX_TRACE_COLD void sxi_merge_oldest(struct sx_trace_thread* thread);

/* Brings the chain of this number to the top with its group, or by itself. */
void sxi_bring_to_top(struct sx_trace_thread* thread, uint32_t number, bool with_group);

#endif
