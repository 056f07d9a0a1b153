#include "symbols.h"

#include "args.h"
#include "debug_fiber.h"
#include "fiber.h"
#include "output.h"
#include "panic.h"
#include "test.h"
#include "thread.h"
#include "values.h"

#include <stdlib.h>
#include <sx/trace.h>

#define SYMBOL(function) \
    { #function, (void (*)(void))(function) }

static const sx_program_symbol symbols[] = {
    SYMBOL(sx_trace_raise),
    SYMBOL(sx_trace_raise_error),
    SYMBOL(sx_trace_push),
    SYMBOL(sx_trace_push_error),
    SYMBOL(sx_trace_rename),
    SYMBOL(sx_trace_note),
    SYMBOL(sx_trace_values),
    SYMBOL(sx_trace_link),
    SYMBOL(sx_trace_absorb),
    SYMBOL(sx_trace_clear),
    SYMBOL(sx_trace_len),
    SYMBOL(sx_trace_truncated),
    SYMBOL(sx_trace_omitted),
    SYMBOL(sx_trace_frame_at),
    SYMBOL(sx_trace_chains),
    SYMBOL(sx_trace_chain_at),
    SYMBOL(sx_trace_capture),
    SYMBOL(sx_trace_restore),
    SYMBOL(sx_trace_capture_newest),
    SYMBOL(sx_trace_capture_at),
    SYMBOL(sx_trace_copy),
    SYMBOL(sx_trace_forget),
    SYMBOL(sx_trace_find),
    SYMBOL(sx_trace_resume),
    SYMBOL(sx_trace_resume_error),
    SYMBOL(sx_trace_swap),
    SYMBOL(sx_trace_set_resolver),
    SYMBOL(sx_trace_render),
    SYMBOL(sx_trace_format),
    SYMBOL(sx_trace_print),
    SYMBOL(sx_trace_report_unhandled),
    SYMBOL(sx_trace_line_window),
    SYMBOL(sx_comptime_frames),
    SYMBOL(sx_program_values),
    SYMBOL(sx_fiber_create),
    SYMBOL(sx_fiber_resume),
    SYMBOL(sx_fiber_pause),
    SYMBOL(sx_fiber_release),
    SYMBOL(sx_fiber_ready),
    SYMBOL(sx_fiber_set_name),
    SYMBOL(sx_fiber_record),
    SYMBOL(sx_thread_create),
    SYMBOL(sx_debug_fiber_begin),
    SYMBOL(sx_debug_fiber_end),
    SYMBOL(sx_debug_fiber_set_state),
    SYMBOL(sx_debug_fiber_wait),
    SYMBOL(sx_debug_fiber_go),
    SYMBOL(sx_debug_fiber_next),
    SYMBOL(sx_debug_number),
    SYMBOL(sx_panic_message),
    SYMBOL(sx_panic_null),
    SYMBOL(sx_panic_index),
    SYMBOL(sx_panic_slice),
    SYMBOL(sx_output_keep),
    SYMBOL(sx_output_drop),
    SYMBOL(sx_output_flush),
    SYMBOL(sx_test_chosen),
    SYMBOL(sx_test_passed),
    SYMBOL(sx_test_failed),
    SYMBOL(sx_program_start),
    SYMBOL(sx_program_argc),
    SYMBOL(sx_program_argv),
    SYMBOL(atexit), /* glibc has it in the static part of libc only */
};

const sx_program_symbol* sx_program_symbols(size_t* count) {
    *count = sizeof symbols / sizeof symbols[0];
    return symbols;
}
