/* The rendering that a program reads: one object on one line, always valid JSON. */
#include "render.h"
#include "utf8.h"

static void put_char(struct sxi_output *out, const char *text, struct sxi_char c) {
    if (!c.valid) {
        sxi_put_text(out, "\\ufffd");
    } else if (c.code == '"' || c.code == '\\') {
        sxi_put_text(out, "\\");
        sxi_put(out, text, 1);
    } else if (sxi_is_control(c)) {
        sxi_put_text(out, "\\u");
        sxi_put_hex(out, c.code, 4);
    } else {
        sxi_put(out, text, c.len);
    }
}

static void put_string(struct sxi_output *out, const char *before, sx_string text) {
    size_t len = sxi_size(text);
    sxi_put_text(out, "\"");
    sxi_put_text(out, before);
    for (size_t i = 0; i < len;) {
        size_t plain = sxi_plain_run(text.ptr + i, len - i);
        sxi_put(out, text.ptr + i, plain);
        i += plain;
        if (i == len) break;
        struct sxi_char c = sxi_decode(text.ptr + i, len - i);
        put_char(out, text.ptr + i, c);
        i += c.len;
    }
    sxi_put_text(out, "\"");
}

static void put_number(struct sxi_output *out, int32_t number) {
    sxi_put_decimal(out, number > 0 ? (uint64_t)number : 0);
}

/* An unknown frame has empty names and zeros for its place. */
static void put_frame(const struct sxi_rendering *r, struct sxi_output *out, uint64_t value,
                      uint32_t link) {
    sx_frame frame;
    sxi_resolve(r, value, &frame);
    sxi_put_text(out, "{\"func\":");
    put_string(out, "", frame.func);
    sxi_put_text(out, ",\"file\":");
    put_string(out, "", frame.file);
    sxi_put_text(out, ",\"line\":");
    put_number(out, frame.line);
    sxi_put_text(out, ",\"col\":");
    put_number(out, frame.col);
    sxi_put_text(out, ",\"text\":");
    bool excerpt = sxi_unmark_excerpt(&frame.line_text);
    put_string(out, excerpt ? SXI_ELLIPSIS : "", frame.line_text);
    if (link == SX_TRACE_CAUSE) sxi_put_text(out, ",\"link\":\"cause\"");
    if (link == SX_TRACE_ATTEMPT) sxi_put_text(out, ",\"link\":\"attempt\"");
    sxi_put_text(out, "}");
}

static void put_separator(struct sxi_output *out, bool *first) {
    if (!*first) sxi_put_text(out, ",");
    *first = false;
}

static void put_chain(const struct sxi_rendering *r, struct sxi_output *out, uint64_t number,
                      bool *first) {
    const sx_trace_snapshot *t = &r->trace;
    sx_trace_chain chain = sxi_describe_chain(t, number);
    uint32_t link = chain.link;
    if (chain.surviving < chain.pushed) {
        put_separator(out, first);
        put_frame(r, out, chain.origin, link);
        link = SX_TRACE_UNLINKED;
    }
    for (uint32_t i = 0; i < chain.surviving; ++i) {
        put_separator(out, first);
        put_frame(r, out, sxi_frame(t, sxi_oldest(t) + chain.first + i), link);
        link = SX_TRACE_UNLINKED;
    }
}

void sxi_render_json(const struct sxi_rendering *r, struct sxi_output *out) {
    const sx_trace_snapshot *t = &r->trace;
    bool named = sxi_size(r->error) > 0;
    if (sxi_chain_count(t) == 0 && !named && !r->tagged) return;
    sxi_put_text(out, "{\"error\":");
    if (named) {
        put_string(out, "", r->error);
    } else {
        sxi_put_text(out, "null");
    }
    if (r->tagged) {
        sxi_put_text(out, ",\"tag\":");
        sxi_put_decimal(out, r->tag);
    }
    sxi_put_text(out, ",\"frames\":[");
    bool first = true;
    for (uint64_t i = 0; i < sxi_chain_count(t); ++i) put_chain(r, out, t->bottom + i, &first);
    sxi_put_text(out, "],\"omitted\":");
    sxi_put_decimal(out, sxi_omitted(t));
    sxi_put_text(out, "}\n");
}
