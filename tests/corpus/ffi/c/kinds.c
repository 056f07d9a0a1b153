#include "kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counter {
    int at;
};
int made = 7;
const char* made_by = "a source of C";
point corners[2] = {{1, 2}, {3, 4}};

int8_t narrow(int8_t a, uint8_t b, short c, unsigned short d) { return (int8_t)(a + b + c + d); }
long long wide(long a, unsigned long long b, size_t c) { return a + (long long)b + (long long)c; }
double real(float a, double b) { return a * b; }
bool both(bool a, bool b) { return a && b; }
const char* greeting(const char* name) {
    static char text[64];
    snprintf(text, sizeof text, "hello, %s", name);
    return text;
}
char* fill(char* to, char with, size_t count) { return memset(to, with, count); }
int sum(const int* values, size_t count) {
    int all = 0;
    for (size_t i = 0; i < count; ++i) all += values[i];
    return all;
}
void divide(int a, int b, int* quotient, int* rest) {
    *quotient = a / b;
    *rest = a % b;
}
point add(point a, const point* b) { return (point){a.x + b->x, a.y + b->y}; }
void move(point* p, int by) {
    p->x += by;
    p->y -= by;
}
vec3 scale(vec3 v, float by) { return (vec3){v.x * by, v.y * by, v.z * by}; }
mixed swap(mixed m) {
    short a = m.in.a;
    m.in.a = m.in.b;
    m.in.b = (unsigned char)a;
    m.d = -m.d;
    m.name[0] = 'S';
    return m;
}
enum color next(enum color c) { return c == RED ? GREEN : NEGATIVE; }
counter* counter_new(int start) {
    counter* c = malloc(sizeof *c);
    c->at = start;
    return c;
}
int counter_step(counter* c) { return ++c->at; }
void counter_free(counter* c) { free(c); }
int each(const int* values, size_t count, visit to, void* state) {
    int all = 0;
    for (size_t i = 0; i < count; ++i) all += to(values[i], state);
    return all;
}
static int twice(int value, void* state) {
    (void)state;
    return 2 * value;
}
visit chosen(void) { return twice; }
int total(int count, ...) {
    va_list rest;
    va_start(rest, count);
    double all = 0;
    for (int i = 0; i < count; ++i) all += i % 2 ? va_arg(rest, double) : va_arg(rest, int);
    va_end(rest);
    return (int)all;
}
int keywords(int match, int in, int string, int raise) { return match + in * 10 + string * 100 + raise * 1000; }
int other_name(void) { return made; }
