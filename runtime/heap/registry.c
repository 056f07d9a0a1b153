#define _GNU_SOURCE
#include "tables.h"

#include "../program/fiber.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_decided;

/* The C library's own functions. The names would lead back here, since they are what was replaced. */
static struct {
    void* (*malloc)(size_t);
    void* (*realloc)(void*, size_t);
    void (*free)(void*);
    int (*posix_memalign)(void**, size_t, size_t);
} c;
extern void* dlsym(void* library, const char* name) __attribute__((weak)); /* of the C library since glibc 2.34 */

static bool find_allocator(void) {
    if (dlsym == NULL) return false;
    *(void**)&c.malloc = dlsym(RTLD_DEFAULT, "malloc");
    *(void**)&c.realloc = dlsym(RTLD_DEFAULT, "realloc");
    *(void**)&c.free = dlsym(RTLD_DEFAULT, "free");
    *(void**)&c.posix_memalign = dlsym(RTLD_DEFAULT, "posix_memalign");
    return c.malloc != NULL && c.realloc != NULL && c.free != NULL && c.posix_memalign != NULL;
}

/* The history of freed blocks, a queue chained by `older`. */
static uint32_t oldest, newest;
static uint64_t history_count, kept_bytes;

static uint32_t thread_number(void) {
    static _Thread_local uint32_t number __attribute__((tls_model("initial-exec")));
    if (number == 0) number = (uint32_t)syscall(SYS_gettid);
    return number;
}

static void begin(void) {
    pthread_mutex_lock(&lock);
    sxi_heap_keep_tables();
    sxi_heap_keep(&oldest, sizeof oldest);
    sxi_heap_keep(&newest, sizeof newest);
    sxi_heap_keep(&history_count, sizeof history_count);
    sxi_heap_keep(&kept_bytes, sizeof kept_bytes);
    sx_heap_registry.busy = 1;
}

static void end(void) {
    sx_heap_registry.busy = 0;
    pthread_mutex_unlock(&lock);
}

/* A child has no other threads that could end a change. */
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }

bool sx_heap_decide(bool force) {
    if (is_decided) return sx_heap_registry.on != 0;
    is_decided = true;
    const char* wish = getenv("SX_HEAP");
    if (!force && (wish == NULL || strcmp(wish, "track") != 0)) return false;
    if (!find_allocator()) return false;
    pthread_atfork(before_fork, after_fork, after_fork);
    sx_heap_registry.on = 1;
    return true;
}

bool sx_heap_is_decided(void) { return is_decided; }

bool sx_heap_is_on(void) { return sx_heap_registry.on != 0; }

void sx_heap_set_undo(const sx_heap_undo* undo) { sxi_heap_undo = undo; }

void sx_heap_set_packed(void) { sx_heap_registry.packed = 1; }

const sx_heap_table* sx_heap_tables(void) { return &sx_heap_registry; }

/* ---- giving out ---- */

static void* raw_block(size_t size, size_t align) {
    if (size > PTRDIFF_MAX - SX_HEAP_GUARD) return NULL;
    void* block = NULL;
    if (sxi_heap_undo != NULL) return sxi_heap_undo->allocate(size + SX_HEAP_GUARD, align);
    if (align <= 16) return c.malloc(size + SX_HEAP_GUARD);
    return c.posix_memalign(&block, align, size + SX_HEAP_GUARD) == 0 ? block : NULL;
}

static void give_back(void* block) {
    if (block == NULL) return;
    if (sxi_heap_undo != NULL) sxi_heap_undo->release(block);
    else c.free(block);
}

/* Nothing is lost where there is no room for the record: the block is then like one of somebody else's. */
static void note(void* block, size_t size, const uint64_t* frames, unsigned count) {
    uint32_t number = sxi_heap_new_record();
    if (number == 0) return;
    sx_heap_record* r = sxi_heap_record(number);
    sxi_heap_keep(r, sizeof *r);
    *r = (sx_heap_record){.address = (uint64_t)(uintptr_t)block,
                          .size = size,
                          .serial = ++sx_heap_registry.last_serial,
                          .site = sxi_heap_site(frames, count),
                          .thread = thread_number(),
                          .fiber = sx_fiber_number()};
    if (!sxi_heap_enter(number)) {
        sxi_heap_drop_record(number);
        return;
    }
    r->state = SX_HEAP_LIVE;
    sx_heap_registry.live_count += 1;
    sx_heap_registry.live_bytes += size;
}

void* sx_heap_allocate(size_t size, size_t align, const uint64_t* frames, unsigned count) {
    void* block = raw_block(size, align);
    if (block == NULL) return NULL;
    sxi_heap_keep((char*)block + size, SX_HEAP_GUARD);
    memset((char*)block + size, SX_HEAP_GUARD_BYTE, SX_HEAP_GUARD);
    begin();
    note(block, size, frames, count);
    end();
    return block;
}

/* ---- taking back ---- */

/* Forgets the oldest freed block. Returns its memory if that was kept. */
static void* forget_oldest(void) {
    uint32_t number = oldest;
    sx_heap_record* r = sxi_heap_record(number);
    void* memory = NULL;
    oldest = r->older;
    if (oldest == 0) newest = 0;
    --history_count;
    if (r->state == SX_HEAP_FREED) {
        sxi_heap_leave(number);
        kept_bytes -= r->size;
        memory = (void*)(uintptr_t)r->address;
    }
    sxi_heap_drop_record(number);
    return memory;
}

static void remember(uint32_t number) {
    if (newest != 0) sxi_heap_keep(sxi_heap_record(newest), sizeof(sx_heap_record));
    sxi_heap_record(number)->older = 0;
    if (newest == 0) oldest = number;
    else sxi_heap_record(newest)->older = number;
    newest = number;
    ++history_count;
}

/* Marks a live block as freed. Returns memory to give back, if there is any. */
static void* retire(uint32_t number, const uint64_t* frames, unsigned count) {
    sx_heap_record* r = sxi_heap_record(number);
    void* block = NULL;
    sxi_heap_keep(r, sizeof *r);
    r->freed_site = sxi_heap_site(frames, count);
    r->freed_thread = thread_number();
    sx_heap_registry.live_count -= 1;
    sx_heap_registry.live_bytes -= r->size;
    if (r->size > SX_HEAP_KEPT_BLOCK) {
        r->state = SX_HEAP_GONE;
        sxi_heap_leave(number);
        block = (void*)(uintptr_t)r->address;
    } else {
        r->state = SX_HEAP_FREED;
        kept_bytes += r->size;
    }
    remember(number);
    return block;
}

static void freed_twice(void) {
    static const char text[] = "free(): memory was freed twice\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) abort();
    abort();
}

void sx_heap_release(void* block, const uint64_t* frames, unsigned count) {
    if (block == NULL) return;
    begin();
    uint32_t number = sxi_heap_find((uint64_t)(uintptr_t)block);
    bool was_freed = number != 0 && sxi_heap_record(number)->state == SX_HEAP_FREED;
    void* memory = number == 0 ? block : was_freed ? NULL : retire(number, frames, count);
    end();
    if (was_freed) freed_twice();
    give_back(memory);
    for (;;) { /* one at a time, since the C library is called without the lock */
        begin();
        bool is_full = history_count > SX_HEAP_HISTORY || kept_bytes > SX_HEAP_KEPT_BYTES;
        memory = is_full ? forget_oldest() : NULL;
        end();
        if (!is_full) return;
        give_back(memory);
    }
}

/* The size of a live block; SIZE_MAX where it is not the registry's. */
static size_t size_of(void* block) {
    begin();
    uint32_t number = sxi_heap_find((uint64_t)(uintptr_t)block);
    size_t size = number == 0 ? SIZE_MAX : sxi_heap_record(number)->size;
    bool was_freed = number != 0 && sxi_heap_record(number)->state != SX_HEAP_LIVE;
    end();
    if (was_freed) freed_twice();
    return size;
}

void* sx_heap_resize(void* block, size_t size, const uint64_t* frames, unsigned count) {
    if (block == NULL) return sx_heap_allocate(size, 0, frames, count);
    size_t before = size_of(block);
    bool is_ours = before != SIZE_MAX;
    if (!is_ours && sxi_heap_undo == NULL) return c.realloc(block, size);
    if (!is_ours)
        before = malloc_usable_size(block); /* it stays where it is: that it is gone could not be taken back */
    void* fresh = sx_heap_allocate(size, 0, frames, count);
    if (fresh == NULL) return NULL;
    size_t moved = before < size ? before : size;
    sxi_heap_keep(fresh, moved);
    memcpy(fresh, block, moved);
    if (is_ours) sx_heap_release(block, frames, count);
    return fresh;
}
