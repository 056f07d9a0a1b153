/* Traces written to a file descriptor. */
#include "render.h"
#include "utf8.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define BOLD_RED "\x1b[1;31m"
#define RESET "\x1b[0m"

/* True when a failed write is worth another try. A descriptor that would block is waited for. */
static bool can_go_on(int fd) {
    if (errno == EINTR) return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    struct pollfd ready = {.fd = fd, .events = POLLOUT, .revents = 0};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

/* All of it, whatever interrupts. False when the descriptor takes no more. */
static bool write_to_fd(const char* bytes, size_t len, void* ctx) {
    int fd = *(const int*)ctx;
    while (len > 0) {
        ssize_t written = write(fd, bytes, len);
        if (written < 0) {
            if (!can_go_on(fd)) return false;
            continue;
        }
        bytes += written;
        len -= (size_t)written;
    }
    return true;
}

static void put_unknown_style(struct sxi_output* out) {
    const char* style = sxi_unknown_style();
    if (style == NULL) return;
    sx_string text = {style, (int64_t)strlen(style)};
    sxi_print(out, "warning: SX_TRACE is '%n', which is none of off, short, json\n", &text);
}

static void put_header(const struct sxi_rendering* r, struct sxi_output* out) {
    bool color = r->options.color;
    sxi_print(out, "%terror:%t unhandled error reached main: error", color ? BOLD_RED : "", color ? RESET : "");
    if (r->tagged) {
        sxi_print(out, " tag %d\n", r->options.reported);
    } else {
        sxi_print(out, ".%l\n", &r->options.error);
    }
}

enum kind { PRINT, REPORT, UNHANDLED };

static void report(int fd, const sx_trace_snapshot* snapshot, sx_trace_options options, enum kind kind) {
    int saved_errno = errno;
    struct sxi_rendering r;
    struct sxi_output out;
    options.color = sxi_color_for(fd);
    sxi_prepare(&r, snapshot, &options);
    r.tagged = kind == UNHANDLED && sxi_size(options.error) == 0;
    sxi_output_begin(&out, write_to_fd, &fd);
    if (kind != PRINT || sxi_chain_count(&r.state.trace) > 0) put_unknown_style(&out);
    if (kind == UNHANDLED && r.options.style != SX_TRACE_STYLE_JSON) put_header(&r, &out);
    sxi_render(&r, &out);
    sxi_output_end(&out);
    errno = saved_errno;
}

void sx_trace_print(int fd) {
    sx_trace_options options = {.style = SX_TRACE_STYLE_ENV};
    report(fd, NULL, options, PRINT);
}

void sx_trace_report(int fd, const sx_trace_snapshot* snapshot, const sx_trace_options* options) {
    sx_trace_options defaults = {.style = SX_TRACE_STYLE_ENV};
    report(fd, snapshot, options != NULL ? *options : defaults, REPORT);
}

void sx_trace_report_unhandled(uint32_t tag, const char* name, size_t name_len) {
    sx_trace_options options = {.error = {name, (int64_t)name_len}, .reported = tag};
    report(STDERR_FILENO, NULL, options, UNHANDLED);
}
