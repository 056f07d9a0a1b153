/* The rendering that a person reads. */
#include "render.h"
#include "utf8.h"

#define RESET "\x1b[0m"
#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define BOLD_RED "\x1b[1;31m"

static void put_color(const struct sxi_rendering *r, struct sxi_output *out, const char *code) {
    if (r->color) sxi_put_text(out, code);
}

static bool is_escaped(struct sxi_char c) { return sxi_is_control(c) && c.code != '\t'; }

void sxi_put_escaped(struct sxi_output *out, sx_string text) {
    size_t len = sxi_size(text);
    for (size_t i = 0; i < len;) {
        size_t plain = sxi_plain_run(text.ptr + i, len - i);
        sxi_put(out, text.ptr + i, plain);
        i += plain;
        if (i == len) break;
        struct sxi_char c = sxi_decode(text.ptr + i, len - i);
        if (is_escaped(c)) {
            sxi_put_text(out, "\\x");
            sxi_put_hex(out, c.code, 2);
        } else {
            sxi_put(out, text.ptr + i, c.len);
        }
        i += c.len;
    }
}

static void put_name(struct sxi_output *out, sx_string name, const char *if_empty) {
    if (sxi_size(name) == 0) {
        sxi_put_text(out, if_empty);
    } else {
        sxi_put_escaped(out, name);
    }
}

/* The line up to the caret: what takes columns there takes as many blanks here. */
static void put_indent(struct sxi_output *out, sx_string text, size_t position) {
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
            sxi_put_blanks(out, is_escaped(c) ? 4 : sxi_width(c));
        }
    }
}

static void put_snippet(const struct sxi_rendering *r, struct sxi_output *out,
                        const sx_frame *frame) {
    sx_string text = frame->line_text;
    bool excerpt = sxi_unmark_excerpt(&text);
    if (sxi_size(text) == 0) return;
    sxi_put_text(out, excerpt ? "    " SXI_ELLIPSIS : "    ");
    sxi_put_escaped(out, text);
    sxi_put_text(out, "\n");
    size_t position = excerpt ? 0 : sxi_position_in_text(frame);
    if (position > sxi_size(text)) return;
    sxi_put_text(out, excerpt ? "     " : "    ");
    put_indent(out, text, position);
    put_color(r, out, BOLD_RED);
    sxi_put_text(out, "^");
    put_color(r, out, RESET);
    sxi_put_text(out, "\n");
}

static void put_place(struct sxi_output *out, const sx_frame *frame) {
    put_name(out, frame->file, "(unknown file)");
    if (frame->line < 1) return;
    sxi_put_text(out, ":");
    sxi_put_decimal(out, (uint64_t)frame->line);
    if (frame->col < 1) return;
    sxi_put_text(out, ":");
    sxi_put_decimal(out, (uint64_t)frame->col);
}

static void put_frame(const struct sxi_rendering *r, struct sxi_output *out, uint64_t value) {
    sx_frame frame;
    if (!sxi_resolve(r, value, &frame)) {
        sxi_put_text(out, "  (unknown frame 0x");
        sxi_put_hex(out, value, 0);
        sxi_put_text(out, ")\n");
        return;
    }
    sxi_put_text(out, "  ");
    put_color(r, out, BOLD);
    put_name(out, frame.func, "(unknown function)");
    put_color(r, out, RESET);
    sxi_put_text(out, " at ");
    put_place(out, &frame);
    sxi_put_text(out, "\n");
    if (r->style == SX_TRACE_STYLE_TEXT) put_snippet(r, out, &frame);
}

static void put_omitted(const struct sxi_rendering *r, struct sxi_output *out, uint64_t count) {
    put_color(r, out, DIM);
    sxi_put_text(out, "  ... ");
    sxi_put_decimal(out, count);
    sxi_put_text(out, " frames omitted");
    put_color(r, out, RESET);
    sxi_put_text(out, "\n");
}

static void put_chain(const struct sxi_rendering *r, struct sxi_output *out, uint64_t number) {
    const sx_trace_snapshot *t = &r->trace;
    sx_trace_chain chain = sxi_describe_chain(t, number);
    if (chain.pushed == 0) return; /* a signal handler prints while the chain comes or goes */
    if (chain.link == SX_TRACE_CAUSE) {
        sxi_put_text(out, "\nwhile handling the error above, another error was raised:\n");
    }
    if (chain.surviving < chain.pushed) put_frame(r, out, chain.origin);
    if (chain.omitted > 0) put_omitted(r, out, chain.omitted);
    for (uint32_t i = 0; i < chain.surviving; ++i) {
        put_frame(r, out, sxi_frame(t, sxi_oldest(t) + chain.first + i));
    }
}

void sxi_render_text(const struct sxi_rendering *r, struct sxi_output *out) {
    const sx_trace_snapshot *t = &r->trace;
    if (sxi_chain_count(t) == 0) return;
    sxi_put_text(out, "error return trace (most recent call last):\n");
    for (uint64_t number = t->bottom; number < t->top; ++number) put_chain(r, out, number);
}
