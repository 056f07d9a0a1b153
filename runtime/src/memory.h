/* Memory that may be gone: that of libraries, which can be closed while a trace still shows their frames. */
#ifndef SX_TRACE_MEMORY_H
#define SX_TRACE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True for what the program's own file has mapped, which stays. */
bool sxi_in_executable(uint64_t address, size_t len);

/* Copies from any address, less than a pipe holds. False where it cannot be read. */
bool sxi_read(uint64_t address, void* to, size_t len);

#endif
