/*
 * Tests of sx programs: the compiler makes a `main` that calls the chosen one of a file's tests and says here what came
 * of it. `sx test` runs each in a process of its own, and reads the outcome from memory that both share.
 */
#ifndef SX_PROGRAM_TEST_H
#define SX_PROGRAM_TEST_H

#include "sx/trace.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum sx_test_state {
    SX_TEST_UNFINISHED, /* it did not come back: the process ended, or still runs */
    SX_TEST_PASSED,
    SX_TEST_FAILED,
    SX_TEST_SKIPPED,
};

enum { SX_TEST_ERROR_BYTES = 120 };

/* Lies in memory that processes share. */
typedef struct sx_test_outcome {
    int32_t state; /* enum sx_test_state */
    int32_t error_len;
    char error[SX_TEST_ERROR_BYTES]; /* the name of the error that left the test */
} sx_test_outcome;

/* Chooses the test that runs, 0-based in the order of the file, and where its outcome goes (NULL: nowhere). */
SX_TRACE_API void sx_test_choose(int64_t index, sx_test_outcome* outcome);

/* ---- What compiled programs call. ---- */

/* The index of the chosen test; 0 if none was chosen. */
SX_TRACE_API int64_t sx_test_chosen(void);
/* The test returned. */
SX_TRACE_API void sx_test_passed(void);
/*
 * An error left the test: prints it with its trace on stderr. The error TestSkipped says that the test was not
 * meant to run here. Returns the exit status: 1, of a skipped test 0.
 */
SX_TRACE_API int32_t sx_test_failed(uint32_t tag, const char* name, size_t name_len);

#if defined(__cplusplus)
}
#endif

#endif
