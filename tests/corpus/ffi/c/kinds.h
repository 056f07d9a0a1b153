/* One function for each kind of type that a header can speak of. */
#ifndef KINDS_H
#define KINDS_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum color { RED, GREEN = 5, NEGATIVE = -1 };
typedef struct point {
    int x, y;
} point;
typedef struct {
    float x, y, z;
} vec3;
typedef struct {
    double d;
    char name[8];
    struct {
        short a;
        unsigned char b;
    } in;
} mixed;
typedef struct counter counter; /* nobody sees into it */
struct bits {
    unsigned a : 3, b : 5;
};
typedef int (*visit)(int value, void* state);

int8_t narrow(int8_t a, uint8_t b, short c, unsigned short d);
long long wide(long a, unsigned long long b, size_t c);
double real(float a, double b);
bool both(bool a, bool b);
const char* greeting(const char* name);
char* fill(char* to, char with, size_t count);
int sum(const int* values, size_t count);
void divide(int a, int b, int* quotient, int* rest);
point add(point a, const point* b);
void move(point* p, int by);
vec3 scale(vec3 v, float by);
mixed swap(mixed m);
enum color next(enum color c);
counter* counter_new(int start);
int counter_step(counter* c);
void counter_free(counter* c);
int each(const int* values, size_t count, visit to, void* state);
visit chosen(void);
int total(int count, ...);
int keywords(int match, int in, int string, int raise);
extern int made;
extern const char* made_by;
extern point corners[2];
int other_name(void) __asm__("by_another_symbol");

/* What has no form in the language is left out. */
long double widest(void);
struct __attribute__((packed)) tight {
    char a;
    int b;
};
int with_tight(struct tight t);
static inline int inlined(int count, ...) { return count; }
#define TWICE(x) ((x)*2)
#define PLACE ((void*)0)
#endif
