/* The registers of a signal's context are not in any standard. */
#define _GNU_SOURCE
#include "fault.h"

#include "fiber.h"
#include "functions.h"
#include "panic.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    /* How far from the stack pointer an instruction of the frame in the making may reach: the gap that
       Linux keeps free below the stack of the main thread. */
    REACH_BYTES = 1024 * 1024,
};

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

static char handler_stack[SX_FAULT_STACK];
static struct sigaction previous[SIGNAL_COUNT];
/* The upper end of the stack of a thread that is watched; 0: of one that is not. */
static _Thread_local uintptr_t stack_start __attribute__((tls_model("initial-exec")));
static atomic_int reporting; /* the thread that does; 0: none */
static void (*reporter)(const siginfo_t* info, const void* context);
static bool (*witness)(const siginfo_t* info, bool is_overflow);

/* ---- what the processor says ---- */

struct machine {
    uintptr_t pc, sp;
    bool writes; /* the fault is that of a write to memory that is there */
    bool fetches;
};

static struct machine machine_of(const void* context) {
    struct machine m = {0, 0, false, false};
    const ucontext_t* c = context;
#if defined(__x86_64__)
    enum { PRESENT = 1, WRITE = 2, FETCH = 16 };
    greg_t error = c->uc_mcontext.gregs[REG_ERR];
    m.pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
    m.sp = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
    m.writes = (error & WRITE) != 0 && (error & PRESENT) != 0;
    m.fetches = (error & FETCH) != 0;
#elif defined(__aarch64__)
    m.pc = (uintptr_t)c->uc_mcontext.pc;
    m.sp = (uintptr_t)c->uc_mcontext.sp;
#else
    (void)c;
#endif
    return m;
}

static bool is_access(int signal) { return signal == SIGSEGV || signal == SIGBUS; }

/* Below a fiber's stack is a page that faults, and then what may have been the stack of another one. */
static bool below_stack(uintptr_t address, uintptr_t sp) {
    uintptr_t guard = (uintptr_t)sx_fiber_stack_guard();
    if (guard != 0 && sp > guard - REACH_BYTES && sp < (uintptr_t)sx_fiber_stack_end())
        return stack_start != 0 && address >= guard && address < guard + SX_FIBER_GUARD;
    uintptr_t distance = address < sp ? sp - address : address - sp;
    return address < stack_start && sp < stack_start && distance < REACH_BYTES;
}

/* A call of what is no code has left its return address on top of the stack: the caller's function. */
static const sx_frame* function_of(const siginfo_t* info, const struct machine* m, sx_frame* out) {
    bool is_call = is_access(info->si_signo) && (m->fetches || m->pc == (uintptr_t)info->si_addr);
    uintptr_t pc = is_call && m->sp != 0 ? *(const uintptr_t*)m->sp - 1 : m->pc;
    return sx_function_at(pc, out) ? out : NULL;
}

/* ---- text ---- */

static size_t put_address(char* text, uintptr_t address) {
    static const char prefix[] = "invalid memory access at address 0x";
    size_t len = sizeof prefix - 1;
    memcpy(text, prefix, len);
    unsigned digits = 1;
    while (digits < 16 && address >> (digits * 4) != 0) ++digits;
    for (unsigned i = digits; i-- > 0;) text[len++] = "0123456789abcdef"[address >> (i * 4) & 15];
    return len;
}

static const char* name_of(int signal) {
    switch (signal) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGABRT: return "SIGABRT";
    }
    return "signal";
}

size_t sx_fault_text(const siginfo_t* info, const void* context, char text[SX_FAULT_TEXT]) {
    struct machine m = machine_of(context);
    const char* what = name_of(info->si_signo);
    /* Of an address that no memory can have the system does not tell which. */
    if (is_access(info->si_signo) && info->si_code > 0 && info->si_code != SI_KERNEL) {
        if (!m.writes || info->si_code != SEGV_ACCERR) return put_address(text, (uintptr_t)info->si_addr);
        what = "write to constant memory";
    }
    size_t len = strlen(what);
    memcpy(text, what, len);
    return len;
}

/* ---- the way out ---- */

/* The process did this to itself: a fault or abort(), not a signal that somebody sent. */
static bool is_own(const siginfo_t* info) {
    if (info->si_signo == SIGABRT) return info->si_code == SI_TKILL && info->si_pid == getpid();
    return info->si_code > 0;
}

void sx_fault_set_reporter(void (*report)(const siginfo_t* info, const void* context)) { reporter = report; }

void sx_fault_set_witness(bool (*see)(const siginfo_t* info, bool is_overflow)) { witness = see; }

/* The first fault is reported. A thread that has another one meanwhile failed in its report and ends here; any other
   thread waits for the end. */
static void begin_report(void) {
    int self = (int)syscall(SYS_gettid), none = 0;
    if (atomic_compare_exchange_strong(&reporting, &none, self)) return;
    if (none == self) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    for (;;) pause();
}

/* What was sent is sent again, as from whoever sent it. */
static void leave_to_previous(int signal, siginfo_t* info) {
    int before = errno;
    for (size_t i = 0; i < SIGNAL_COUNT; ++i)
        if (signals[i] == signal) sigaction(signal, &previous[i], NULL);
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, info) != 0) raise(signal);
    errno = before;
}

static void sxi_on_fault(int signal, siginfo_t* info, void* context) {
    if (signal == SIGABRT && sx_panic_is_printed()) return; /* abort() goes on by itself */
    struct machine m = machine_of(context);
    bool is_overflow = signal == SIGSEGV && is_own(info) && below_stack((uintptr_t)info->si_addr, m.sp);
    if (witness != NULL && witness(info, is_overflow)) return;
    if (!is_own(info)) {
        leave_to_previous(signal, info);
        return;
    }
    begin_report();
    sx_frame function;
    if (is_overflow) sx_stack_overflow(function_of(info, &m, &function));
    if (reporter != NULL) reporter(info, context);
    sx_debug_panic.signal = signal;
    sx_debug_panic.address = is_access(signal) && info->si_code != SI_KERNEL ? (uintptr_t)info->si_addr : UINTPTR_MAX;
    char text[SX_FAULT_TEXT];
    size_t len = sx_fault_text(info, context, text);
    sx_panic_in(function_of(info, &m, &function), text, len);
}

void sx_fault_watch(void) {
    char here;
    stack_start = (uintptr_t)&here;
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, own;
    bool has_own = sigaltstack(NULL, &own) == 0 && (own.ss_flags & SS_DISABLE) == 0 && own.ss_size > stack.ss_size;
    if (!has_own && sigaltstack(&stack, NULL) != 0) return;
    struct sigaction action = {.sa_sigaction = sxi_on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNAL_COUNT; ++i) {
        struct sigaction before;
        if (sigaction(signals[i], &action, &before) != 0) continue;
        if ((before.sa_flags & SA_SIGINFO) == 0 || before.sa_sigaction != sxi_on_fault) previous[i] = before;
    }
}

void sx_fault_watch_thread(char stack[SX_FAULT_STACK]) {
    stack_t own = {.ss_sp = stack, .ss_size = SX_FAULT_STACK};
    if (sigaltstack(&own, NULL) == 0) stack_start = (uintptr_t)stack;
}

void sx_stack_overflow(const sx_frame* at) {
    static const char what[] = "stack overflow";
    sx_panic_in(at, what, sizeof what - 1);
}
