/* The functions of a compiled sx program by their addresses, for reports of faults (libsxprogram). */
#ifndef SX_PROGRAM_FUNCTIONS_H
#define SX_PROGRAM_FUNCTIONS_H

#include "sx/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* One function, in the section `sx_functions` of the program. Nothing looks at it before something fails. */
typedef struct sx_function {
    int32_t start;    /* of the code, relative to this record */
    uint32_t size;    /* of the code in bytes */
    const char* name; /* NUL-terminated, like `file` */
    const char* file;
    int32_t line, col; /* where it is declared */
} sx_function;

/* Finds the function whose code has the address `pc`: its name, and where it is declared. Async-signal-safe. */
SX_TRACE_API bool sx_function_at(uintptr_t pc, sx_frame* out);

/* Functions that are not the executable's own: `bytes` of records, which live as long as the process. At most 8 such
   tables are kept. */
SX_TRACE_API void sx_functions_add(const void* records, size_t bytes);

#if defined(__cplusplus)
}
#endif

#endif
