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

/* Enums between members: C has no scope for their constants. */
typedef struct {
    enum { TAG_INT, TAG_TEXT = 7 } tag;
    union {
        enum { WITHIN = 9 } u;
        int i;
    } w;
} told;
union spoken {
    enum speech { ALOUD = 11 } how;
    int i;
};
/* Registers of a device: names for bits of a number. */
typedef union {
    struct {
        unsigned char lo : 4, hi : 4;
    };
    unsigned char byte;
} device;
typedef union {
    unsigned low : 3;
    unsigned word;
} bare;
typedef struct {
    device port;
    int k;
} board;
device device_of(int lo, int hi);
int device_hi(device d);
/* What an attribute aligns. */
#define ALIGNED(n) __attribute__((aligned(n)))
typedef struct ALIGNED(16) {
    float v[4];
} wide4;
typedef struct ALIGNED(16) {
    long a;
} wide1;
typedef struct ALIGNED(16) {
    long a, b, c;
} wide3;
typedef struct {
    int n;
    _Alignas(16) int last;
} spaced;
typedef struct ALIGNED(64) {
    long a;
} line;
typedef struct ALIGNED(16) __attribute__((packed)) {
    char c;
    int n;
} close;
wide4 wide4_add(char c, wide4 v);
wide1 wide1_next(wide1 w);
long wide_sum(int a, int b, int c, int d, int e, wide1 one, int f, wide3 three, wide4 four, spaced s);
int line_offset(const line* l);
line line_same(line l);
int close_sum(const close* c);
/* Variables that no other file sees, and an array of which a header does not know the length. */
static const int LIMIT = -5;
static const double RATE = 2.5;
static const unsigned long long ALL = ~0ull;
static const bool YES = true;
static const char* const TITLE = "t";
static const char GREETING[] = "hi there";
static const char* const NAMES[] = {"zero", "one"};
static const pair ORIGIN = {3, 4};
static int kept = 7;
static inline int kept_next(void) { return ++kept; }
/* GNU C: a struct without members takes no room. */
struct nothing {};
typedef struct {
    int a;
    struct nothing n, many[3];
    double b;
} around_nothing;
static inline around_nothing around_make(int a, double b) {
    around_nothing v = {.a = a, .b = b};
    return v;
}
static inline double around_sum(around_nothing v) { return v.a + v.b; }
static inline int nothing_passed(struct nothing n, int a) {
    (void)n;
    return a;
}
extern const int items[];
extern pair pairs[];
#ifndef SCALE
#define SCALE 1
#endif
int scaled(int n);

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
