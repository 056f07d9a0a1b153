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
int endless(int n) {
    volatile int words[64];
    words[0] = n;
    return endless(n + 1) + words[0];
}
double weigh(int n, double a, float b, double c) {
    return n * (a - b) + c;
}
