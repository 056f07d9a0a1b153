/*
 * The heap registry of sx programs (libsxprogram): what the default allocator has given out, for debuggers. It is off
 * unless asked for, and then nobody calls it. docs/heap.md tells how it comes between a program and its allocator.
 *
 * The tables are read from outside, from the symbol `sx_heap_registry` on, while the program stands still: nothing of
 * the program runs for it.
 */
#ifndef SX_HEAP_H
#define SX_HEAP_H

#include "sx/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum {
    SX_HEAP_VERSION = 1,     /* changes when the fields below come to mean something else */
    SX_HEAP_FRAMES = 12,     /* of a site */
    SX_HEAP_CHUNK = 1 << 12, /* records, or sites, that lie in one piece */
    SX_HEAP_GUARD = 32,      /* bytes after each block, which no program may touch */
    SX_HEAP_GUARD_BYTE = 0xfd,
    SX_HEAP_HISTORY = 1 << 16,     /* freed blocks that are remembered */
    SX_HEAP_KEPT_BYTES = 32 << 20, /* of memory of freed blocks that is not given back yet */
    SX_HEAP_KEPT_BLOCK = 1 << 20,  /* a freed block that is larger is given back at once */
    SX_HEAP_SITES = 1 << 20,
};

enum {
    SX_HEAP_UNUSED = 0,
    SX_HEAP_LIVE = 1,
    SX_HEAP_FREED = 2, /* its memory is kept: no other block has this address */
    SX_HEAP_GONE = 3,  /* freed, and its memory given back */
};

/* One block. Numbers of sites and of records count from 1; 0 is none. */
typedef struct sx_heap_record {
    uint64_t address, size; /* bytes, as the program asked */
    uint64_t serial;        /* of blocks, from 1 on */
    uint32_t state;
    uint32_t site, freed_site;
    uint32_t thread, freed_thread; /* the system's number */
    uint32_t fiber;                /* that asked for it, by its number (fiber.h); 0: none */
    uint32_t next;                 /* in a chain of the hash table, or of records to be used again */
    uint32_t older;                /* the next one in the history of freed blocks */
} sx_heap_record;

/* The calls that led to the allocator, innermost first. */
typedef struct sx_heap_site {
    uint64_t frames[SX_HEAP_FRAMES]; /* return addresses; of interpreted code packed frames */
    uint32_t count;
    uint32_t next;
} sx_heap_site;

typedef struct sx_heap_table {
    uint32_t version;
    uint32_t on;     /* blocks are recorded */
    uint32_t packed; /* frames are packed pairs of a function and a position */
    uint32_t busy;   /* a change is half done */
    uint32_t record_bytes, site_bytes;
    uint32_t chunk, guard;
    uint64_t last_serial;
    uint64_t live_count, live_bytes;
    uint64_t record_count, site_count;   /* that have ever been in use: numbers go up to here */
    uint64_t record_chunks, site_chunks; /* addresses of arrays of addresses */
} sx_heap_table;

/* Turns the registry on, if the environment has SX_HEAP=track, or if `force` says so. Whoever runs a program in his
   own process calls this before the program can: the first call counts, and returns whether it is on. */
SX_TRACE_API bool sx_heap_decide(bool force);
SX_TRACE_API bool sx_heap_is_on(void);
SX_TRACE_API bool sx_heap_is_decided(void);

/* At the start of an executable: unless somebody has decided, this does, and has the executable's own calls of the
   allocator go to the functions below. */
SX_TRACE_API void sx_heap_start(void);

/* What takes the place of a function of the allocator (`malloc`, `free`, …); NULL where nothing does, or the registry
   is off. */
typedef void (*sx_heap_function)(void);
SX_TRACE_API sx_heap_function sx_heap_replacement(const char* name);

/* The same with frames that somebody else has walked, as an interpreter does. `frames` are packed. `align` 0: as malloc
   does. NULL: there is no memory. */
SX_TRACE_API void* sx_heap_allocate(size_t size, size_t align, const uint64_t* frames, unsigned count);
SX_TRACE_API void* sx_heap_resize(void* block, size_t size, const uint64_t* frames, unsigned count);
/* A block of somebody else's is handed to the C library. One that was freed before ends the program. */
SX_TRACE_API void sx_heap_release(void* block, const uint64_t* frames, unsigned count);
/* Frames are packed from now on. */
SX_TRACE_API void sx_heap_set_packed(void);

/* Of whoever can take back what the program has done, an interpreter: the registry's changes as well. */
typedef struct sx_heap_undo {
    /* Before a change of memory that is the registry's, or of a block. */
    void (*keep)(const void* memory, size_t size);
    /* In the place of the C library's. `align` 0: as malloc does. NULL: there is no memory. */
    void* (*allocate)(size_t size, size_t align);
    void (*release)(void* block);
} sx_heap_undo;
/* From now on; `undo` stays where it is. */
SX_TRACE_API void sx_heap_set_undo(const sx_heap_undo* undo);

/* Where the tables begin. */
SX_TRACE_API const sx_heap_table* sx_heap_tables(void);

#if defined(__cplusplus)
}
#endif

#endif
