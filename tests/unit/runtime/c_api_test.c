/* The header is C11, and everything in it links from C. Called by c_api_test.cpp. */
#include "panic.h"
#include "sx/trace.h"

static bool take(const char* bytes, size_t len, void* ctx) {
    (void)bytes;
    *(size_t*)ctx += len;
    return true;
}

size_t runFromC(void);

size_t runFromC(void) {
    static const sx_frame here = {{"a.c", 3}, 1, 1, {"f", 1}, {NULL, 0}};
    sx_trace_snapshot snapshot;
    size_t rendered = 0;
    sx_trace_options options = {.style = SX_TRACE_STYLE_TEXT};
    sx_trace_raise((uint64_t)(uintptr_t)&here);
    sx_trace_capture_newest(&snapshot);
    sx_trace_absorb();
    if (!sx_trace_resume(&snapshot)) sx_trace_raise(0);
    sx_trace_push((uint64_t)(uintptr_t)&here);
    sx_trace_render(NULL, &options, take, &rendered);
    sx_trace_absorb();
    return rendered;
}
