/* It stands by itself, on the public trace API: programs may link the shared runtime. */
#include "test.h"

#include "output.h"

#include <string.h>
#include <unistd.h>

static int64_t chosen;
static sx_test_outcome* outcome;

void sx_test_choose(int64_t index, sx_test_outcome* where) {
    chosen = index;
    outcome = where;
}

int64_t sx_test_chosen(void) { return chosen; }

static void note(enum sx_test_state state) {
    if (outcome != NULL) outcome->state = state;
}

void sx_test_passed(void) { note(SX_TEST_PASSED); }

int32_t sx_test_failed(uint32_t tag, const char* name, size_t name_len) {
    static const char skipped[] = "TestSkipped";
    size_t len = name_len < SX_TEST_ERROR_BYTES ? name_len : SX_TEST_ERROR_BYTES;
    sx_output_flush();
    if (name_len == sizeof skipped - 1 && memcmp(name, skipped, name_len) == 0) {
        note(SX_TEST_SKIPPED);
        return 0;
    }
    if (outcome != NULL) {
        memcpy(outcome->error, name, len);
        outcome->error_len = (int32_t)len;
    }
    note(SX_TEST_FAILED);
    static const char start[] = "error: error.";
    char title[sizeof start + SX_TEST_ERROR_BYTES];
    memcpy(title, start, sizeof start - 1);
    memcpy(title + sizeof start - 1, name, len);
    sx_trace_options options = {.style = SX_TRACE_STYLE_ENV,
                                .error = {name, (int64_t)name_len},
                                .title = {title, (int64_t)(sizeof start - 1 + len)},
                                .reported = tag};
    sx_trace_report(STDERR_FILENO, NULL, &options);
    return 1;
}
