/* Functions whose handlers lie below the stack pointer: they make no call that the compiler knows of.
 * C and C++; red_zone.sh builds this with every compiler and optimisation. */
#ifdef __cplusplus
#include "sx/trace.hpp"
#else
#include "sx/trace_c.h"
#endif

#include <stdio.h>

#define PATH __attribute__((noinline))

PATH int drop(int error) {
    if (error) { SX_CATCH(handling); }
    return 0;
}

PATH int pass(int error) {
    if (error) {
        SX_CATCH(handling);
        return SX_PASS(handling, error);
    }
    return 0;
}

PATH int nested(int error) {
    if (error) {
        SX_CATCH(outer);
        if (error > 1) {
            SX_TRACE_RAISE();
            SX_CATCH(inner);
        }
        return SX_PASS(outer, error);
    }
    return 0;
}

/* More than the red zone holds, of every length, so that any part of the handler may be where the return
 * address goes. Nothing around the handler may change. */
#define CROWDED(words) \
    PATH long crowded##words(int error) { \
        volatile long before[words], after[17]; \
        long sum = 0; \
        for (int i = 0; i < words; ++i) before[i] = i; \
        for (int i = 0; i < 17; ++i) after[i] = i; \
        if (error) { SX_CATCH(handling); } \
        for (int i = 0; i < words; ++i) sum += before[i] - i; \
        for (int i = 0; i < 17; ++i) sum += after[i] - i; \
        return sum; \
    }
#define EACH(what) \
    what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9) what(10) what(11) what(12) what(13) \
        what(14) what(15) what(16) what(17) what(18) what(19) what(20)
EACH(CROWDED)

static int failures = 0;
static void expect(int ok, const char* what) {
    if (ok) return;
    ++failures;
    fprintf(stderr, "failed: %s\n", what);
}

#define CHECK_CROWDED(words) \
    sx_trace_raise(origin); \
    expect(crowded##words(1) == 0 && sx_trace_chains() == 0, "crowded " #words);

int main(int argc, char** argv) {
    (void)argv;
#ifdef __cplusplus
    uint64_t origin = sx::detail::address(SX_TRACE_FRAME(""));
#else
    uint64_t origin = SX_TRACE_FRAME("");
#endif
    sx_trace_raise(origin);
    expect(drop(argc) == 0 && sx_trace_chains() == 0, "drop");
    sx_trace_raise(origin);
    expect(pass(argc + 4) == argc + 4 && sx_trace_chains() == 1, "pass");
    sx_trace_clear();
    sx_trace_raise(origin);
    expect(nested(argc + 1) == argc + 1 && sx_trace_chains() == 1, "nested");
    sx_trace_clear();
    EACH(CHECK_CROWDED)
    return failures != 0;
}
