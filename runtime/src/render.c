/* From options to a rendering, and where it goes: a callback or a buffer. */
#include "render.h"

#include "thread.h"

#include <string.h>

const sx_trace_resolver *sx_trace_set_resolver(const sx_trace_resolver *resolver) {
    const sx_trace_resolver *before = sx_trace_thread.resolver;
    sx_trace_thread.resolver = resolver;
    return before;
}

/* What a frame is without a resolver. Small and odd numbers are no address of a frame. */
static bool resolve_pointer(uint64_t frame, sx_frame *out) {
    if (frame < 4096 || frame % _Alignof(sx_frame) != 0 || frame > UINTPTR_MAX) return false;
    *out = *(const sx_frame *)(uintptr_t)frame;
    return true;
}

bool sxi_resolve(const struct sxi_rendering *r, uint64_t frame, sx_frame *out) {
    static const sx_frame empty = {{NULL, 0}, 0, 0, {NULL, 0}, {NULL, 0}};
    *out = empty;
    bool known = r->resolver != NULL ? r->resolver->resolve(frame, out, r->resolver->ctx)
                                     : resolve_pointer(frame, out);
    if (!known) *out = empty;
    return known;
}

static uint32_t choose_style(const sx_trace_options *options) {
    uint32_t style = options->style;
    bool known = style >= SX_TRACE_STYLE_TEXT && style <= SX_TRACE_STYLE_OFF;
    return known ? style : sxi_style_from_environment();
}

void sxi_prepare(struct sxi_rendering *r, const sx_trace_snapshot *snapshot,
                 const sx_trace_options *options) {
    static const sx_trace_options defaults = {0, false, {NULL, 0}, NULL};
    if (options == NULL) options = &defaults;
    if (snapshot != NULL) {
        r->trace = *snapshot;
        if (!sxi_is_sound(snapshot)) r->trace.bottom = r->trace.top = 0;
    } else {
        sx_trace_capture(&r->trace);
    }
    r->style = choose_style(options);
    r->color = options->color;
    r->error = options->error;
    r->tagged = false;
    r->tag = 0;
    r->resolver = options->resolver != NULL ? options->resolver : sx_trace_thread.resolver;
}

void sxi_render(const struct sxi_rendering *r, struct sxi_output *out) {
    switch (r->style) {
        case SX_TRACE_STYLE_TEXT:
        case SX_TRACE_STYLE_SHORT: sxi_render_text(r, out); break;
        case SX_TRACE_STYLE_JSON: sxi_render_json(r, out); break;
        case SX_TRACE_STYLE_OFF: break;
    }
}

bool sx_trace_render(const sx_trace_snapshot *snapshot, const sx_trace_options *options,
                     sx_trace_write_fn write, void *ctx) {
    struct sxi_rendering r;
    struct sxi_output out;
    sxi_prepare(&r, snapshot, options);
    sxi_output_begin(&out, write, ctx);
    sxi_render(&r, &out);
    return sxi_output_end(&out);
}

struct target {
    char *buffer;
    size_t capacity; /* without the NUL */
    size_t len;      /* of the whole text so far */
};

static bool write_to_target(const char *bytes, size_t len, void *ctx) {
    struct target *target = ctx;
    size_t room = target->len < target->capacity ? target->capacity - target->len : 0;
    if (room > 0) memcpy(target->buffer + target->len, bytes, len < room ? len : room);
    target->len += len;
    return true;
}

size_t sx_trace_format(char *buffer, size_t capacity, const sx_trace_snapshot *snapshot,
                       const sx_trace_options *options) {
    struct target target = {buffer, capacity > 0 ? capacity - 1 : 0, 0};
    sx_trace_render(snapshot, options, write_to_target, &target);
    if (capacity > 0) {
        buffer[target.len < target.capacity ? target.len : target.capacity] = '\0';
    }
    return target.len;
}
