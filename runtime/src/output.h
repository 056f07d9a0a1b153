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
void sxi_put_text(struct sxi_output* out, const char* nul_terminated);
void sxi_put_blanks(struct sxi_output* out, size_t count);
void sxi_put_decimal(struct sxi_output* out, uint64_t number);

/* Exactly `digits` lower-case hexadecimal digits, or as many as it takes for 0. */
void sxi_put_hex(struct sxi_output* out, uint64_t number, unsigned digits);

#endif
