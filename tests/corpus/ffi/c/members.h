/* Members, parameters and definitions that C has and the language writes in another way. */
#ifndef MEMBERS_H
#define MEMBERS_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flags {
    unsigned a : 1;
    unsigned b : 3;
    int rest;
    signed c : 5;
    bool on : 1;
};
struct only {
    unsigned a : 1;
};
typedef struct {
    char tag;
    union {
        int8_t b[3];
        struct {
            short lo;
            unsigned char hi : 4, top : 4;
        };
    };
    double d;
} nest;
typedef struct __attribute__((packed)) {
    char a;
    int b;
    short c;
} tight;
typedef struct {
    size_t len;
    double data[];
} row;
enum kind { NOTHING, KEY, MOUSE };
typedef struct {
    enum kind kind;
    union {
        struct {
            int code;
            char ch;
        } key;
        struct {
            int x, y;
        } mouse;
    } data;
} event;
typedef union {
    float f;
    float g[2];
} floats;
typedef struct {
    int tag;
    union {
        int i;
        float f;
    };
} tagged;
typedef struct {
    char c;
    struct {
        union {
            int px;
            char raw[4];
        };
        int q;
    } inner;
} deep;
typedef struct {
    int a, b;
} pair;
typedef int (*lister)(void* state, const char* format, va_list rest);

int flags_sum(struct flags f);
struct flags flags_make(int a, int b, int c, bool on);
double nest_sum(nest n);
tight* tight_of(char a, int b, short c);
int tight_sum(const tight* t);
row* row_new(size_t n);
double row_sum(const row* r);
int event_code(event e);
event event_at(int x);
floats floats_twice(floats f);
tagged tagged_float(float f);
double tagged_value(tagged t);
int deep_sum(const deep* d);
int sum_rows(int m[2][3], const char name[]);
int total_of(int count, va_list rest);
int list(lister with, ...);
const char* echo(const char* s);

#define COUNT 16
#define NEGATIVE (-3)
#define LARGEST 0xFFFFFFFFFFFFFFFFull
#define REAL 3.25
#define TEXT "a\"b"
#define WIDE (COUNT * 2 + 1)
#define LETTER 'A'
#define NO_VALUE
#define OPEN {
static inline int inlined(int a, const char* b) { return a + b[0]; }
static inline pair make_pair(int a, int b) {
    pair p = {a, b};
    return p;
}
#endif
