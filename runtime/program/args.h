// The arguments of a compiled program, for `cli.os_args`.
#ifndef SX_PROGRAM_ARGS_H
#define SX_PROGRAM_ARGS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Called once by the compiled `main`. Keeps the pointers, which live as long as the process.
void sx_program_start(int32_t argc, char **argv);
/// Number of arguments, the program's name included. 0 before sx_program_start.
int64_t sx_program_argc(void);
/// Argument `index`, 0-based; a null pointer out of range.
const char *sx_program_argv(int64_t index);

#ifdef __cplusplus
}
#endif

#endif
