#include "args.h"

#include "stack.h"

#include <stddef.h>

static int64_t argument_count;
static char **arguments;

void sx_program_start(int32_t argc, char **argv) {
    argument_count = argc;
    arguments = argv;
    sx_stack_watch();
}

int64_t sx_program_argc(void) { return argument_count; }

const char *sx_program_argv(int64_t index) { return index >= 0 && index < argument_count ? arguments[index] : NULL; }

void sx_comptime_frames(void) {}
