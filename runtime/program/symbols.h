// The functions that compiled sx code calls, by name: for whoever runs such code inside its own process.
#ifndef SX_PROGRAM_SYMBOLS_H
#define SX_PROGRAM_SYMBOLS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sx_program_symbol {
    const char* name;      /* NUL-terminated */
    void (*address)(void); /* to be called with its own type */
} sx_program_symbol;

/// The table, which lives as long as the process; `*count` is set to its length.
const sx_program_symbol* sx_program_symbols(size_t* count);

#ifdef __cplusplus
}
#endif

#endif
