#include "mixed.h"

#include <stdarg.h>

struct pair {
    int first;
    double second;
};
static int calls;

int twice(int n);
static int inner(int n) {
    calls++;
    return twice(n);
}
int through(int n) {
    struct pair p = {n, 1.5};
    int doubled = inner(p.first);
    return doubled + 1;
}
int endless(int n) {
    volatile int words[64];
    words[0] = n;
    return endless(n + 1) + words[0];
}
double weigh(int n, double a, float b, double c) { return n * (a - b) + c; }

struct ints turn(struct ints s) {
    return (struct ints){s.b, s.a};
}
struct floats scale(struct floats s, float k) {
    return (struct floats){s.x * k, s.y * k};
}
struct late next(int n, struct late s) {
    return (struct late){s.d + n, s.n + n};
}
struct text last(struct text s) {
    return (struct text){{s.c[2], s.c[2], s.c[2] + 1}};
}
struct wide widened(struct wide s, int n) {
    s.a += n;
    s.t[2].c[2] += n;
    return s;
}
struct odd reversed(struct odd s) {
    struct odd r;
    for (int i = 0; i < 17; i++) r.c[i] = s.c[16 - i];
    return r;
}
struct flag opposite(struct flag s) {
    return (struct flag){-s.x, !s.yes};
}
struct view tail(struct view s) {
    return (struct view){s.at + 1, s.count - 1};
}
union number half(union number s) {
    return (union number){s.d / 2};
}
struct bits fewer(struct bits s) {
    s.u--;
    return s;
}
int count(struct view s) {
    int all = 0;
    for (long i = 0; i < s.count; i++) all += s.at[i];
    return all;
}
double many(int a, double b, struct late l, long c, struct text t, struct wide w, struct ints i, struct ints j,
            struct late k, struct flag f, int n) {
    return a + 2 * b + 3 * l.d + 4 * l.n + 5 * c + 6 * t.c[2] + 7 * w.a + 8 * w.t[1].c[1] + 9 * i.b + 10 * j.a +
           11 * j.b + 12 * k.d + 13 * k.n + 14 * f.x + 15 * f.yes + 16 * n;
}
long placed(long a, long b, long c, long d, long e, long f, long g, struct lined s, struct lined t, long h) {
    return a + b + c + d + e + f + g + 10 * s.a + 100 * t.a + 1000 * h + ((long)&s & 15);
}
double sum(struct ints range, ...) {
    double all = 0;
    va_list rest;
    va_start(rest, range);
    for (int i = range.a; i < range.b; i++) all += i * va_arg(rest, double);
    va_end(rest);
    return all;
}
double gather(int n, ...) {
    double all = 0;
    va_list rest;
    va_start(rest, n);
    for (int i = 0; i < n; i++) {
        struct late l = va_arg(rest, struct late);
        all += l.d * l.n + va_arg(rest, struct wide).a;
    }
    va_end(rest);
    return all;
}
