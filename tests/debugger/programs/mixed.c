#include "mixed.h"

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
