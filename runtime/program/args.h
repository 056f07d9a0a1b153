// What the library asks of a compiled program: its arguments, for `cli.os_args`, and its interpreter frames.
#ifndef SX_PROGRAM_ARGS_H
#define SX_PROGRAM_ARGS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Called once by the compiled `main`. Keeps the pointers, which live as long as the process, and watches for
/// faults, and the stack of the calling thread (fault.h).
void sx_program_start(int32_t argc, char** argv);
/// Number of arguments, the program's name included. 0 before sx_program_start.
int64_t sx_program_argc(void);
/// Argument `index`, 0-based; a null pointer out of range.
const char* sx_program_argv(int64_t index);
/// Compiled code has no interpreter frames: nothing. The evaluator brings its own function of this name.
void sx_comptime_frames(void);

#ifdef __cplusplus
}
#endif

#endif
