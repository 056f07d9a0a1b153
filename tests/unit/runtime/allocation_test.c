/* Nothing in the runtime allocates: malloc and its kin count their calls here, and the process does not grow. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sx/trace.h"

static unsigned long allocations = 0;

/* The C library's own, behind the hooks. */
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) { return ++allocations, __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return ++allocations, __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return ++allocations, __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) { return ++allocations, __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
    *out = memalign(alignment, size);
    return *out != NULL ? 0 : ENOMEM;
}

#define TEXT(s) \
    { s, sizeof s - 1 }
static const sx_frame frames[] = {
    {TEXT("parse.c"), 12, 5, TEXT("parse_digit"), TEXT("    return raise(\"漢字\"); \x1b \xFF")},
    {TEXT("read.c"), 20, 300, TEXT("read_all"), TEXT("\tif (parse_digit() < 0) return pass_on();")},
};

static uint64_t frame(int i) { return (uint64_t)(uintptr_t)&frames[i % 2]; }

static bool ignore(const char* bytes, size_t len, void* ctx) { return (void)bytes, (void)ctx, len > 0; }

static void useEverything(int depth) {
    static sx_trace_snapshot kept;
    static sx_trace_state fiber;
    static char text[8192];
    sx_trace_chain chain;
    for (int i = 0; i < 3; ++i) {
        sx_trace_raise(frame(0));
        for (int hop = 0; hop < depth; ++hop) sx_trace_push(frame(hop));
        sx_trace_link(i % 3);
    }
    sx_trace_capture(&kept);
    sx_trace_capture_newest(&kept);
    sx_trace_resume(&kept);
    for (uint32_t i = 0; i < sx_trace_chains(); ++i) sx_trace_chain_at(i, &chain);
    for (uint32_t style = SX_TRACE_STYLE_ENV; style <= SX_TRACE_STYLE_OFF; ++style) {
        sx_trace_options options = {.style = style, .color = true, .error = TEXT("Bad")};
        sx_trace_format(text, sizeof text, NULL, &options);
        sx_trace_render(&kept, &options, ignore, NULL);
    }
    sx_trace_print(STDERR_FILENO);
    sx_trace_report_unhandled(1, "Bad", 3);
    sx_trace_line_window(frames[0].line_text, 3, text, sizeof text);
    sx_trace_swap(&fiber);
    sx_trace_restore(&kept);
    sx_trace_absorb();
    sx_trace_clear();
}

/* Pages of the whole address space, by /proc/self/statm. */
static long pagesInUse(void) {
    char text[64];
    int fd = open("/proc/self/statm", O_RDONLY);
    ssize_t len = read(fd, text, sizeof text - 1);
    close(fd);
    if (len <= 0) return -1;
    text[len] = '\0';
    return strtol(text, NULL, 10);
}

int main(void) {
    if (dup2(open("/dev/null", O_WRONLY), STDERR_FILENO) < 0) return 2;
    free(malloc(1));
    if (allocations != 1) return puts("the hooks do not work"), 2;
    long before = pagesInUse();
    for (int depth = 0; depth < 100; ++depth) useEverything(depth);
    long grown = pagesInUse() - before;
    unsigned long made = allocations - 1; /* before stdout has its buffer */
    printf("%lu allocations, %ld pages more\n", made, grown);
    return made == 0 && grown == 0 ? 0 : 1;
}
