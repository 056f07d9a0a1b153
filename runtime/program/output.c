#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static sx_output* outputs;
static bool is_registered;

void sx_output_keep(sx_output* output) {
    output->next = outputs;
    outputs = output;
    if (is_registered) return;
    is_registered = true;
    atexit(sx_output_flush);
}

void sx_output_drop(sx_output* output) {
    for (sx_output** at = &outputs; *at != NULL; at = &(*at)->next) {
        if (*at != output) continue;
        *at = output->next;
        return;
    }
}

/* Emptied first: should the write fault, the report of that does not write the same again. */
static void write_out(sx_output* output) {
    const char* bytes = output->bytes;
    int64_t len = output->len;
    output->len = 0;
    while (len > 0) {
        ssize_t written = write((int)output->fd, bytes, (size_t)len);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        len -= written;
    }
}

void sx_output_flush(void) {
    int saved_errno = errno;
    for (sx_output* output = outputs; output != NULL; output = output->next) write_out(output);
    errno = saved_errno;
}
