/* A program in C: what the debugger shows of it comes from its debug information. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum color { RED, GREEN, BLUE };

struct part {
    const char* name;
    int count;
    double price;
    enum color color;
    struct part* next;
    unsigned low : 3, high : 5;
    union {
        int whole;
        char bytes[4];
    };
};

typedef int (*operation)(int, int);

static int total = 40;
int limits[3] = {10, 20, 30};
static _Thread_local int busy = 9;

static int add(int a, int b) {
    int sum = a + b;
    return sum;
}

static int apply(operation f, int n) {
    static int calls;
    calls++;
    return f(n, calls);
}

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static int sum_of(const struct part* first) {
    int sum = 0;
    for (const struct part* p = first; p; p = p->next) {
        int amount = p->count;
        sum += amount;
    }
    return sum;
}

static int spread(int n) {
    int row[n + 2], table[n + 1][2];
    row[0] = row[1] = table[0][0] = table[0][1] = table[1][0] = table[1][1] = 4;
    row[n + 1] = busy;
    return row[0];
}

int main(int argc, char** argv) {
    struct part nut = {"nut", 7, 0.5, GREEN, 0, 5, 17, {0x41424344}};
    struct part bolt = {"bolt", 3, 1.25, BLUE, &nut, 1, 2, {1}};
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    char text[8] = "hello";
    uint8_t bytes[3] = {1, 2, 255};
    _Bool yes = 1;
    float ratio = 0.25f;
    int64_t big = INT64_MIN;
    operation f = add;
    int argument = argc + (argv != 0);
    int unsorted[3] = {3, 1, 2};
    qsort(unsorted, spread(argc) - 1, sizeof unsorted[0], compare);
    int applied = apply(f, argument);
    int sum = sum_of(&bolt);
    total += sum;
    {
        int sum = 1000;
        total += sum;
    }
    printf("%d %d %d %s %d %d\n", total, applied, grid[1][2], text, bytes[2] + yes + (ratio > 0), big < 0);
    if (argc > 1) *(volatile int*)0 = 1;
    return 3;
}
