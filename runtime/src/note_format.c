/* Notes from a format. It allocates nothing and asks no locale, so a signal handler may make one. */
#include <stdarg.h>

#include "sx/trace.h"

/* A byte more than a note holds says that there was more. */
enum { ROOM = SX_TRACE_NOTE_MAX + 4 };

struct text {
    char bytes[ROOM];
    size_t len;
};

static void put(struct text* out, char byte) {
    if (out->len < ROOM) out->bytes[out->len++] = byte;
}

/* `limit` bytes at most, all up to the NUL where it is negative. */
static void put_string(struct text* out, const char* from, int limit) {
    if (from == NULL) from = "(null)";
    for (int i = 0; i != limit && from[i] != '\0' && out->len < ROOM; ++i) put(out, from[i]);
}

static void put_number(struct text* out, unsigned long long number, unsigned base) {
    char digits[24];
    int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    while (count > 0) put(out, digits[--count]);
}

static void put_signed(struct text* out, long long number) {
    if (number < 0) put(out, '-');
    put_number(out, number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number, 10);
}

/* What stands between the % and the letter. */
enum length { PLAIN, HALF, LONG, LONG_LONG, SIZE };

static const char* read_length(const char* at, enum length* out) {
    *out = PLAIN;
    if (*at == 'h') *out = HALF;
    if (*at == 'l') *out = at[1] == 'l' ? LONG_LONG : LONG;
    if (*at == 'z') *out = SIZE;
    return at + (*out == PLAIN ? 0 : *out == LONG_LONG ? 2 : 1);
}

static long long signed_argument(va_list* arguments, enum length length) {
    switch (length) {
    case HALF: return (short)va_arg(*arguments, int);
    case LONG: return va_arg(*arguments, long);
    case LONG_LONG: return va_arg(*arguments, long long);
    case SIZE: return (long long)va_arg(*arguments, size_t);
    default: return va_arg(*arguments, int);
    }
}

static unsigned long long unsigned_argument(va_list* arguments, enum length length) {
    switch (length) {
    case HALF: return (unsigned short)va_arg(*arguments, unsigned);
    case LONG: return va_arg(*arguments, unsigned long);
    case LONG_LONG: return va_arg(*arguments, unsigned long long);
    case SIZE: return va_arg(*arguments, size_t);
    default: return va_arg(*arguments, unsigned);
    }
}

/* Puts the argument of the conversion at `at`, after its %. The end of the conversion; NULL if it is not known. */
static const char* convert(struct text* out, const char* at, va_list* arguments) {
    enum length length;
    if (at[0] == '.' && at[1] == '*' && at[2] == 's') {
        int limit = va_arg(*arguments, int);
        put_string(out, va_arg(*arguments, const char*), limit);
        return at + 3;
    }
    const char* letter = read_length(at, &length);
    switch (*letter) {
    case 'd':
    case 'i': put_signed(out, signed_argument(arguments, length)); return letter + 1;
    case 'u': put_number(out, unsigned_argument(arguments, length), 10); return letter + 1;
    case 'x': put_number(out, unsigned_argument(arguments, length), 16); return letter + 1;
    default: break;
    }
    switch (*at) {
    case 's': put_string(out, va_arg(*arguments, const char*), -1); return at + 1;
    case 'c': put(out, (char)va_arg(*arguments, int)); return at + 1;
    case 'p':
        put_string(out, "0x", -1);
        put_number(out, (uintptr_t)va_arg(*arguments, void*), 16);
        return at + 1;
    case '%': put(out, '%'); return at + 1;
    default: return NULL;
    }
}

void sx_trace_note_format(const char* format, ...) {
    struct text out;
    va_list arguments;
    out.len = 0;
    va_start(arguments, format);
    for (const char* at = format; *at != '\0';) {
        const char* end = *at == '%' ? convert(&out, at + 1, &arguments) : NULL;
        if (*at != '%') {
            put(&out, *at++);
        } else if (end != NULL) {
            at = end;
        } else {
            put_string(&out, at, -1);
            break;
        }
    }
    va_end(arguments);
    sx_trace_note(out.bytes, out.len);
}
