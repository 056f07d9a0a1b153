/* The rendering that a person reads: the report, its links, and what else is in flight. text.c shows the frames. */
#include "render.h"
#include "utf8.h"

/* What stands before the name of an error, which may be empty, then it is all there is. */
static const char* error_text(const struct sxi_rendering* r, uint32_t chain, const char* if_unknown, sx_string* name) {
    return sxi_error_name(r, sxi_error_of(r, chain), name) ? "error." : if_unknown;
}

static void put_link(const struct sxi_rendering* r, struct sxi_output* out, uint32_t above, uint32_t chain) {
    const sx_trace_buffer* t = &r->state.trace;
    sx_string before, after;
    const char *of_before = error_text(r, above, "the error", &before),
               *of_after = error_text(r, chain, "another error", &after);
    bool attempt = (t->links[sxi_slot_of(t, chain)] & SXI_LINK) == SX_TRACE_ATTEMPT;
    sxi_print(out,
              attempt ? "\nafter %t%l above, the next attempt failed with %t%l:\n"
                      : "\nwhile handling %t%l above, %t%l was raised:\n",
              of_before, &before, of_after, &after);
}

/* A chain without frames is not shown, nor how it is linked. */
static void put_group(const struct sxi_rendering* r, struct sxi_output* out, uint32_t last) {
    bool any = false;
    uint32_t above = 0;
    for (uint32_t chain = sxi_group(&r->state.trace, last); chain <= last; ++chain) {
        if (!sxi_has_frames(r, chain)) continue;
        if (any) put_link(r, out, above, chain);
        if ((r->state.trace.links[sxi_slot_of(&r->state.trace, chain)] & SXI_UNKNOWN_ORIGIN) != 0) {
            sxi_print(out, "  (came from code that records no trace)\n");
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
    uint64_t error = sxi_error_of(r, r->last), count = 0;
    for (uint32_t i = 0; i < sxi_chain_count(&r->state.trace); ++i) count += sxi_error_of(r, i) == error;
    if (error >> 63 != 0 && count > 1) sxi_print(out, "  (one of %d errors of this value in flight)\n", count);
}

static void put_others(const struct sxi_rendering* r, struct sxi_output* out) {
    const sx_trace_buffer* t = &r->state.trace;
    uint64_t in_full = 0, more = 0;
    for (uint32_t i = 0; i < sxi_chain_count(t); ++i) more += t->counts[sxi_slot_of(t, i)] - 1;
    for (uint32_t end = sxi_chain_count(t); end > 0; end = sxi_group(t, end - 1)) {
        if (end - 1 == r->last) continue;
        if (in_full == 2 || !group_has_frames(r, end - 1)) {
            ++more;
            continue;
        }
        ++in_full;
        sx_string name;
        const char* before = error_text(r, end - 1, "another error", &name);
        sxi_print(out, "\nalso in flight: %t%l (most recent call last):\n", before, &name);
        put_group(r, out, end - 1);
    }
    if (more > 0) sxi_print(out, "\nalso in flight: %d more error%t\n", more, more == 1 ? "" : "s");
}

void sxi_render_text(const struct sxi_rendering* r, struct sxi_output* out) {
    if (sxi_chain_count(&r->state.trace) == 0) return;
    if (group_has_frames(r, r->last)) {
        bool own = sxi_size(r->options.heading) > 0;
        sxi_print(out, own ? "%l\n" : "error return trace (most recent call last):\n", &r->options.heading);
        put_likeness(r, out);
        put_group(r, out, r->last);
    }
    put_others(r, out);
}
