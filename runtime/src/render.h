/* The renderer's parts. A rendering is described once, then text.c or json.c writes it. */
#ifndef SX_TRACE_RENDER_H
#define SX_TRACE_RENDER_H

#include "buffer.h"
#include "output.h"

/* What is rendered, and how, with every default decided. */
struct sxi_rendering {
    sx_trace_state state;     /* a copy: it does not change while it is shown */
    sx_trace_options options; /* `style` is any but SX_TRACE_STYLE_ENV; `resolver` NULL = a frame is an address */
    uint32_t last;            /* the highest chain of the group that is the report */
    bool values;
    bool tagged; /* a report of an error without a name, but with a number: `reported` */
};

/* `snapshot` NULL = what is in flight in this thread; `options` NULL = all defaults. */
void sxi_prepare(struct sxi_rendering* r, const sx_trace_snapshot* snapshot, const sx_trace_options* options);

/* Writes the trace in the rendering's style. */
void sxi_render(const struct sxi_rendering* r, struct sxi_output* out);

void sxi_render_text(const struct sxi_rendering* r, struct sxi_output* out);
void sxi_render_json(const struct sxi_rendering* r, struct sxi_output* out);

/* ---- Frames (frames.c). ---- */

enum { SXI_FRAME_COPY = 1280 };

/* A frame with what it stands for. */
struct sxi_shown {
    uint64_t value;
    sx_frame frame;
    enum {
        SXI_UNKNOWN_FRAME,
        SXI_KNOWN_FRAME,
        SXI_GONE_FRAME
    } kind;                    /* only of a known one there is anything in `frame` */
    char copy[SXI_FRAME_COPY]; /* of texts that may vanish */
};

/* A frame of a chain, and the notes that belong to it. */
struct sxi_step_of {
    uint64_t value;
    uint32_t chain;  /* its number, for notes */
    uint64_t number; /* of the frame in the chain */
};

void sxi_resolve(const struct sxi_rendering* r, uint64_t frame, struct sxi_shown* out);

uint64_t sxi_error_of(const struct sxi_rendering* r, uint32_t chain);

/* The name of an error; without one `*out` is empty. */
bool sxi_error_name(const struct sxi_rendering* r, uint64_t error, sx_string* out);

/* The frames of a chain that are shown, in order. */
struct sxi_walk {
    const struct sxi_rendering* r;
    uint32_t slot;
    uint64_t start, position, end;
    bool origin;      /* still to come, apart from the others */
    uint64_t omitted; /* frames that come next, but cannot be shown */
};

struct sxi_walk sxi_walk_chain(const struct sxi_rendering* r, uint32_t chain);

/* The next frame. Where frames are omitted before it, `*omitted` is how many, else 0. False at the end, where
 * `*omitted` may tell of some as well. */
bool sxi_next(struct sxi_walk* walk, struct sxi_step_of* out, uint64_t* omitted);

/* True if anything of the chain is shown. */
bool sxi_has_frames(const struct sxi_rendering* r, uint32_t chain);

/* ---- Notes and values of a frame. ---- */

/* The next record of this kind at or after `*at`, as its text; `*at` is moved past it. */
bool sxi_next_note(const struct sxi_rendering* r, const struct sxi_step_of* step, uint8_t kind, uint32_t* at,
                   sx_string* text);

/* The next of the values in a record, which is cut down. An empty name = there were more. */
bool sxi_next_value(sx_string* record, sx_string* name, sx_string* text);

/* ---- Text. ---- */

/* The frames of a chain as a person reads them. */
void sxi_put_frames(const struct sxi_rendering* r, struct sxi_output* out, uint32_t chain);

/* Takes the mark off an excerpt's line_text, an excerpt being the part of a line from the position
 * on. False, and nothing changes, for a line. */
bool sxi_unmark_excerpt(sx_string* line_text);

/* What is shown for the part of a line that is not there. */
#define SXI_ELLIPSIS "\xE2\x80\xA6" /* U+2026, one column wide */

/* Byte offset of a frame's position in its line_text (window.c). It is above the text's length if
 * the position does not stand in the text. */
size_t sxi_position_in_text(const sx_frame* frame);

/* ---- Settings from the environment (environment.c). ---- */

uint32_t sxi_style_from_environment(void);
bool sxi_color_for(int fd);
bool sxi_values_wanted(void);

/* The value of SX_TRACE, if it is none that is known, and this is the first time that it is asked for. */
const char* sxi_unknown_style(void);

#endif
