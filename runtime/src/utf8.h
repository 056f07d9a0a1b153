/* Text as a terminal shows it: characters, their display width, and bytes that must not reach it. */
#ifndef SX_TRACE_UTF8_H
#define SX_TRACE_UTF8_H

#include "sx/trace.h"

/* One character of a text, or one byte that is none. */
struct sxi_char {
    uint32_t code; /* the character; of an invalid byte its value */
    uint32_t len;  /* in bytes, 1 to 4 */
    bool valid;    /* false for a byte that is not part of well-formed UTF-8 */
};

/* Decodes what stands at `text`, which has `len` bytes left, at least 1. */
struct sxi_char sxi_decode(const char* text, size_t len);

/* True for what could drive a terminal: a control character, C0 (tab, too), delete and C1, and one that reverses the
 * direction of the text that follows, U+202A to 202E, U+2066 to 2069. An invalid byte never is. */
bool sxi_is_escaped(struct sxi_char c);

/* Columns a character takes: 0, 1 or 2; an invalid byte and a control character take 1. */
uint32_t sxi_width(struct sxi_char c);

/* Bytes at the start of a text that every rendering shows as they are, a column each: printable ASCII
 * but quotes and backslashes. Most of a source line is handed on in such runs. */
size_t sxi_plain_run(const char* text, size_t len);

/* Length in bytes of a string that is shown; 0 for one that is not (see sx_string). */
static inline size_t sxi_size(sx_string s) {
    bool readable = s.ptr != NULL && s.len > 0 && s.len <= SX_TRACE_TEXT_MAX;
    return readable ? (size_t)s.len : 0;
}

#endif
