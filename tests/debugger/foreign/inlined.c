#include <stdlib.h>

static int sum_of(const volatile int* values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
        sum &= 0xFFFF;
    }
    return sum;
}

#define NOINLINE __attribute__((noinline))
// clang-format off
static NOINLINE int total_of(const int* at, int n) { int t = 0; for (int i = 0; i < n; i++) t += at[i]; return t; }
// clang-format on

int first_of(const int* at, int n) {
    int r = at[0] / n;
    return r + 1;
}
int again_of(const int* at, int n) {
    int r = at[0] / n;
    return r + 1;
}
int (*volatile both[])(const int*, int) = {first_of, again_of};

int main(int argc, char** argv) {
    volatile int values[4];
    for (int i = 0; i < argc; i++) { values[i] = argv[i] ? 5 : 0; }
    int sum = sum_of(values, argc);
    values[0] = sum;
    int copies[4] = {values[0], argc, -argc, 0};
    int total = total_of(copies, 4);
    return total + both[1](copies, 1) - both[0](copies, 1);
}
