/* Structs of every class of the System V ABI: passed, returned, through callbacks and variable arguments. */
#include <stdarg.h>
#include <stdint.h>

typedef struct {
    int8_t a;
} S1;
typedef struct {
    int16_t a;
    int8_t b;
} S3; /* 4 bytes with a hole */
typedef struct {
    char a[3];
} C3;
typedef struct {
    char a[5];
} C5;
typedef struct {
    int32_t a;
    float b;
} IF;
typedef struct {
    float a, b;
} FF;
typedef struct {
    float a, b, c;
} FFF;
typedef struct {
    double a;
    int64_t b;
} DI;
typedef struct {
    int64_t a;
    double b;
} ID;
typedef struct {
    double a, b;
} DD;
typedef struct {
    int64_t a, b;
} II;
typedef struct {
    int64_t a, b, c;
} III;
typedef struct {
    double a[4];
} D4;
typedef struct {
    FF at;
    struct {
        int32_t tag;
    } in;
} Nested;
typedef struct {
    void* p;
    uint8_t flag;
} PF;
typedef struct {
    int16_t v[8];
} Half;
typedef struct {
} None;
typedef union {
    int32_t i;
    float f;
} U4;
typedef union {
    double d;
    int64_t i[2];
} U16;

S1 s1(S1 v) {
    v.a++;
    return v;
}
S3 s3(S3 v) {
    v.a++;
    v.b--;
    return v;
}
C3 c3(C3 v) {
    v.a[2]++;
    return v;
}
C5 c5(C5 v) {
    v.a[4]++;
    return v;
}
IF i_f(IF v) {
    v.a++;
    v.b *= 2;
    return v;
}
FF ff(FF v) {
    v.a++;
    v.b *= 2;
    return v;
}
FFF fff(FFF v) {
    v.a++;
    v.b *= 2;
    v.c *= 3;
    return v;
}
DI di(DI v) {
    v.a++;
    v.b *= 2;
    return v;
}
ID id(ID v) {
    v.a++;
    v.b *= 2;
    return v;
}
DD dd(DD v) {
    v.a++;
    v.b *= 2;
    return v;
}
II ii(II v) {
    v.a++;
    v.b *= 2;
    return v;
}
III iii(III v) {
    v.a++;
    v.b *= 2;
    v.c *= 3;
    return v;
}
D4 d4(D4 v) {
    for (int i = 0; i < 4; i++) v.a[i] += i;
    return v;
}
Nested nested(Nested v) {
    v.at.a++;
    v.at.b *= 2;
    v.in.tag--;
    return v;
}
PF pf(PF v) {
    v.flag ^= 1;
    return v;
}
Half half(Half v) {
    for (int i = 0; i < 8; i++) v.v[i] *= 2;
    return v;
}
U4 u4(U4 v) {
    v.i++;
    return v;
}
U16 u16_(U16 v) {
    v.i[1]++;
    return v;
}

/* More than the registers hold: the rest is in memory, and a struct never in both. */
double crowded(int64_t a, II b, int64_t c, int64_t d, II e, int64_t f, DD g, DI h, III i, FF j) {
    return a + b.a + b.b + c + d + e.a * 10 + e.b * 10 + f * 100 + g.a + g.b + h.a + h.b + i.a + i.b + i.c + j.a + j.b;
}
/* The first word of the struct is in the last register for integers. */
double sixth(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, double f, ID v) {
    return a + b + c + d + e + f * 100 + v.a * 10 + v.b;
}
III apply3(III (*f)(III, double), III v, double by) { return f(v, by); }
FF apply2(FF (*f)(FF, int8_t, uint8_t), FF v) { return f(v, -1, 255); }
U4 (*chooser(void))(U4) { return u4; }
/* Nothing is passed for an empty struct. */
int64_t around(None none, int64_t a, None no, int64_t b) { return a * 10 + b; }
None nothing(int64_t a) { return (None){}; }
void apply0(None (*f)(None, int64_t*, None), int64_t* a) { f((None){}, a, (None){}); }
int64_t variable(int32_t count, ...) {
    va_list list;
    va_start(list, count);
    int64_t all = 0;
    for (int32_t i = 0; i < count; i++) {
        II small = va_arg(list, II);
        III large = va_arg(list, III);
        DI mixed = va_arg(list, DI);
        all += small.a + small.b * 2 + large.c * 3 + (int64_t)mixed.a * 5 + mixed.b * 7;
    }
    va_end(list);
    return all;
}
