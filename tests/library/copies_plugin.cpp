// A library that is opened at run time. Its errors go on in the program that has opened it.
#include <sx/trace_c.h>

static int inner(int n) {
    if (n > 0) return SX_FAIL(n);
    return 0;
}

extern "C" int plugin(int n) {
    int failed = inner(n);
    if (SX_FAILED(failed != 0)) return SX_HOP(failed);
    return 0;
}
