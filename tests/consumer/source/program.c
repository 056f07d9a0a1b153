#include <sx/trace_c.h>

static int leaf(int n) {
    if (n > 0) return SX_FAIL(n);
    return 0;
}

static int caller(int n) {
    SX_TRY(leaf(n));
    return 0;
}

int main(int argc, char** argv) {
    (void)argv;
    if (caller(argc) == 0) return 1;
    sx_trace_print(1);
    return 0;
}
