/* For siginfo_t of fault.h. */
#define _POSIX_C_SOURCE 200809L
#include "args.h"

#include "fault.h"
#include "heap.h"

#include <stddef.h>

static int64_t argument_count;
static char** arguments;

void sx_program_start(int32_t argc, char** argv) {
    argument_count = argc;
    arguments = argv;
    sx_fault_watch();
    sx_heap_start();
}

int64_t sx_program_argc(void) { return argument_count; }

const char* sx_program_argv(int64_t index) { return index >= 0 && index < argument_count ? arguments[index] : NULL; }

void sx_comptime_frames(void) {}
