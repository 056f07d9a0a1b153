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
static ssize_t write_slowly(void* cookie, const char* text, size_t size) {
    (void)cookie, (void)text;
    return usleep(50000) == 0 ? (ssize_t)size : 0;
}
static FILE* stream;
int flush(int n) {
    stream = fopencookie(0, "w", (cookie_io_functions_t){.write = write_slowly});
    for (; n > 0; fflush(stream)) fputc(n, stream);
    return n;
}
static void* lock(void* arg) {
    int held = stream && ftrylockfile(stream) != 0;
    if (stream && !held) funlockfile(stream);
    return held ? arg : 0;
}
int locked(int n) {
    pthread_t id;
    void* held = 0;
    return pthread_create(&id, 0, lock, &n) + pthread_join(id, &held) + (held != 0);
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
