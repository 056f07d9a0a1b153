#include "dropped.h"

#include <stdio.h>

struct record {
    long a;
    char name[8];
    long b;
};

__attribute__((noinline)) static long sum(struct record r, int k) {
    struct record q = {r.a + k, "abc", r.b};
    printf("%ld\n", q.a);
    return q.a + q.b;
}

long total(int k) {
    struct record r = {k, "xyz", k + 1};
    return sum(r, k);
}
