/* It stands by itself, on the public trace API: programs may link the shared runtime. */
#include "panic.h"

#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 4096 };

/* The line is collected and leaves in one write. What is too long for it is cut. */
struct line {
    size_t len;
    char bytes[LINE_BYTES];
};

/* One byte is kept free for the line end. */
static void put_byte(struct line* line, char byte) {
    if (line->len < LINE_BYTES - 1) line->bytes[line->len++] = byte;
}

static void put(struct line* line, const char* text) {
    while (*text != '\0') put_byte(line, *text++);
}

static bool is_control(uint8_t byte) { return (byte < 0x20 && byte != '\t') || byte == 0x7F; }

/* The two bytes of a C1 control character in UTF-8. */
static bool is_c1(const char* bytes, size_t len) {
    return len >= 2 && (uint8_t)bytes[0] == 0xC2 && (uint8_t)bytes[1] >= 0x80 && (uint8_t)bytes[1] <= 0x9F;
}

static void put_hex(struct line* line, uint8_t byte) {
    put_byte(line, "0123456789abcdef"[byte >> 4]);
    put_byte(line, "0123456789abcdef"[byte & 15]);
}

static void put_escape(struct line* line, uint8_t byte) {
    put(line, "\\x");
    put_hex(line, byte);
}

/* U+202A to 202E and U+2066 to 2069, which reverse the direction of the text that follows: three bytes. */
static bool is_direction(const char* bytes, size_t len) {
    if (len < 3 || (uint8_t)bytes[0] != 0xE2) return false;
    uint8_t second = (uint8_t)bytes[1], third = (uint8_t)bytes[2];
    return (second == 0x80 && third >= 0xAA && third <= 0xAE) || (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

/* Escapes what could drive a terminal, as the trace does. */
static void put_escaped(struct line* line, const char* bytes, size_t len) {
    for (size_t i = 0; i < len; ++i) {
        if (is_c1(bytes + i, len - i)) {
            put_escape(line, (uint8_t)bytes[++i]);
        } else if (is_direction(bytes + i, len - i)) {
            put(line, "\\u20");
            put_hex(line, (uint8_t)(((uint8_t)bytes[i + 1] & 3) << 6 | ((uint8_t)bytes[i + 2] & 63)));
            i += 2;
        } else if (is_control((uint8_t)bytes[i])) {
            put_escape(line, (uint8_t)bytes[i]);
        } else {
            put_byte(line, bytes[i]);
        }
    }
}

static void put_number(struct line* line, int64_t number) {
    char digits[20];
    size_t first = sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--first] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) put_byte(line, '-');
    while (first < sizeof digits) put_byte(line, digits[first++]);
}

static void put_place(struct line* line, const sx_frame* at) {
    if (at == NULL || at->file.ptr == NULL || at->file.len <= 0) return;
    put(line, " at ");
    put_escaped(line, at->file.ptr, (size_t)at->file.len);
    put(line, ":");
    put_number(line, at->line);
    put(line, ":");
    put_number(line, at->col);
}

static void write_line(const struct line* line) {
    const char* bytes = line->bytes;
    size_t len = line->len;
    while (len > 0) {
        ssize_t written = write(STDERR_FILENO, bytes, len);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return;
        bytes += written;
        len -= (size_t)written;
    }
}

static volatile sig_atomic_t is_printed;

bool sx_panic_is_printed(void) { return is_printed != 0; }

volatile struct sx_debug_panic sx_debug_panic;

/* Whoever panics does not return: what lies on its stack stays. */
static void note(const char* text, size_t len) {
    sx_debug_panic.len = len;
    sx_debug_panic.text = text;
}

static void note_line(const struct line* line) {
    const size_t prefix = sizeof "panic: " - 1;
    note(line->bytes + prefix, line->len - prefix);
}

static void begin(struct line* line) {
    line->len = 0;
    put(line, "panic: ");
}

_Noreturn static void sxi_panic_end(struct line* line, const sx_frame* at) {
    put_place(line, at);
    line->bytes[line->len++] = '\n';
    is_printed = 1;
    sx_output_flush();
    write_line(line);
    sx_trace_print(STDERR_FILENO);
    abort();
}

void sx_panic_message(const sx_frame* at, const char* what, size_t len) {
    note(what, len);
    struct line line;
    begin(&line);
    put_escaped(&line, what, len);
    sxi_panic_end(&line, at);
}

void sx_panic_in(const sx_frame* function, const char* what, size_t len) {
    note(what, len);
    struct line line;
    begin(&line);
    put_escaped(&line, what, len);
    if (function != NULL && function->func.ptr != NULL && function->func.len > 0) {
        put(&line, " in ");
        put_escaped(&line, function->func.ptr, (size_t)function->func.len);
    }
    sxi_panic_end(&line, function);
}

void sx_panic_null(const sx_frame* at) {
    static const char what[] = "null pointer";
    sx_panic_message(at, what, sizeof what - 1);
}

void sx_panic_index(const sx_frame* at, int64_t index, int64_t length) {
    struct line line;
    begin(&line);
    put(&line, "index ");
    put_number(&line, index);
    put(&line, " out of range for length ");
    put_number(&line, length);
    note_line(&line);
    sxi_panic_end(&line, at);
}

void sx_panic_slice(const sx_frame* at, int64_t from, int64_t to, int64_t length) {
    struct line line;
    begin(&line);
    put(&line, "slice ");
    put_number(&line, from);
    put(&line, "..");
    put_number(&line, to);
    put(&line, " out of range for length ");
    put_number(&line, length);
    note_line(&line);
    sxi_panic_end(&line, at);
}
