#include "output.h"

#include <string.h>

void sxi_output_begin(struct sxi_output* out, sx_trace_write_fn write, void* ctx) {
    out->write = write;
    out->ctx = ctx;
    out->ok = true;
    out->used = 0;
}

static void hand_over(struct sxi_output* out, size_t len) {
    if (out->ok && len > 0) out->ok = out->write(out->bytes, len, out->ctx);
    out->used -= len;
    memmove(out->bytes, out->bytes + len, out->used);
}

bool sxi_output_end(struct sxi_output* out) {
    hand_over(out, out->used);
    return out->ok;
}

/* Makes room: the whole lines go, or everything if the buffer holds but a part of a line. */
static void flush_lines(struct sxi_output* out) {
    size_t len = out->used;
    while (len > 0 && out->bytes[len - 1] != '\n') --len;
    hand_over(out, len > 0 ? len : out->used);
}

void sxi_put(struct sxi_output* out, const char* bytes, size_t len) {
    while (len > 0 && out->ok) {
        if (out->used == SXI_OUTPUT_BYTES) flush_lines(out);
        size_t room = SXI_OUTPUT_BYTES - out->used;
        size_t part = len < room ? len : room;
        memcpy(out->bytes + out->used, bytes, part);
        out->used += part;
        bytes += part;
        len -= part;
    }
}

void sxi_put_text(struct sxi_output* out, const char* nul_terminated) {
    sxi_put(out, nul_terminated, strlen(nul_terminated));
}

void sxi_put_blanks(struct sxi_output* out, size_t count) {
    static const char blanks[] = "                                ";
    while (count > 0) {
        size_t part = count < sizeof blanks - 1 ? count : sizeof blanks - 1;
        sxi_put(out, blanks, part);
        count -= part;
    }
}

void sxi_put_decimal(struct sxi_output* out, uint64_t number) {
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    sxi_put(out, digits + first, sizeof digits - first);
}

void sxi_put_hex(struct sxi_output* out, uint64_t number, unsigned digits) {
    char text[16];
    size_t first = sizeof text;
    do {
        text[--first] = "0123456789abcdef"[number % 16];
        number /= 16;
    } while (first > 0 && (digits > 0 ? sizeof text - first < digits : number > 0));
    sxi_put(out, text + first, sizeof text - first);
}
