/* The signal information of fault.h is not in the standard. */
#define _GNU_SOURCE
#include "thread.h"

#include "fault.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

/* What a thread is to do, from who creates it to the thread itself. */
struct beginning {
    void* (*entry)(void*);
    void* argument;
    struct beginning* next; /* among those that are kept */
};

/* They are used again, not freed: a thread that asks the C library for no memory gets no heap of its own from it. There
   are as many as threads have been beginning at one time. */
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static struct beginning* kept;

/* A page of them, from the system: what the allocator has given out is the program's. */
static void keep_more(void) {
    enum { BYTES = 4096 };
    void* page = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    struct beginning* all = page;
    for (size_t i = 0; i < BYTES / sizeof *all; ++i) {
        all[i].next = kept;
        kept = &all[i];
    }
}

static struct beginning* take(void) {
    pthread_mutex_lock(&kept_lock);
    if (kept == NULL) keep_more();
    struct beginning* b = kept;
    if (b != NULL) kept = b->next;
    pthread_mutex_unlock(&kept_lock);
    return b;
}

static void give_back(struct beginning* b) {
    pthread_mutex_lock(&kept_lock);
    b->next = kept;
    kept = b;
    pthread_mutex_unlock(&kept_lock);
}

/* The handler's stack lies in this frame, above all that the thread goes on to use, and goes with it. */
static void* sxi_thread_main(void* argument) {
    char handler_stack[SX_FAULT_STACK] __attribute__((aligned(16)));
    sx_fault_watch_thread(handler_stack);
    struct beginning b = *(struct beginning*)argument;
    give_back(argument);
    return b.entry(b.argument);
}

int sx_thread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*entry)(void*), void* argument) {
    struct beginning* b = take();
    if (b == NULL) return EAGAIN;
    b->entry = entry;
    b->argument = argument;
    int error = pthread_create(thread, attributes, sxi_thread_main, b);
    if (error != 0) give_back(b);
    return error;
}
