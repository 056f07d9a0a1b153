/* From options to a rendering, and where it goes: a callback or a buffer. */
#include "render.h"

#include "change.h"
#include "notes.h"
#include "utf8.h"

#include <string.h>

const sx_trace_resolver* sx_trace_set_resolver(const sx_trace_resolver* resolver) {
    const sx_trace_resolver* before = sx_trace_thread.resolver;
    sx_trace_thread.resolver = resolver;
    return before;
}

static uint32_t choose_style(const sx_trace_options* options) {
    uint32_t style = options->style;
    bool known = style >= SX_TRACE_STYLE_TEXT && style <= SX_TRACE_STYLE_OFF;
    return known ? style : sxi_style_from_environment();
}

/* Again when a signal handler that raised errors of its own has come between. */
static void copy_thread(sx_trace_state* state) {
    const struct sx_trace_thread* thread = sxi_thread();
    do {
        memcpy(&state->trace, &thread->trace, sizeof state->trace);
        sxi_step();
        memcpy(state->notes, thread->notes, sizeof state->notes);
        sxi_step();
    } while (thread->trace.stack != state->trace.stack);
    state->trace.notes_used = (uint16_t)sxi_notes_readable(&state->trace);
}

/* The highest chain of the group that is the report. */
static uint32_t choose(const sx_trace_buffer* t, uint64_t error) {
    uint32_t count = sxi_chain_count(t);
    for (uint32_t end = count; error != 0 && end > 0; end = sxi_group(t, end - 1)) {
        if (t->errors[sxi_slot_of(t, end - 1)] == error) return end - 1;
    }
    return count > 0 ? count - 1 : 0;
}

void sxi_prepare(struct sxi_rendering* r, const sx_trace_snapshot* snapshot, const sx_trace_options* options) {
    static const sx_trace_options defaults;
    if (options == NULL) options = &defaults;
    if (snapshot == NULL) {
        copy_thread(&r->state);
    } else if (sxi_is_sound(snapshot)) {
        r->state.trace = snapshot->trace;
        memcpy(r->state.notes, snapshot->notes, sizeof snapshot->notes);
        for (uint32_t i = 0; i < SX_TRACE_CHAINS; ++i) r->state.trace.numbers[i] = i;
    } else {
        r->state.trace.stack = 0;
    }
    r->options = *options;
    r->options.style = choose_style(options);
    if (options->resolver == NULL) r->options.resolver = sx_trace_thread.resolver;
    r->last = choose(&r->state.trace, options->reported);
    r->values = sxi_values_wanted();
    r->tagged = false;
}

void sxi_render(const struct sxi_rendering* r, struct sxi_output* out) {
    if (r->options.style == SX_TRACE_STYLE_JSON) {
        sxi_render_json(r, out);
        return;
    }
    if (sxi_size(r->options.title) > 0) sxi_print(out, "%l\n", &r->options.title);
    if (r->options.style != SX_TRACE_STYLE_OFF) sxi_render_text(r, out);
}

bool sx_trace_render(const sx_trace_snapshot* snapshot, const sx_trace_options* options, sx_trace_write_fn write,
                     void* ctx) {
    struct sxi_rendering r;
    struct sxi_output out;
    sxi_prepare(&r, snapshot, options);
    sxi_output_begin(&out, write, ctx);
    sxi_render(&r, &out);
    return sxi_output_end(&out);
}

struct target {
    char* buffer;
    size_t capacity; /* without the NUL */
    size_t len;      /* of the whole text so far */
};

static bool write_to_target(const char* bytes, size_t len, void* ctx) {
    struct target* target = ctx;
    size_t room = target->len < target->capacity ? target->capacity - target->len : 0;
    if (room > 0) memcpy(target->buffer + target->len, bytes, len < room ? len : room);
    target->len += len;
    return true;
}

size_t sx_trace_format(char* buffer, size_t capacity, const sx_trace_snapshot* snapshot,
                       const sx_trace_options* options) {
    struct target target = {buffer, capacity > 0 ? capacity - 1 : 0, 0};
    sx_trace_render(snapshot, options, write_to_target, &target);
    if (capacity > 0) { buffer[target.len < target.capacity ? target.len : target.capacity] = '\0'; }
    return target.len;
}
