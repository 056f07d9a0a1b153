#define _GNU_SOURCE
#include "debug_fiber.h"

#include "fiber.h"
#include "fiber_record.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By this name debuggers find it. */
static sx_debug_change changes[SX_DEBUG_CHANGES];
sx_debug_fiber_list sx_debug_fibers = {.version = SX_DEBUG_FIBER_VERSION, .changes = changes};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t numbers;

/* ---- changes ---- */

void sx_debug_fiber_log(uint32_t on) { sx_debug_fibers.logs = on; }

void sxi_fiber_note_change(const sx_debug_fiber* record, uint32_t from) {
    uint64_t at = __atomic_fetch_add(&sx_debug_fibers.change_count, 1, __ATOMIC_RELAXED);
    changes[at % SX_DEBUG_CHANGES] = (sx_debug_change){
        .id = record->id,
        .from = (uint8_t)from,
        .to = (uint8_t)record->state,
        .reason = (uint8_t)record->reason,
    };
}

void sx_debug_fiber_set_state(sx_debug_fiber* record, uint32_t state) { sxi_fiber_set_state(record, state); }

/* ---- the list ---- */

const sx_debug_fiber_list* sx_debug_fiber_records(void) { return &sx_debug_fibers; }

size_t sx_debug_fiber_copy(sx_debug_fiber* records, size_t most) {
    size_t count = 0;
    pthread_mutex_lock(&lock);
    for (const sx_debug_fiber* at = sx_debug_fibers.first; at != NULL; at = at->next, ++count)
        if (count < most) records[count] = *at;
    pthread_mutex_unlock(&lock);
    return count;
}

/* Whoever reads from outside follows `next`: the record is complete before it can be reached. */
static void link_record(sx_debug_fiber* record) {
    record->previous = NULL;
    record->next = sx_debug_fibers.first;
    if (record->next != NULL) record->next->previous = record;
    atomic_signal_fence(memory_order_release);
    sx_debug_fibers.first = record;
}

void sx_debug_fiber_begin(sx_debug_fiber* record) {
    pthread_mutex_lock(&lock);
    record->id = ++sx_debug_fibers.created;
    link_record(record);
    pthread_mutex_unlock(&lock);
}

void sx_debug_fiber_end(sx_debug_fiber* record) {
    pthread_mutex_lock(&lock);
    sxi_fiber_set_state(record, SX_DEBUG_DONE);
    if (record->next != NULL) record->next->previous = record->previous;
    if (record->previous != NULL) record->previous->next = record->next;
    else sx_debug_fibers.first = record->next;
    pthread_mutex_unlock(&lock);
}

/* ---- threads that wait outside of fibers ---- */

static _Thread_local sx_debug_fiber of_thread __attribute__((tls_model("initial-exec")));
static _Thread_local bool is_listed __attribute__((tls_model("initial-exec")));
static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void leave_list(void* record) { sx_debug_fiber_end((sx_debug_fiber*)record); }

static void make_key(void) { (void)pthread_key_create(&thread_end, leave_list); }

uint32_t sxi_thread_number(void) {
    static _Thread_local uint32_t number __attribute__((tls_model("initial-exec")));
    if (number == 0) number = (uint32_t)syscall(SYS_gettid);
    return number;
}

static sx_debug_fiber* list_thread(void) {
    if (is_listed) return &of_thread;
    pthread_once(&once, make_key);
    if (pthread_setspecific(thread_end, &of_thread) != 0) return &of_thread; /* one that is not in the list */
    is_listed = true;
    of_thread.thread = sxi_thread_number();
    of_thread.state = SX_DEBUG_RUNNING;
    pthread_mutex_lock(&lock);
    link_record(&of_thread);
    pthread_mutex_unlock(&lock);
    return &of_thread;
}

/* ---- whoever calls ---- */

sx_debug_fiber* sx_debug_fiber_own(void) {
    sx_debug_fiber* record = sxi_fiber_record();
    return record == NULL ? list_thread() : record;
}

void sx_debug_fiber_wait(uint32_t reason, uint64_t object) {
    sx_debug_fiber* record = sx_debug_fiber_own();
    if (reason == SX_DEBUG_WAKE && record->reason != SX_DEBUG_NO_REASON) return;
    record->object = object;
    record->reason = reason;
}

void sx_debug_fiber_go(void) {
    sx_debug_fiber* record = sxi_fiber_record();
    if (record == NULL) record = &of_thread;
    record->reason = SX_DEBUG_NO_REASON;
}

static _Thread_local struct { const void *code, *task; } next_fiber __attribute__((tls_model("initial-exec")));

void sx_debug_fiber_next(const void* code, const void* task) {
    next_fiber.code = code;
    next_fiber.task = task;
}

void sxi_fiber_take_next(sx_debug_fiber* record) {
    record->code = next_fiber.code;
    record->task = next_fiber.task;
    sx_debug_fiber_next(NULL, NULL);
}

uint32_t sx_debug_number(void) { return ++numbers; }
