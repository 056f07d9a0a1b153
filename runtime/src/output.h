/* A small buffer in front of a write callback, so that lines leave in one piece. */
#ifndef SX_TRACE_OUTPUT_H
#define SX_TRACE_OUTPUT_H

#include "sx/trace.h"

enum { SXI_OUTPUT_BYTES = 2048 }; /* small enough for the stack of a signal handler */

struct sxi_output {
    sx_trace_write_fn write;
    void* ctx;
    bool ok; /* false once `write` wanted no more */
    size_t used;
    char bytes[SXI_OUTPUT_BYTES];
};

void sxi_output_begin(struct sxi_output* out, sx_trace_write_fn write, void* ctx);

/* Hands over what is left. True when everything was taken. */
bool sxi_output_end(struct sxi_output* out);

void sxi_put(struct sxi_output* out, const char* bytes, size_t len);
void sxi_put_blanks(struct sxi_output* out, size_t count);

/* How texts are shown: control characters escaped, such as \x1b, and those that reverse direction. */
enum sxi_escaping {
    SXI_LINE = 'l',     /* but for tabs */
    SXI_ONE_LINE = 'n', /* tabs and line ends, too */
    SXI_JSON = 'j'      /* as JSON wants it, without the quotes around it */
};
void sxi_put_escaped(struct sxi_output* out, sx_string text, enum sxi_escaping how);

/* Writes a pattern, in which stand for the values that follow: `%t` a C string as it is, `%d` a uint64_t, `%x` one in
 * lower-case hexadecimal digits, and `%l`, `%n`, `%j` a const sx_string* escaped in that way. */
void sxi_print(struct sxi_output* out, const char* pattern, ...);

#endif
