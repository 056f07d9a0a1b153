/* The rendering that a program reads: one object on one line, always valid JSON. */
#include "notes.h"
#include "render.h"
#include "utf8.h"

static uint64_t shown_number(int32_t number) { return number > 0 ? (uint64_t)number : 0; }

static void put_error(const struct sxi_rendering* r, struct sxi_output* out, const char* before, uint64_t error) {
    sx_string name;
    bool known = sxi_error_name(r, error, &name);
    sxi_print(out, known ? "%t\"error\":\"%j\"" : "%t\"error\":null", before, &name);
}

static void put_notes(const struct sxi_rendering* r, struct sxi_output* out, const struct sxi_step_of* step) {
    sx_string record, name, text;
    const char* before = ",\"notes\":[";
    for (uint32_t at = 0; sxi_next_note(r, step, SXI_NOTE, &at, &text); before = ",") {
        sxi_print(out, "%t\"%j\"", before, &text);
    }
    if (before[1] == '\0') sxi_print(out, "]");
    before = ",\"values\":{";
    for (uint32_t at = 0; sxi_next_note(r, step, SXI_VALUES, &at, &record);) {
        for (; sxi_next_value(&record, &name, &text); before = ",") {
            sxi_print(out, "%t\"%t%j\":\"%j\"", before, name.len > 0 ? "" : SXI_ELLIPSIS, &name, &text);
        }
    }
    if (before[1] == '\0') sxi_print(out, "}");
}

/* An unknown frame has empty names and zeros for its place. */
static void put_frame(const struct sxi_rendering* r, struct sxi_output* out, const char* before, uint64_t value) {
    struct sxi_shown shown;
    sxi_resolve(r, value, &shown);
    sx_frame* frame = &shown.frame;
    bool excerpt = sxi_unmark_excerpt(&frame->line_text);
    sxi_print(out, "%t{\"func\":\"%j\",\"file\":\"%j\",\"line\":%d,\"col\":%d,\"text\":\"%t%j\"", before, &frame->func,
              &frame->file, shown_number(frame->line), shown_number(frame->col), excerpt ? SXI_ELLIPSIS : "",
              &frame->line_text);
}

/* What is told of a chain stands on its first frame. */
static void put_beginning(const struct sxi_rendering* r, struct sxi_output* out, const sx_trace_chain* chain) {
    sx_string name;
    if (chain->link != SX_TRACE_UNLINKED) {
        sxi_print(out, ",\"link\":\"%t\"", chain->link == SX_TRACE_CAUSE ? "cause" : "attempt");
    }
    if (sxi_error_name(r, chain->error, &name)) sxi_print(out, ",\"error\":\"%j\"", &name);
    if (chain->unknown_origin) sxi_print(out, ",\"origin\":\"unknown\"");
}

/* What follows the error's name. */
static void put_group(const struct sxi_rendering* r, struct sxi_output* out, uint32_t last) {
    const sx_trace_buffer* t = &r->state.trace;
    uint64_t all_omitted = 0, omitted, errors = 1;
    const char* before = ",\"frames\":[";
    bool any = false;
    for (uint32_t number = sxi_group(t, last); number <= last && number < sxi_chain_count(t); ++number) {
        sx_trace_chain chain = sxi_describe_chain(t, number);
        struct sxi_walk walk = sxi_walk_chain(r, number);
        struct sxi_step_of step;
        for (bool begins = true; sxi_next(&walk, &step, &omitted); begins = false) {
            put_frame(r, out, any ? "," : before, step.value);
            if (begins) put_beginning(r, out, &chain);
            put_notes(r, out, &step);
            sxi_print(out, "}");
            any = true;
        }
        all_omitted += chain.omitted;
        errors += chain.errors - 1;
    }
    sxi_print(out, "%t],\"omitted\":%d", any ? "" : before, all_omitted);
    if (errors > 1) sxi_print(out, ",\"errors\":%d", errors);
}

static void put_others(const struct sxi_rendering* r, struct sxi_output* out) {
    const sx_trace_buffer* t = &r->state.trace;
    const char* before = ",\"in_flight\":[{";
    for (uint32_t end = sxi_chain_count(t); end > 0; end = sxi_group(t, end - 1)) {
        if (end - 1 == r->last) continue;
        put_error(r, out, before, sxi_error_of(r, end - 1));
        put_group(r, out, end - 1);
        sxi_print(out, "}");
        before = ",{";
    }
    if (before[2] == '\0') sxi_print(out, "]");
}

void sxi_render_json(const struct sxi_rendering* r, struct sxi_output* out) {
    uint32_t chains = sxi_chain_count(&r->state.trace);
    const sx_trace_options* options = &r->options;
    bool named = sxi_size(options->error) > 0, titled = sxi_size(options->title) > 0;
    if (chains == 0 && !named && !titled && !r->tagged) return;
    if (named) {
        sxi_print(out, "{\"error\":\"%j\"", &options->error);
    } else {
        put_error(r, out, "{", chains > 0 ? sxi_error_of(r, r->last) : 0);
    }
    if (r->tagged) sxi_print(out, ",\"tag\":%d", options->reported);
    if (titled) sxi_print(out, ",\"message\":\"%j\"", &options->title);
    put_group(r, out, r->last);
    put_others(r, out);
    sxi_print(out, "}\n");
}
