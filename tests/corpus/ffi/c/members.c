#include "members.h"

#include <stdlib.h>

int flags_sum(struct flags f) { return f.a + f.b * 10 + f.rest * 100 + f.c * 100000 + f.on * 1000000; }
struct flags flags_make(int a, int b, int c, bool on) {
    struct flags f = {0};
    f.a = a;
    f.b = b;
    f.c = c;
    f.on = on;
    return f;
}
double nest_sum(nest n) { return n.lo + n.hi * 1000 + n.top * 100000 + n.d; }
tight* tight_of(char a, int b, short c) {
    static tight t;
    t.a = a;
    t.b = b;
    t.c = c;
    return &t;
}
int tight_sum(const tight* t) { return t->a + t->b + t->c; }
row* row_new(size_t n) {
    row* r = calloc(1, sizeof *r + n * sizeof(double));
    r->len = n;
    return r;
}
double row_sum(const row* r) {
    double all = 0;
    for (size_t i = 0; i < r->len; ++i) all += r->data[i];
    return all;
}
int event_code(event e) { return e.data.key.code * 2 + e.data.key.ch; }
event event_at(int x) {
    event e = {MOUSE, {.mouse = {x, x + 1}}};
    return e;
}
floats floats_twice(floats f) {
    f.f *= 2;
    return f;
}
tagged tagged_float(float f) {
    tagged t = {.tag = 1, .f = f};
    return t;
}
double tagged_value(tagged t) { return t.tag ? t.f : t.i; }
int deep_sum(const deep* d) { return d->inner.px * 10 + d->inner.q; }
int sum_rows(int m[2][3], const char name[]) {
    int all = name[0];
    for (int i = 0; i < 6; ++i) all += m[i / 3][i % 3];
    return all;
}
int total_of(int count, va_list rest) {
    int all = 0;
    while (count--) all = all * 10 + va_arg(rest, int);
    return all;
}
int list(lister with, ...) {
    va_list rest;
    va_start(rest, with);
    int result = with(NULL, "", rest);
    va_end(rest);
    return result;
}
const char* echo(const char* s) { return s; }
device device_of(int lo, int hi) {
    device d = {{lo, hi}};
    return d;
}
int device_hi(device d) { return d.hi; }
static int isAligned(const void* p) { return (uintptr_t)p % 16 == 0; }
wide4 wide4_add(char c, wide4 v) {
    v.v[1] += c;
    return v;
}
wide1 wide1_next(wide1 w) {
    w.a += 1;
    return w;
}
long wide_sum(int a, int b, int c, int d, int e, wide1 one, int f, wide3 three, wide4 four, spaced s) {
    long all = a + b + c + d + e + one.a * 10 + f * 100 + three.a * 1000 + three.c * 10000 + (long)four.v[3] * 100000;
    return isAligned(&three) && isAligned(&s) ? all + s.last * 1000000L : -1;
}
int line_offset(const line* l) { return (uintptr_t)l % 64; }
line line_same(line l) { return l; }
int close_sum(const close* c) { return c->c + c->n; }
const int items[] = {3, 1, 2};
pair pairs[] = {{1, 2}, {3, 4}};
int scaled(int n) { return n * SCALE; }
