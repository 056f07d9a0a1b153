/* The functions that take the place of the allocator's in machine code: they walk the stack by themselves. */
#define _GNU_SOURCE
#include "tables.h"

#include "../program/fiber.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

/* ---- who calls ---- */

/* The upper end of the stack that this thread, or the fiber in it, runs on; 0: not known. */
static uintptr_t stack_end(uintptr_t here) {
    static _Thread_local uintptr_t from, to __attribute__((tls_model("initial-exec")));
    uintptr_t fiber = (uintptr_t)sx_fiber_stack_end();
    if (fiber != 0) return fiber;
    if (to == 0) {
        pthread_attr_t attributes;
        void* start = NULL;
        size_t bytes = 0;
        to = 1;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
        if (pthread_attr_getstack(&attributes, &start, &bytes) == 0) {
            from = (uintptr_t)start;
            to = from + bytes;
        }
        pthread_attr_destroy(&attributes);
    }
    return from <= here && here < to ? to : 0;
}

/* Frames are chained by their frame pointers. Code that has none ends the walk early, or leaves a frame out; each
   link has to lie further up on the same stack, so nothing else is ever read. */
unsigned sxi_heap_walk(uint64_t frames[SX_HEAP_FRAMES], const void* frame_pointer) {
    uintptr_t at = (uintptr_t)frame_pointer, end = stack_end(at);
    unsigned count = 0;
    while (count < SX_HEAP_FRAMES && at % sizeof at == 0 && at < end && end - at >= 2 * sizeof at) {
        const uintptr_t* link = (const uintptr_t*)at;
        if (link[1] < 4096) break;
        frames[count++] = link[1];
        if (link[0] <= at) break;
        at = link[0];
    }
    return count;
}

#define WALK(frames) sxi_heap_walk(frames, __builtin_frame_address(0))

static void* sxi_heap_malloc(size_t size) {
    uint64_t frames[SX_HEAP_FRAMES];
    return sx_heap_allocate(size, 0, frames, WALK(frames));
}

static void* sxi_heap_calloc(size_t count, size_t size) {
    uint64_t frames[SX_HEAP_FRAMES];
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
    void* block = sx_heap_allocate(bytes, 0, frames, WALK(frames));
    return block == NULL ? NULL : memset(block, 0, bytes);
}

static void* sxi_heap_realloc(void* block, size_t size) {
    uint64_t frames[SX_HEAP_FRAMES];
    return sx_heap_resize(block, size, frames, WALK(frames));
}

static void* sxi_heap_aligned_alloc(size_t align, size_t size) {
    uint64_t frames[SX_HEAP_FRAMES];
    return sx_heap_allocate(size, align, frames, WALK(frames));
}

static int sxi_heap_posix_memalign(void** out, size_t align, size_t size) {
    uint64_t frames[SX_HEAP_FRAMES];
    if (align < sizeof(void*) || (align & (align - 1)) != 0) return EINVAL;
    void* block = sx_heap_allocate(size, align, frames, WALK(frames));
    if (block == NULL) return ENOMEM;
    *out = block;
    return 0;
}

static void sxi_heap_free(void* block) {
    uint64_t frames[SX_HEAP_FRAMES];
    sx_heap_release(block, frames, WALK(frames));
}

sx_heap_function sx_heap_replacement(const char* name) {
    static const struct {
        const char* name;
        sx_heap_function function;
    } all[] = {
        {"malloc", (sx_heap_function)sxi_heap_malloc},
        {"calloc", (sx_heap_function)sxi_heap_calloc},
        {"realloc", (sx_heap_function)sxi_heap_realloc},
        {"free", (sx_heap_function)sxi_heap_free},
        {"aligned_alloc", (sx_heap_function)sxi_heap_aligned_alloc},
        {"posix_memalign", (sx_heap_function)sxi_heap_posix_memalign},
    };
    if (!sx_heap_is_on()) return NULL;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (strcmp(all[i].name, name) == 0) return all[i].function;
    return NULL;
}
