/* The same for C: see success_path.cpp. */
#include <stdio.h>
#include <stdlib.h>

#if defined(HAND_WRITTEN)
static inline __attribute__((always_inline)) void branch(void) { __asm__ volatile(""); }
#define FAIL(v) (branch(), v)
#define FAILED(condition) __builtin_expect(!!(condition), 0)
#define HOP(v) (branch(), v)
#define TRY(call) \
    do { \
        int code = (call); \
        if (FAILED(code)) return branch(), code; \
    } while (0)
#else
#include "sx/trace_c.h"
#define FAIL(v) SX_FAIL(v)
#define FAILED(condition) SX_FAILED(condition)
#define HOP(v) SX_HOP(v)
#define TRY(call) SX_TRY(call)
#endif

#define PATH __attribute__((noinline))

int pathLeaf(long n, long* out);
int pathTwo(long a, long b, long* out);
int pathMany(long a, long b, long c, long d, long* out);
const char* pathPointer(const char* text);

PATH int pathLeaf(long n, long* out) {
    long table[8];
    for (long i = 0; i < 8; ++i) table[i] = n ^ i;
    __asm__ volatile("" : : "r"(table) : "memory");
    if (FAILED(table[n & 7] < 0)) return FAIL(22);
    *out = table[(n + 1) & 7];
    return 0;
}

PATH int pathTwo(long a, long b, long* out) {
    long x, y;
    TRY(pathLeaf(a, &x));
    TRY(pathLeaf(b, &y));
    *out = x + y;
    return 0;
}

PATH int pathMany(long a, long b, long c, long d, long* out) {
    long x, y;
    int rc;
    if (FAILED((rc = pathTwo(a, b, &x)) != 0)) return HOP(rc);
    if (FAILED((rc = pathTwo(c, d, &y)) != 0)) return HOP(rc);
    *out = x * d + y * c + a * b;
    return 0;
}

PATH const char* pathPointer(const char* text) {
    if (FAILED(*text == '\0')) return FAIL(NULL);
    return text + 1;
}

int main(int argc, char** arguments) {
    long calls = atol(arguments[argc - 1]), sum = 0, one;
    for (long n = 0; n < calls; ++n) {
        if (pathMany(n, 1, 2, n, &one) != 0) return 1;
        sum += one + *pathPointer("abc");
    }
    printf("%ld\n", sum);
    return 0;
}
