#define _GNU_SOURCE
#include "output.h"
#include "utf8.h"

#include <stdarg.h>
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

void sxi_put_blanks(struct sxi_output* out, size_t count) {
    static const char blanks[] = "                                ";
    while (count > 0) {
        size_t part = count < sizeof blanks - 1 ? count : sizeof blanks - 1;
        sxi_put(out, blanks, part);
        count -= part;
    }
}

/* At least `least` digits. */
static void put_number(struct sxi_output* out, uint64_t number, unsigned base, unsigned least) {
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0 || sizeof digits - first < least);
    sxi_put(out, digits + first, sizeof digits - first);
}

static void put_text(struct sxi_output* out, const char* text) { sxi_put(out, text, strlen(text)); }

void sxi_put_escaped(struct sxi_output* out, sx_string text, enum sxi_escaping how) {
    size_t len = sxi_size(text);
    bool json = how == SXI_JSON;
    for (size_t i = 0; i < len;) {
        const char* at = text.ptr + i;
        size_t plain = sxi_plain_run(at, len - i);
        sxi_put(out, at, plain);
        i += plain;
        if (i == len) break;
        struct sxi_char c = sxi_decode(at += plain, len - i);
        i += c.len;
        if (json && !c.valid) {
            put_text(out, "\\ufffd");
        } else if (sxi_is_escaped(c) && !(how == SXI_LINE && c.code == '\t')) {
            bool wide = json || c.code > 0xFF;
            put_text(out, wide ? "\\u" : "\\x");
            put_number(out, c.code, 16, wide ? 4 : 2);
        } else {
            if (json && (c.code == '"' || c.code == '\\')) put_text(out, "\\");
            sxi_put(out, at, c.len);
        }
    }
}

void sxi_print(struct sxi_output* out, const char* pattern, ...) {
    va_list values;
    va_start(values, pattern);
    for (;;) {
        size_t plain = (size_t)(strchrnul(pattern, '%') - pattern);
        sxi_put(out, pattern, plain);
        pattern += plain;
        if (*pattern == '\0') break;
        char kind = pattern[1];
        pattern += 2;
        if (kind == 't') {
            put_text(out, va_arg(values, const char*));
        } else if (kind == 'd' || kind == 'x') {
            put_number(out, va_arg(values, uint64_t), kind == 'd' ? 10 : 16, 1);
        } else {
            sxi_put_escaped(out, *va_arg(values, const sx_string*), (enum sxi_escaping)kind);
        }
    }
    va_end(values);
}
