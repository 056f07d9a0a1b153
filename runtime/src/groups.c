/* The rendering that a person reads: the report, its links, and what else is in flight. text.c shows the frames. */
#include "render.h"
#include "utf8.h"

static void put_error(const struct sxi_rendering* r, struct sxi_output* out, uint64_t error, const char* if_unknown) {
    sx_string name;
    if (sxi_error_name(r, error, &name)) {
        sxi_put_text(out, "error.");
        sxi_put_escaped(out, name, true);
    } else {
        sxi_put_text(out, if_unknown);
    }
}

static uint64_t error_of(const struct sxi_rendering* r, uint32_t chain) {
    return r->state.trace.errors[sxi_slot_of(&r->state.trace, chain)];
}

static void put_link(const struct sxi_rendering* r, struct sxi_output* out, uint32_t above, uint32_t chain) {
    bool attempt = sxi_describe_chain(&r->state.trace, chain).link == SX_TRACE_ATTEMPT;
    sxi_put_text(out, attempt ? "\nafter " : "\nwhile handling ");
    put_error(r, out, error_of(r, above), "the error");
    sxi_put_text(out, attempt ? " above, the next attempt failed with " : " above, ");
    put_error(r, out, error_of(r, chain), "another error");
    sxi_put_text(out, attempt ? ":\n" : " was raised:\n");
}

/* A chain without frames is not shown, nor how it is linked. */
static void put_group(const struct sxi_rendering* r, struct sxi_output* out, uint32_t last) {
    bool any = false;
    uint32_t above = 0;
    for (uint32_t chain = sxi_group(&r->state.trace, last); chain <= last; ++chain) {
        if (!sxi_has_frames(r, chain)) continue;
        if (any) put_link(r, out, above, chain);
        if (sxi_describe_chain(&r->state.trace, chain).unknown_origin) {
            sxi_put_text(out, "  (came from code that records no trace)\n");
        }
        sxi_put_frames(r, out, chain);
        any = true;
        above = chain;
    }
}

static bool group_has_frames(const struct sxi_rendering* r, uint32_t last) {
    for (uint32_t chain = sxi_group(&r->state.trace, last); chain <= last; ++chain) {
        if (sxi_has_frames(r, chain)) return true;
    }
    return false;
}

/* Values that are equal cannot be told apart, tags of sx can: there it is known which is which. */
static void put_likeness(const struct sxi_rendering* r, struct sxi_output* out) {
    uint64_t error = error_of(r, r->last);
    uint32_t count = 0;
    for (uint32_t i = 0; i < sxi_chain_count(&r->state.trace); ++i) count += error_of(r, i) == error;
    if (error >> 63 == 0 || count < 2) return;
    sxi_put_text(out, "  (one of ");
    sxi_put_decimal(out, count);
    sxi_put_text(out, " errors of this value in flight)\n");
}

static void put_others(const struct sxi_rendering* r, struct sxi_output* out) {
    const sx_trace_buffer* t = &r->state.trace;
    uint64_t in_full = 0, more = 0;
    for (uint32_t i = 0; i < sxi_chain_count(t); ++i) more += sxi_describe_chain(t, i).errors - 1;
    for (uint32_t end = sxi_chain_count(t); end > 0; end = sxi_group(t, end - 1)) {
        if (end - 1 == r->last) continue;
        if (in_full == 2 || !group_has_frames(r, end - 1)) {
            ++more;
            continue;
        }
        ++in_full;
        sxi_put_text(out, "\nalso in flight: ");
        put_error(r, out, error_of(r, end - 1), "another error");
        sxi_put_text(out, " (most recent call last):\n");
        put_group(r, out, end - 1);
    }
    if (more == 0) return;
    sxi_put_text(out, "\nalso in flight: ");
    sxi_put_decimal(out, more);
    sxi_put_text(out, more == 1 ? " more error\n" : " more errors\n");
}

static void put_heading(const struct sxi_rendering* r, struct sxi_output* out) {
    if (sxi_size(r->options.heading) > 0) {
        sxi_put_escaped(out, r->options.heading, true);
        sxi_put_text(out, "\n");
    } else {
        sxi_put_text(out, "error return trace (most recent call last):\n");
    }
}

void sxi_render_text(const struct sxi_rendering* r, struct sxi_output* out) {
    if (sxi_chain_count(&r->state.trace) == 0) return;
    if (group_has_frames(r, r->last)) {
        put_heading(r, out);
        put_likeness(r, out);
        put_group(r, out, r->last);
    }
    put_others(r, out);
}
