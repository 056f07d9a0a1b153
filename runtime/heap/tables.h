/* Tables that grow and never move. Private to the registry; whoever changes them holds its lock. */
#ifndef SX_HEAP_TABLES_H
#define SX_HEAP_TABLES_H

#include "heap.h"

extern sx_heap_table sx_heap_registry __attribute__((visibility("hidden")));

/* Before a change of what can be taken back (sx_heap_undo). */
extern const sx_heap_undo* sxi_heap_undo __attribute__((visibility("hidden")));
static inline void sxi_heap_keep(const void* memory, size_t size) {
    if (sxi_heap_undo != NULL) sxi_heap_undo->keep(memory, size);
}
/* The same of everything that has no number. */
void sxi_heap_keep_tables(void) __attribute__((visibility("hidden")));

/* By number, from 1 on. */
sx_heap_record* sxi_heap_record(uint32_t number) __attribute__((visibility("hidden")));
/* The number of an unused one; 0: there is no memory. */
uint32_t sxi_heap_new_record(void) __attribute__((visibility("hidden")));
void sxi_heap_drop_record(uint32_t number) __attribute__((visibility("hidden")));

/* The record of the block that begins at an address, if its memory has not been given back; else 0. */
uint32_t sxi_heap_find(uint64_t address) __attribute__((visibility("hidden")));
/* Makes it known by its address. False: there is no memory. */
bool sxi_heap_enter(uint32_t number) __attribute__((visibility("hidden")));
void sxi_heap_leave(uint32_t number) __attribute__((visibility("hidden")));

/* The number of the site with these frames; 0 where there are none, or too many sites. */
uint32_t sxi_heap_site(const uint64_t* frames, unsigned count) __attribute__((visibility("hidden")));

/* The return addresses that lead to here, by the chain of frames that begins at `frame_pointer`: no
   more than SX_HEAP_FRAMES. */
unsigned sxi_heap_walk(uint64_t frames[SX_HEAP_FRAMES], const void* frame_pointer)
    __attribute__((visibility("hidden")));

#endif
