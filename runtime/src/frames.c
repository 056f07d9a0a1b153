/* What is shown of a chain: its frames, what they stand for, what was noted there. */
#include "memory.h"
#include "notes.h"
#include "render.h"
#include "utf8.h"

/* Copies a text that may vanish. One that there is no room for, which no compiler makes, is tried for its length
 * and then read where it is. */
static bool keep_text(struct sxi_shown* out, sx_string* text, size_t* used) {
    size_t len = sxi_size(*text), room = SXI_FRAME_COPY - *used;
    uint64_t from = (uint64_t)(uintptr_t)text->ptr;
    if (len == 0 || sxi_in_executable(from, len)) return true;
    if (len <= room) {
        text->ptr = out->copy + *used;
        *used += len;
        return sxi_read(from, out->copy + *used - len, len);
    }
    for (size_t at = 0, part; at < len; at += part) {
        part = len - at < room ? len - at : room;
        if (room == 0 || !sxi_read(from + at, out->copy + *used, part)) return false;
    }
    return true;
}

/* What a frame is without a resolver. Small and odd numbers are no address of a frame. */
static void resolve_pointer(struct sxi_shown* out) {
    uint64_t value = out->value;
    if (value < 4096 || value % _Alignof(sx_frame) != 0 || value > UINTPTR_MAX) return;
    out->kind = SXI_KNOWN_FRAME;
    if (sxi_in_executable(value, sizeof out->frame)) {
        out->frame = *(const sx_frame*)(uintptr_t)value;
    } else if (!sxi_read(value, &out->frame, sizeof out->frame)) {
        out->kind = SXI_GONE_FRAME;
    }
    sx_string* texts[] = {&out->frame.func, &out->frame.file, &out->frame.line_text};
    size_t used = 0;
    for (int i = 0; i < 3 && out->kind == SXI_KNOWN_FRAME; ++i) {
        if (!keep_text(out, texts[i], &used)) out->kind = SXI_GONE_FRAME;
    }
}

void sxi_resolve(const struct sxi_rendering* r, uint64_t frame, struct sxi_shown* out) {
    static const sx_frame empty = {{NULL, 0}, 0, 0, {NULL, 0}, {NULL, 0}};
    out->value = frame;
    out->frame = empty;
    out->kind = SXI_UNKNOWN_FRAME;
    const sx_trace_resolver* resolver = r->options.resolver;
    if (resolver == NULL || resolver->resolve == NULL) {
        resolve_pointer(out);
    } else if (resolver->resolve(frame, &out->frame, resolver->ctx)) {
        out->kind = SXI_KNOWN_FRAME;
    }
    if (out->kind != SXI_KNOWN_FRAME) out->frame = empty;
}

static const struct sx_trace_error_names* loaded_names;

void sx_trace_set_error_names(const struct sx_trace_error_names* names) {
    __atomic_store_n(&loaded_names, names, __ATOMIC_RELEASE);
}

uint64_t sxi_error_of(const struct sxi_rendering* r, uint32_t chain) {
    return r->state.trace.errors[sxi_slot_of(&r->state.trace, chain)];
}

bool sxi_error_name(const struct sxi_rendering* r, uint64_t error, sx_string* out) {
    out->ptr = NULL;
    out->len = 0;
    if (error == 0) return false;
    const sx_trace_resolver* resolver = r->options.resolver;
    if (error == r->options.reported && sxi_size(r->options.error) > 0) {
        *out = r->options.error;
    } else if (resolver != NULL && resolver->name != NULL) {
        if (!resolver->name(error, out, resolver->ctx)) out->len = 0;
    } else {
        const struct sx_trace_error_names* table = __atomic_load_n(&loaded_names, __ATOMIC_ACQUIRE);
        if (table == NULL) table = &sx_trace_error_names;
        if (table == NULL || error >= table->count) return false;
        *out = table->names[error];
    }
    return sxi_size(*out) > 0;
}

struct sxi_walk sxi_walk_chain(const struct sxi_rendering* r, uint32_t chain) {
    const sx_trace_buffer* t = &r->state.trace;
    sx_trace_chain info = sxi_describe_chain(t, chain);
    struct sxi_walk walk = {.r = r, .slot = sxi_slot_of(t, chain), .start = sxi_chain_start(t, chain)};
    walk.end = sxi_chain_end(t, chain);
    walk.position = walk.end - info.surviving;
    walk.origin = sxi_has_origin_apart(&info);
    walk.omitted = info.omitted;
    return walk;
}

bool sxi_next(struct sxi_walk* walk, struct sxi_step_of* out, uint64_t* omitted) {
    const sx_trace_buffer* t = &walk->r->state.trace;
    out->chain = t->numbers[walk->slot];
    *omitted = 0;
    if (walk->origin) {
        walk->origin = false;
        out->value = t->origins[walk->slot];
        out->number = 0;
        return true;
    }
    /* What is omitted comes after the origin. */
    bool is_origin = walk->position == walk->start && walk->position < walk->end && !sxi_is_apart(t, walk->slot);
    if (!is_origin) {
        *omitted = walk->omitted;
        walk->omitted = 0;
    }
    if (walk->position >= walk->end) return false;
    out->value = is_origin ? t->origins[walk->slot] : t->frames[walk->position % SX_TRACE_FRAMES];
    out->number = sxi_frame_number(t, walk->slot, walk->position - walk->start);
    ++walk->position;
    return true;
}

bool sxi_has_frames(const struct sxi_rendering* r, uint32_t chain) {
    return sxi_describe_chain(&r->state.trace, chain).pushed > 0;
}

bool sxi_next_note(const struct sxi_rendering* r, const struct sxi_step_of* step, uint8_t kind, uint32_t* at,
                   sx_string* text) {
    while (*at + sizeof(struct sxi_note) <= r->state.trace.notes_used) {
        struct sxi_note note = sxi_note_at(r->state.notes, *at);
        text->ptr = sxi_note_text(r->state.notes, *at);
        text->len = note.len;
        *at += sxi_note_size(note.len);
        if (*at > r->state.trace.notes_used) return false;
        if (note.chain == step->chain && note.frame == step->number && note.kind == kind)
            return kind != SXI_VALUES || r->values;
    }
    return false;
}

bool sxi_next_value(sx_string* record, sx_string* name, sx_string* text) {
    if (record->len < 2) return false;
    name->len = (uint8_t)record->ptr[0];
    text->len = (uint8_t)record->ptr[1];
    name->ptr = record->ptr + 2;
    text->ptr = name->ptr + name->len;
    int64_t size = 2 + name->len + text->len;
    if (size > record->len) return false;
    record->ptr += size;
    record->len -= size;
    return true;
}
