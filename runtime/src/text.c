/* The frames of a chain as a person reads them: places, source lines, notes; equal ones once. */
#include "notes.h"
#include "render.h"
#include "utf8.h"

#include <string.h>

#define RESET "\x1b[0m"
#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define BOLD_RED "\x1b[1;31m"

static const char* color(const struct sxi_rendering* r, const char* code) { return r->options.color ? code : ""; }

static sx_string named(sx_string name, const char* if_empty) {
    sx_string other = {if_empty, (int64_t)strlen(if_empty)};
    return sxi_size(name) > 0 ? name : other;
}

/* The line up to the caret: what takes columns there takes as many blanks here. */
static void put_indent(struct sxi_output* out, sx_string text, size_t position) {
    for (size_t i = 0; i < position;) {
        size_t plain = sxi_plain_run(text.ptr + i, position - i);
        sxi_put_blanks(out, plain);
        i += plain;
        if (i == position) break;
        struct sxi_char c = sxi_decode(text.ptr + i, sxi_size(text) - i);
        i += c.len;
        if (i > position) break; /* the position is inside of a character: stay under it */
        if (c.code == '\t') {
            sxi_put(out, "\t", 1);
        } else {
            sxi_put_blanks(out, !sxi_is_escaped(c) ? sxi_width(c) : c.code > 0xFF ? 6 : 4);
        }
    }
}

static void put_snippet(const struct sxi_rendering* r, struct sxi_output* out, const sx_frame* frame) {
    sx_string text = frame->line_text;
    bool excerpt = sxi_unmark_excerpt(&text);
    if (sxi_size(text) == 0) return;
    sxi_print(out, "    %t%l\n", excerpt ? SXI_ELLIPSIS : "", &text);
    size_t position = excerpt ? 0 : sxi_position_in_text(frame);
    if (position > sxi_size(text)) return;
    sxi_put_blanks(out, excerpt ? 5 : 4);
    put_indent(out, text, position);
    sxi_print(out, "%t^%t\n", color(r, BOLD_RED), color(r, RESET));
}

static void put_place(struct sxi_output* out, const sx_frame* frame) {
    sx_string file = named(frame->file, "(unknown file)");
    sxi_print(out, " at %l", &file);
    if (frame->line < 1) return;
    sxi_print(out, ":%d", (uint64_t)frame->line);
    if (frame->col >= 1) sxi_print(out, ":%d", (uint64_t)frame->col);
}

static void put_frame(const struct sxi_rendering* r, struct sxi_output* out, const struct sxi_shown* shown,
                      uint64_t times) {
    if (shown->kind == SXI_KNOWN_FRAME) {
        sx_string func = named(shown->frame.func, "(unknown function)");
        sxi_print(out, "  %t%l%t", color(r, BOLD), &func, color(r, RESET));
        put_place(out, &shown->frame);
    } else if (shown->kind == SXI_GONE_FRAME) {
        sxi_print(out, "  (frame of a library that is gone)");
    } else {
        sxi_print(out, "  (unknown frame 0x%x)", shown->value);
    }
    if (times > 1) sxi_print(out, " (%d times)", times);
    sxi_print(out, "\n");
    if (r->options.style == SX_TRACE_STYLE_TEXT) put_snippet(r, out, &shown->frame);
}

static void put_values(const struct sxi_rendering* r, struct sxi_output* out, const struct sxi_step_of* step) {
    sx_string record, name, text;
    bool any = false;
    for (uint32_t at = 0; sxi_next_note(r, step, SXI_VALUES, &at, &record);) {
        while (sxi_next_value(&record, &name, &text)) {
            sxi_print(out, "%t%n%t%n", any ? ", " : "      with ", &name, name.len > 0 ? " = " : "", &text);
            any = true;
        }
    }
    if (any) sxi_print(out, "\n");
}

static void put_notes(const struct sxi_rendering* r, struct sxi_output* out, const struct sxi_step_of* step) {
    sx_string text;
    put_values(r, out, step);
    for (uint32_t at = 0; sxi_next_note(r, step, SXI_NOTE, &at, &text);) sxi_print(out, "      note: %n\n", &text);
}

static void put_omitted(const struct sxi_rendering* r, struct sxi_output* out, uint64_t count) {
    if (count == 0) return;
    sxi_print(out, "%t  ... %d frame%t omitted%t\n", color(r, DIM), count, count == 1 ? "" : "s", color(r, RESET));
}

/* ---- Equal neighbours. ---- */

static bool same_text(sx_string a, sx_string b) {
    size_t len = sxi_size(a);
    return len == sxi_size(b) && (len == 0 || a.ptr == b.ptr || memcmp(a.ptr, b.ptr, len) == 0);
}

static bool same_frame(const struct sxi_shown* a, const struct sxi_shown* b) {
    if (a->kind != b->kind || (a->kind != SXI_KNOWN_FRAME && a->value != b->value)) return false;
    const sx_frame *f = &a->frame, *g = &b->frame;
    return a->value == b->value || (f->line == g->line && f->col == g->col && same_text(f->func, g->func) &&
                                    same_text(f->file, g->file) && same_text(f->line_text, g->line_text));
}

/* A frame with notes is like no other; values have to be equal. */
static bool same_notes(const struct sxi_rendering* r, const struct sxi_step_of* a, const struct sxi_step_of* b) {
    if (r->state.trace.notes_used == 0) return true;
    sx_string note, of_a, of_b;
    uint32_t at_a = 0, at_b = 0;
    if (sxi_next_note(r, a, SXI_NOTE, &at_a, &note) || sxi_next_note(r, b, SXI_NOTE, &at_b, &note)) return false;
    at_a = at_b = 0;
    for (;;) {
        bool more = sxi_next_note(r, a, SXI_VALUES, &at_a, &of_a);
        if (more != sxi_next_note(r, b, SXI_VALUES, &at_b, &of_b)) return false;
        if (!more) return true;
        if (!same_text(of_a, of_b)) return false;
    }
}

void sxi_put_frames(const struct sxi_rendering* r, struct sxi_output* out, uint32_t chain) {
    struct sxi_shown frames[2], *shown = &frames[0], *following = &frames[1];
    struct sxi_step_of step, next;
    uint64_t omitted;
    struct sxi_walk walk = sxi_walk_chain(r, chain);
    bool more = sxi_next(&walk, &step, &omitted);
    put_omitted(r, out, omitted);
    if (more) sxi_resolve(r, step.value, shown);
    for (uint32_t times = 1; more;) {
        more = sxi_next(&walk, &next, &omitted);
        if (more) sxi_resolve(r, next.value, following);
        if (more && omitted == 0 && same_frame(shown, following) && same_notes(r, &step, &next)) {
            ++times;
            continue;
        }
        put_frame(r, out, shown, times);
        put_notes(r, out, &step);
        put_omitted(r, out, omitted);
        struct sxi_shown* before = shown;
        shown = following;
        following = before;
        times = 1;
        step = next;
    }
}
