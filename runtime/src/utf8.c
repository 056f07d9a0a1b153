#include "utf8.h"

#include "width_table.inc"

/* The next number of the table. */
static uint32_t next_number(uint32_t* at) {
    uint32_t number = 0, byte;
    do {
        byte = widths[(*at)++];
        number = number << 7 | (byte & 0x7F);
    } while (byte > 0x7F);
    return number;
}

/* Length of the sequence that this byte begins, 0 if none begins so. */
static uint32_t sequence_len(uint8_t lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    if (lead >= 0xF0 && lead <= 0xF4) return 4;
    return 0;
}

/* Overlong forms of two bytes are ruled out by their lead byte already. */
static bool is_scalar(uint32_t code, uint32_t len) {
    if (len == 3) return code >= 0x800 && (code < 0xD800 || code > 0xDFFF);
    if (len == 4) return code >= 0x10000 && code <= 0x10FFFF;
    return true;
}

struct sxi_char sxi_decode(const char* text, size_t len) {
    uint8_t lead = (uint8_t)text[0];
    struct sxi_char invalid = {.code = lead, .len = 1, .valid = false};
    uint32_t need = sequence_len(lead);
    if (need == 0 || need > len) return invalid;
    uint32_t code = need == 1 ? lead : lead & (0x7Fu >> need);
    for (uint32_t i = 1; i < need; ++i) {
        uint8_t next = (uint8_t)text[i];
        if ((next & 0xC0u) != 0x80u) return invalid;
        code = code << 6 | (next & 0x3Fu);
    }
    if (!is_scalar(code, need)) return invalid;
    return (struct sxi_char){.code = code, .len = need, .valid = true};
}

bool sxi_is_escaped(struct sxi_char c) {
    uint32_t code = c.code;
    return c.valid && (code < 0x20 || code - 0x7F <= 0x9F - 0x7F || code - 0x202A <= 0x202E - 0x202A ||
                       code - 0x2066 <= 0x2069 - 0x2066);
}

uint32_t sxi_width(struct sxi_char c) {
    if (!c.valid || c.code < 0x300) return 1;
    if (c.code >= 0x4E00 && c.code <= 0x9FFF) return 2; /* the table has them too, far from its start */
    uint32_t code = 0x300;
    for (uint32_t at = 0; at < sizeof widths;) {
        code += next_number(&at);
        if (c.code < code) return 1;
        uint32_t range = next_number(&at);
        code += range / 2;
        if (c.code < code) return range % 2 * 2;
    }
    return 1;
}

size_t sxi_plain_run(const char* text, size_t len) {
    size_t run = 0;
    for (; run < len; ++run) {
        char c = text[run];
        if (c < ' ' || c > '~' || c == '"' || c == '\\') break;
    }
    return run;
}
