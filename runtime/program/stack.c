/* The register of a signal's context is not in any standard. */
#define _GNU_SOURCE
#include "stack.h"

#include "panic.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum {
    HANDLER_STACK_BYTES = 64 * 1024,
    /* How far from the stack pointer an instruction of the frame in the making may reach: the gap that
       Linux keeps free below the stack of the main thread. */
    REACH_BYTES = 1024 * 1024,
};

static char handler_stack[HANDLER_STACK_BYTES];
static struct sigaction previous;
static uintptr_t stack_start;

static uintptr_t stack_pointer(const void *context) {
    const ucontext_t *machine = context;
#if defined(__x86_64__)
    return (uintptr_t)machine->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)machine->uc_mcontext.sp;
#else
    (void)machine;
    return 0;
#endif
}

static bool below_stack(uintptr_t address, uintptr_t sp) {
    uintptr_t distance = address < sp ? sp - address : address - sp;
    return address < stack_start && sp < stack_start && distance < REACH_BYTES;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    if (info->si_code > 0 && below_stack((uintptr_t)info->si_addr, stack_pointer(context))) sx_stack_overflow();
    sigaction(signal, &previous, NULL);
    /* A fault happens again as its instruction is repeated; a signal that was sent is sent again. */
    if (info->si_code <= 0) raise(signal);
}

void sx_stack_watch(void) {
    char here;
    stack_start = (uintptr_t)&here;
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    if (sigaltstack(&stack, NULL) != 0) return;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    struct sigaction before;
    if (sigaction(SIGSEGV, &action, &before) != 0) return;
    if ((before.sa_flags & SA_SIGINFO) == 0 || before.sa_sigaction != on_fault) previous = before;
}

void sx_stack_overflow(void) {
    static const char what[] = "stack overflow";
    sx_panic_message(NULL, what, sizeof what - 1);
}
