#define _GNU_SOURCE
#include "cuts.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static jmp_buf outer;
int guard(int (*call)(int), int n) {
    int from = setjmp(outer);
    return from ? from + 1000 : call(n) + 1;
}
int leave(int n) { longjmp(outer, n); }
int stay(int n) {
    jmp_buf inner;
    int from = setjmp(inner);
    if (from < n) longjmp(inner, from + 1);
    return from;
}
int churn(int n) {
    for (void* block;; free(block)) *(volatile char*)(block = malloc((size_t)n)) = 1;
}
int chat(int n) {
    for (;; printf("%.*s", n, "")) fflush(stdout);
}
int counted;
int crash(int n) {
    counted += n;
    return *(volatile int*)(long)(n - n);
}
static void* rest(void* arg) {
    for (;;) pause();
    return arg;
}
int thread(int n) {
    pthread_t id;
    return pthread_create(&id, 0, rest, 0) + n;
}
int block(int n) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    return usleep((unsigned)n * 1000);
}
int blocked(int signal) {
    sigset_t now;
    sigprocmask(0, 0, &now);
    return sigismember(&now, signal);
}
static volatile sig_atomic_t seen;
static void see(int n) { seen += n; }
int trap(int n) {
    signal(n, see);
    return raise(n);
}
int traps(int n) { return seen + n; }
