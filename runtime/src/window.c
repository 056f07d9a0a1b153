/*
 * Long source lines: cut where a frame is made, and read again where it is shown.
 *
 * A frame's column counts in the whole line, so a window that begins in the middle of it has to
 * tell where the position is. It does so by its form: an ellipsis, blanks where a wide character
 * would straddle the mark, text, and after exactly COLUMNS_BEFORE columns the position.
 */
#include "render.h"
#include "utf8.h"

#include <string.h>

enum { WINDOW_COLUMNS = 200, COLUMNS_BEFORE = 100 };

static const char ellipsis[] = SXI_ELLIPSIS;
enum { ELLIPSIS_BYTES = sizeof ellipsis - 1 };

/* Not inline, like append: they stand in five places, and small counts for more here. */
static __attribute__((noinline)) uint64_t columns_between(const char* text, size_t from, size_t to, size_t len) {
    uint64_t columns = 0;
    while (from < to) {
        struct sxi_char c = sxi_decode(text + from, len - from);
        columns += sxi_width(c);
        from += c.len;
    }
    return columns;
}

/* The offset that stands `columns` further on, or less where a wide character is in the way. Marks
 * that combine with the last character are taken along. */
static size_t advance(const char* text, size_t from, size_t len, uint32_t columns) {
    while (from < len) {
        struct sxi_char c = sxi_decode(text + from, len - from);
        if (sxi_width(c) > columns) break;
        columns -= sxi_width(c);
        from += c.len;
    }
    return from;
}

/* The smallest offset from which at most `columns` remain up to `to`, not between a character and
 * the marks that combine with it. */
static size_t cut_before(const char* text, size_t to, size_t len, uint32_t columns) {
    uint64_t excess = columns_between(text, 0, to, len);
    size_t from = 0;
    while (from < to) {
        struct sxi_char c = sxi_decode(text + from, len - from);
        if (excess <= columns && sxi_width(c) > 0) break;
        excess -= sxi_width(c);
        from += c.len;
    }
    return from;
}

struct window {
    char* buffer;
    size_t capacity;
    size_t len; /* of the whole window so far */
};

static __attribute__((noinline)) void append(struct window* w, const char* bytes, size_t len) {
    for (size_t i = 0; i < len; ++i, ++w->len) {
        if (w->len < w->capacity) w->buffer[w->len] = bytes[i];
    }
}

/* Everything before the position, in COLUMNS_BEFORE columns. Returns how many it takes. */
static uint32_t append_before(struct window* w, const char* text, size_t position, size_t len) {
    uint64_t columns = columns_between(text, 0, position, len);
    size_t from = 0;
    if (columns > COLUMNS_BEFORE) {
        append(w, ellipsis, ELLIPSIS_BYTES);
        from = cut_before(text, position, len, COLUMNS_BEFORE - 1);
        uint64_t kept = columns_between(text, from, position, len);
        for (; kept < COLUMNS_BEFORE - 1; ++kept) append(w, " ", 1);
        columns = COLUMNS_BEFORE;
    }
    append(w, text + from, position - from);
    return (uint32_t)columns;
}

/* The start of the character that the column points into. */
static size_t position_of_column(const char* text, size_t len, int32_t col) {
    size_t wanted = col > 0 ? (size_t)col - 1 : 0;
    size_t at = 0;
    while (at < len) {
        struct sxi_char c = sxi_decode(text + at, len - at);
        if (at + c.len > wanted) break;
        at += c.len;
    }
    return at;
}

size_t sx_trace_line_window(sx_string line, int32_t col, char* buffer, size_t capacity) {
    const char* text = line.ptr != NULL ? line.ptr : "";
    size_t len = line.ptr != NULL && line.len > 0 ? (size_t)line.len : 0;
    struct window w = {buffer, capacity, 0};
    if (columns_between(text, 0, len, len) <= WINDOW_COLUMNS) {
        append(&w, text, len);
        return w.len;
    }
    size_t position = position_of_column(text, len, col);
    uint32_t room = WINDOW_COLUMNS - append_before(&w, text, position, len);
    if (columns_between(text, position, len, len) <= room) {
        append(&w, text + position, len - position);
    } else {
        append(&w, text + position, advance(text, position, len, room - 1) - position);
        append(&w, ellipsis, ELLIPSIS_BYTES);
    }
    return w.len;
}

/* No line that is shown whole has a position this far behind an ellipsis at its start, unless it
 * is one that begins with an ellipsis of its own. No character takes more columns than bytes. */
static bool is_cut(const sx_frame* frame) {
    return sxi_size(frame->line_text) >= ELLIPSIS_BYTES && frame->col > COLUMNS_BEFORE + 1 &&
           memcmp(frame->line_text.ptr, ellipsis, ELLIPSIS_BYTES) == 0;
}

bool sxi_unmark_excerpt(sx_string* line_text) {
    if (sxi_size(*line_text) == 0 || line_text->ptr[0] != '\n') return false;
    ++line_text->ptr;
    --line_text->len;
    return true;
}

size_t sxi_position_in_text(const sx_frame* frame) {
    size_t len = sxi_size(frame->line_text);
    if (frame->col < 1) return SIZE_MAX;
    if (!is_cut(frame)) return (size_t)frame->col - 1;
    /* Marks at the position combine with the character before it, so do not step over them. */
    size_t at = 0;
    for (uint32_t columns = 0; at < len && columns < COLUMNS_BEFORE;) {
        struct sxi_char c = sxi_decode(frame->line_text.ptr + at, len - at);
        columns += sxi_width(c);
        at += c.len;
    }
    return at;
}
