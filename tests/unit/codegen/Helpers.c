/* C's side of the calling convention tests, compiled by the C compiler. Each struct has a function that adds `k`
 * to every field and one that calls back and adds `k` again. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#define SHAPE1(T, A) \
    typedef struct { \
        A a; \
    } T; \
    static T plus_##T(T s, int k) { \
        s.a += k; \
        return s; \
    } \
    SHAPE_FUNCTIONS(T)
#define SHAPE2(T, A, B) \
    typedef struct { \
        A a; \
        B b; \
    } T; \
    static T plus_##T(T s, int k) { \
        s.a += k, s.b += k; \
        return s; \
    } \
    SHAPE_FUNCTIONS(T)
#define SHAPE3(T, A, B, C) \
    typedef struct { \
        A a; \
        B b; \
        C c; \
    } T; \
    static T plus_##T(T s, int k) { \
        s.a += k, s.b += k, s.c += k; \
        return s; \
    } \
    SHAPE_FUNCTIONS(T)
#define SHAPE5(T, A) \
    typedef struct { \
        A a, b, c, d, e; \
    } T; \
    static T plus_##T(T s, int k) { \
        s.a += k, s.b += k, s.c += k, s.d += k, s.e += k; \
        return s; \
    } \
    SHAPE_FUNCTIONS(T)
#define SHAPE_FUNCTIONS(T) \
    T add_##T(T s, int k) { return plus_##T(s, k); } \
    T call_##T(T (*f)(T, int), T s, int k) { return plus_##T(f(s, k), k); } \
    /* Five words and a struct, which may not fit into what is left of the registers; then one more word. */ \
    T late_##T(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, T s, int64_t k) { \
        return plus_##T(s, (int)(a + b + c + d + e + k)); \
    }

SHAPE1(Byte, int8_t)
SHAPE1(Double, double)
SHAPE1(Float, float)
SHAPE2(ShortByte, int16_t, int8_t)
SHAPE2(IntFloat, int32_t, float)
SHAPE2(Floats2, float, float)
SHAPE2(DoubleInt, double, int32_t)
SHAPE2(LongDouble, int64_t, double)
SHAPE2(Doubles, double, double)
SHAPE2(Longs2, int64_t, int64_t)
SHAPE3(Bytes3, int8_t, int8_t, int8_t)
SHAPE3(Floats3, float, float, float)
SHAPE3(Longs3, int64_t, int64_t, int64_t)
SHAPE5(Bytes5, uint8_t)
SHAPE5(Shorts5, int16_t)
SHAPE5(Doubles5, double)

int small_integers(int8_t a, uint8_t b, int16_t c, uint16_t d, bool e) { return a + 2 * b + 3 * c + 4 * d + 5 * e; }
int8_t negative_byte(void) { return -5; }
bool is_even(int n) { return n % 2 == 0; }

double sum_variadic(int count, ...) {
    va_list list;
    va_start(list, count);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        sum += va_arg(list, int);
        sum += va_arg(list, double);
        sum += va_arg(list, int64_t);
    }
    va_end(list);
    return sum;
}

int helper_counter = 41;
