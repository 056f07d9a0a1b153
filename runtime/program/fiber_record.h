/* Between fiber.c and debug_fiber.c. */
#ifndef SX_PROGRAM_FIBER_RECORD_H
#define SX_PROGRAM_FIBER_RECORD_H

#include "debug_fiber.h"

extern sx_debug_fiber_list sx_debug_fibers __attribute__((visibility("hidden")));

void sxi_fiber_note_change(const sx_debug_fiber* record, uint32_t from) __attribute__((visibility("hidden")));

static inline void sxi_fiber_set_state(sx_debug_fiber* record, uint32_t state) {
    uint32_t from = record->state;
    record->state = state;
    if (__builtin_expect(sx_debug_fibers.logs != 0, 0) && from != state) sxi_fiber_note_change(record, from);
}

/* The record of the fiber that runs; NULL outside of fibers. */
sx_debug_fiber* sxi_fiber_record(void) __attribute__((visibility("hidden")));
/* Of what sx_debug_fiber_next has said of the next fiber. */
void sxi_fiber_take_next(sx_debug_fiber* record) __attribute__((visibility("hidden")));
/* The system's number of this thread. */
uint32_t sxi_thread_number(void) __attribute__((visibility("hidden")));

#endif
