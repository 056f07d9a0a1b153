/* Anonymous memory is not in POSIX of this standard's time. */
#define _GNU_SOURCE
#include "fiber.h"

#include "fiber_record.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

enum {
    PAGE_BYTES = SX_FIBER_GUARD,
    /* So many stacks of fibers that are over are kept, because a new one costs two system calls and a fault for each
       page that is touched. */
    MOST_KEPT = 16384,
};

/* It stands at the upper end of its own stack, on a page that is in use anyway. */
struct sx_fiber {
    void* own;   /* the stack pointer while it stands still */
    void* outer; /* that of who resumed it, while it runs */
    void (*entry)(void*);
    void* argument;
    struct sx_fiber* resumer; /* the fiber that resumed it; NULL: the thread itself */
    struct sx_fiber* next;    /* among the stacks that are kept */
    char* mapping;            /* begins with the page that faults */
    size_t bytes;
    bool over;
    sx_debug_fiber record;
#if defined(__SANITIZE_THREAD__)
    void *watched, *watched_outer;
#endif
};

static _Thread_local sx_fiber* running __attribute__((tls_model("initial-exec")));

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static sx_fiber* kept;
static size_t kept_count;

/* ---- the switch ---- */

/*
 * sx_fiber_jump(save, to): pushes what a function must keep by the calling convention, stores the stack pointer to
 * `*save`, and does the opposite with `to`. The modes of the floating-point unit belong to the thread.
 * sx_fiber_start: where a fresh stack "returns" to; the fiber is in a register that was restored. It has no caller.
 */
void sx_fiber_jump(void** save, void* to) __attribute__((visibility("hidden")));
void sx_fiber_start(void) __attribute__((visibility("hidden")));

#if defined(__x86_64__)
#define HAS_FIBERS 1
enum { SAVED_WORDS = 7, FIBER_WORD = 4, RETURN_WORD = 6 };
__asm__(".text\n"
        ".hidden sx_fiber_jump\n"
        ".globl sx_fiber_jump\n"
        ".type sx_fiber_jump, @function\n"
        "sx_fiber_jump:\n"
        "  .cfi_startproc\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size sx_fiber_jump, . - sx_fiber_jump\n"
        ".hidden sx_fiber_start\n"
        ".globl sx_fiber_start\n"
        ".type sx_fiber_start, @function\n"
        "sx_fiber_start:\n"
        "  .cfi_startproc\n"
        "  .cfi_undefined rip\n"
        "  movq %rbx, %rdi\n"
        "  call sx_fiber_main\n"
        "  ud2\n"
        "  .cfi_endproc\n"
        ".size sx_fiber_start, . - sx_fiber_start\n");
#elif defined(__aarch64__)
#define HAS_FIBERS 1
enum { SAVED_WORDS = 20, FIBER_WORD = 0, RETURN_WORD = 11 };
__asm__(".text\n"
        ".hidden sx_fiber_jump\n"
        ".globl sx_fiber_jump\n"
        ".type sx_fiber_jump, %function\n"
        "sx_fiber_jump:\n"
        "  stp x19, x20, [sp, #-160]!\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  ldp x19, x20, [sp], #160\n"
        "  ret\n"
        ".size sx_fiber_jump, . - sx_fiber_jump\n"
        ".hidden sx_fiber_start\n"
        ".globl sx_fiber_start\n"
        ".type sx_fiber_start, %function\n"
        "sx_fiber_start:\n"
        "  mov x0, x19\n"
        "  bl sx_fiber_main\n"
        "  brk #1\n"
        ".size sx_fiber_start, . - sx_fiber_start\n");
#else
#define HAS_FIBERS 0
enum { SAVED_WORDS = 1, FIBER_WORD = 0, RETURN_WORD = 0 };
void sx_fiber_jump(void** save, void* to) {
    (void)save;
    (void)to;
}
void sx_fiber_start(void) {}
#endif

/* An error return trace is the thread's; who leaves the thread to another takes his own along, here on his stack. */
static __attribute__((noinline, cold)) void sxi_fiber_jump_with_trace(void** save, void* to,
                                                                      const sx_trace_state** told) {
    sx_trace_state mine = {0};
    sx_trace_swap(&mine);
    *told = &mine;
    sx_fiber_jump(save, to);
    *told = NULL;
    sx_trace_swap(&mine); /* nothing was in flight: the others did the same */
}

/* `told`: where debuggers see the trace of who leaves. */
static void sxi_fiber_jump(void** save, void* to, const sx_trace_state** told) {
    if (sx_trace_chains() == 0) sx_fiber_jump(save, to);
    else sxi_fiber_jump_with_trace(save, to, told);
}

static void sxi_fiber_leave(sx_fiber* self) {
    running = self->resumer;
    uint32_t waits = self->record.reason == SX_DEBUG_NO_REASON ? SX_DEBUG_READY : SX_DEBUG_WAITING;
    sxi_fiber_set_state(&self->record, self->over ? SX_DEBUG_DONE : waits);
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(self->watched_outer, 0);
#endif
    sxi_fiber_jump(&self->own, self->outer, &self->record.trace);
}

/* Called by sx_fiber_start. */
__attribute__((visibility("hidden"), used)) void sx_fiber_main(sx_fiber* self);
void sx_fiber_main(sx_fiber* self) {
    self->entry(self->argument);
    sx_trace_clear(); /* errors that the function ignored end with it */
    self->over = true;
    sxi_fiber_leave(self);
}

/* ---- stacks ---- */

static sx_fiber* take_kept(size_t bytes) {
    pthread_mutex_lock(&kept_lock);
    sx_fiber* found = kept;
    if (found != NULL && found->bytes == bytes) {
        kept = found->next;
        --kept_count;
    } else {
        found = NULL;
    }
    pthread_mutex_unlock(&kept_lock);
    return found;
}

static bool keep(sx_fiber* fiber) {
    pthread_mutex_lock(&kept_lock);
    bool has_room = kept_count < MOST_KEPT && (kept == NULL || kept->bytes == fiber->bytes);
    if (has_room) {
        fiber->next = kept;
        kept = fiber;
        ++kept_count;
    }
    pthread_mutex_unlock(&kept_lock);
    return has_room;
}

static sx_fiber* map_stack(size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    char* mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (mapping == MAP_FAILED) return NULL;
    if (mprotect(mapping, PAGE_BYTES, PROT_NONE) != 0) {
        munmap(mapping, bytes);
        return NULL;
    }
    size_t record = (sizeof(sx_fiber) + 15) / 16 * 16;
    sx_fiber* fiber = (sx_fiber*)(void*)(mapping + bytes - record);
    fiber->mapping = mapping;
    fiber->bytes = bytes;
    return fiber;
}

/* ---- the interface ---- */

sx_fiber* sx_fiber_create(void (*entry)(void*), void* argument, size_t stack_bytes) {
    if (!HAS_FIBERS || stack_bytes > SIZE_MAX / 2) return NULL;
    size_t bytes = (stack_bytes + 2 * PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    sx_fiber* fiber = take_kept(bytes);
    if (fiber == NULL) fiber = map_stack(bytes);
    if (fiber == NULL) return NULL;
    fiber->entry = entry;
    fiber->argument = argument;
    fiber->over = false;
#if defined(__SANITIZE_THREAD__)
    fiber->watched = __tsan_create_fiber(0);
#endif
    /* The convention wants the stack pointer aligned to 16 bytes before a call; sx_fiber_start is entered with what is
       above the saved words. */
    void** top = (void**)(void*)fiber - (SAVED_WORDS + SAVED_WORDS % 2);
    void** saved = top + SAVED_WORDS % 2;
    for (int i = 0; i < SAVED_WORDS; ++i) saved[i] = NULL;
    saved[FIBER_WORD] = fiber;
    saved[RETURN_WORD] = (void*)(uintptr_t)&sx_fiber_start;
    fiber->own = saved;
    fiber->record = (sx_debug_fiber){.low = fiber->mapping + PAGE_BYTES,
                                     .high = fiber,
                                     .saved = (void* const*)&fiber->own,
                                     .outer = (void* const*)&fiber->outer};
    sxi_fiber_take_next(&fiber->record);
    sx_debug_fiber_begin(&fiber->record);
    return fiber;
}

bool sx_fiber_resume(sx_fiber* fiber) {
    fiber->resumer = running;
    running = fiber;
    fiber->record.thread = sxi_thread_number();
    fiber->record.resumer = fiber->resumer == NULL ? NULL : &fiber->resumer->record;
    sxi_fiber_set_state(&fiber->record, SX_DEBUG_RUNNING);
#if defined(__SANITIZE_THREAD__)
    fiber->watched_outer = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber->watched, 0);
#endif
    sxi_fiber_jump(&fiber->outer, fiber->own, &fiber->record.outer_trace);
    return !fiber->over;
}

void sx_fiber_pause(void) {
    if (running != NULL) sxi_fiber_leave(running);
}

void sx_fiber_set_running(sx_fiber* fiber) { running = fiber; }

void sx_fiber_release(sx_fiber* fiber) {
    sx_debug_fiber_end(&fiber->record);
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(fiber->watched);
#endif
    if (!keep(fiber)) munmap(fiber->mapping, fiber->bytes);
}

void sx_fiber_ready(sx_fiber* fiber) {
    fiber->record.reason = SX_DEBUG_NO_REASON;
    sxi_fiber_set_state(&fiber->record, SX_DEBUG_READY);
}

void sx_fiber_set_name(sx_fiber* fiber, const char* name, size_t bytes) {
    fiber->record.name = name;
    fiber->record.name_bytes = bytes;
}

const void* sx_fiber_record(const sx_fiber* fiber) { return &fiber->record; }

uint32_t sx_fiber_number(void) { return running == NULL ? 0 : running->record.id; }

sx_debug_fiber* sxi_fiber_record(void) { return running == NULL ? NULL : &running->record; }

const void* sx_fiber_stack_end(void) { return running; }

const void* sx_fiber_stack_guard(void) { return running == NULL ? NULL : running->mapping; }
