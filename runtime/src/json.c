/* The rendering that a program reads: one object on one line, always valid JSON. */
#include "notes.h"
#include "render.h"
#include "utf8.h"

static void put_char(struct sxi_output* out, const char* text, struct sxi_char c) {
    if (!c.valid) {
        sxi_put_text(out, "\\ufffd");
    } else if (c.code == '"' || c.code == '\\') {
        sxi_put_text(out, "\\");
        sxi_put(out, text, 1);
    } else if (sxi_is_control(c) || sxi_is_direction(c)) {
        sxi_put_text(out, "\\u");
        sxi_put_hex(out, c.code, 4);
    } else {
        sxi_put(out, text, c.len);
    }
}

static void put_string(struct sxi_output* out, const char* before, sx_string text) {
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

static void put_number(struct sxi_output* out, int32_t number) {
    sxi_put_decimal(out, number > 0 ? (uint64_t)number : 0);
}

static void put_error(const struct sxi_rendering* r, struct sxi_output* out, uint64_t error) {
    sx_string name;
    if (sxi_error_name(r, error, &name)) {
        put_string(out, "", name);
    } else {
        sxi_put_text(out, "null");
    }
}

static void put_separator(struct sxi_output* out, bool* first) {
    if (!*first) sxi_put_text(out, ",");
    *first = false;
}

static void put_notes(const struct sxi_rendering* r, struct sxi_output* out, const struct sxi_step_of* step) {
    sx_string record, name, text;
    bool first = true;
    for (uint32_t at = 0; sxi_next_note(r, step, SXI_NOTE, &at, &text);) {
        if (first) sxi_put_text(out, ",\"notes\":[");
        put_separator(out, &first);
        put_string(out, "", text);
    }
    if (!first) sxi_put_text(out, "]");
    first = true;
    for (uint32_t at = 0; sxi_next_note(r, step, SXI_VALUES, &at, &record);) {
        while (sxi_next_value(&record, &name, &text)) {
            if (first) sxi_put_text(out, ",\"values\":{");
            put_separator(out, &first);
            put_string(out, name.len > 0 ? "" : SXI_ELLIPSIS, name);
            sxi_put_text(out, ":");
            put_string(out, "", text);
        }
    }
    if (!first) sxi_put_text(out, "}");
}

/* An unknown frame has empty names and zeros for its place. */
static void put_frame(const struct sxi_rendering* r, struct sxi_output* out, uint64_t value) {
    struct sxi_shown shown;
    sxi_resolve(r, value, &shown);
    sx_frame frame = shown.frame;
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
}

/* What is told of a chain stands on its first frame. */
static void put_beginning(const struct sxi_rendering* r, struct sxi_output* out, const sx_trace_chain* chain) {
    sx_string name;
    if (chain->link == SX_TRACE_CAUSE) sxi_put_text(out, ",\"link\":\"cause\"");
    if (chain->link == SX_TRACE_ATTEMPT) sxi_put_text(out, ",\"link\":\"attempt\"");
    if (sxi_error_name(r, chain->error, &name)) {
        sxi_put_text(out, ",\"error\":");
        put_string(out, "", name);
    }
    if (chain->unknown_origin) sxi_put_text(out, ",\"origin\":\"unknown\"");
}

static void put_chain(const struct sxi_rendering* r, struct sxi_output* out, uint32_t number, bool* first) {
    sx_trace_chain chain = sxi_describe_chain(&r->state.trace, number);
    struct sxi_walk walk = sxi_walk_chain(r, number);
    struct sxi_step_of step;
    uint64_t omitted;
    for (bool begins = true; sxi_next(&walk, &step, &omitted); begins = false) {
        put_separator(out, first);
        put_frame(r, out, step.value);
        if (begins) put_beginning(r, out, &chain);
        put_notes(r, out, &step);
        sxi_put_text(out, "}");
    }
}

/* What follows the error's name. */
static void put_group(const struct sxi_rendering* r, struct sxi_output* out, uint32_t last) {
    const sx_trace_buffer* t = &r->state.trace;
    uint64_t omitted = 0, errors = 1;
    bool first = true;
    sxi_put_text(out, ",\"frames\":[");
    for (uint32_t chain = sxi_group(t, last); chain <= last && chain < sxi_chain_count(t); ++chain) {
        put_chain(r, out, chain, &first);
        omitted += sxi_describe_chain(t, chain).omitted;
        errors += sxi_describe_chain(t, chain).errors - 1;
    }
    sxi_put_text(out, "],\"omitted\":");
    sxi_put_decimal(out, omitted);
    if (errors == 1) return;
    sxi_put_text(out, ",\"errors\":");
    sxi_put_decimal(out, errors);
}

static uint64_t error_of(const struct sxi_rendering* r, uint32_t chain) {
    return r->state.trace.errors[sxi_slot_of(&r->state.trace, chain)];
}

static void put_others(const struct sxi_rendering* r, struct sxi_output* out) {
    const sx_trace_buffer* t = &r->state.trace;
    bool first = true;
    for (uint32_t end = sxi_chain_count(t); end > 0; end = sxi_group(t, end - 1)) {
        if (end - 1 == r->last) continue;
        if (first) sxi_put_text(out, ",\"in_flight\":[");
        put_separator(out, &first);
        sxi_put_text(out, "{\"error\":");
        put_error(r, out, error_of(r, end - 1));
        put_group(r, out, end - 1);
        sxi_put_text(out, "}");
    }
    if (!first) sxi_put_text(out, "]");
}

void sxi_render_json(const struct sxi_rendering* r, struct sxi_output* out) {
    uint32_t chains = sxi_chain_count(&r->state.trace);
    bool named = sxi_size(r->options.error) > 0, titled = sxi_size(r->options.title) > 0;
    if (chains == 0 && !named && !titled && !r->tagged) return;
    sxi_put_text(out, "{\"error\":");
    if (named) {
        put_string(out, "", r->options.error);
    } else {
        put_error(r, out, chains > 0 ? error_of(r, r->last) : 0);
    }
    if (r->tagged) {
        sxi_put_text(out, ",\"tag\":");
        sxi_put_decimal(out, r->options.reported);
    }
    if (titled) {
        sxi_put_text(out, ",\"message\":");
        put_string(out, "", r->options.title);
    }
    put_group(r, out, r->last);
    put_others(r, out);
    sxi_put_text(out, "}\n");
}
