/* The renderer's parts. A rendering is described once, then text.c or json.c writes it. */
#ifndef SX_TRACE_RENDER_H
#define SX_TRACE_RENDER_H

#include "buffer.h"
#include "output.h"

/* What is rendered, and how, with every default decided. */
struct sxi_rendering {
    sx_trace_snapshot trace; /* a copy: it does not change while it is shown */
    uint32_t style;          /* any but SX_TRACE_STYLE_ENV */
    bool color;
    sx_string error;
    bool tagged;  /* a report of an error without a name, */
    uint32_t tag; /* but with this number */
    const sx_trace_resolver *resolver; /* NULL = a frame is an address */
};

/* `snapshot` NULL = what is in flight in this thread; `options` NULL = all defaults. */
void sxi_prepare(struct sxi_rendering *r, const sx_trace_snapshot *snapshot,
                 const sx_trace_options *options);

/* Writes the trace in the rendering's style. */
void sxi_render(const struct sxi_rendering *r, struct sxi_output *out);

void sxi_render_text(const struct sxi_rendering *r, struct sxi_output *out);
void sxi_render_json(const struct sxi_rendering *r, struct sxi_output *out);

/* Describes a frame. False, with `*out` all empty, when it cannot be. */
bool sxi_resolve(const struct sxi_rendering *r, uint64_t frame, sx_frame *out);

/* Text with control characters other than tab escaped, such as \x1b. */
void sxi_put_escaped(struct sxi_output *out, sx_string text);

/* Takes the mark off an excerpt's line_text, an excerpt being the part of a line from the position
 * on. False, and nothing changes, for a line. */
bool sxi_unmark_excerpt(sx_string *line_text);

/* What is shown for the part of a line that is not there. */
#define SXI_ELLIPSIS "\xE2\x80\xA6" /* U+2026, one column wide */

/* Byte offset of a frame's position in its line_text (window.c). It is above the text's length if
 * the position does not stand in the text. */
size_t sxi_position_in_text(const sx_frame *frame);

/* Settings from the environment (environment.c). */
uint32_t sxi_style_from_environment(void);
bool sxi_color_for(int fd);

#endif
