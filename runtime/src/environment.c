/* The settings that a user makes in the environment. `environ` is read directly: getenv is not
 * async-signal-safe by the letter of POSIX. A thread that changes the environment meanwhile is no
 * better off with either. */
#include "render.h"

#include <string.h>
#include <termios.h>

extern char** environ;

/* The value of a variable, NULL if it is not set. */
static const char* variable(const char* name) {
    size_t len = strlen(name);
    if (environ == NULL) return NULL;
    for (char** entry = environ; *entry != NULL; ++entry) {
        if (strncmp(*entry, name, len) == 0 && (*entry)[len] == '=') return *entry + len + 1;
    }
    return NULL;
}

static bool is(const char* value, const char* wanted) { return value != NULL && strcmp(value, wanted) == 0; }

uint32_t sxi_style_from_environment(void) {
    const char* style = variable("SX_TRACE");
    if (is(style, "short")) return SX_TRACE_STYLE_SHORT;
    if (is(style, "json")) return SX_TRACE_STYLE_JSON;
    if (is(style, "off")) return SX_TRACE_STYLE_OFF;
    return SX_TRACE_STYLE_TEXT;
}

const char* sxi_unknown_style(void) {
    static bool asked = false;
    const char* style = variable("SX_TRACE");
    bool known = style == NULL || *style == '\0' || is(style, "text");
    if (known || sxi_style_from_environment() != SX_TRACE_STYLE_TEXT) return NULL;
    return __atomic_exchange_n(&asked, true, __ATOMIC_RELAXED) ? NULL : style;
}

bool sxi_values_wanted(void) { return !is(variable("SX_TRACE_VALUES"), "0"); }

/* isatty, made of the call that POSIX lists as async-signal-safe. */
static bool is_terminal(int fd) {
    struct termios settings;
    return tcgetattr(fd, &settings) == 0;
}

bool sxi_color_for(int fd) {
    const char* wish = variable("SX_TRACE_COLOR");
    if (is(wish, "always")) return true;
    if (is(wish, "never")) return false;
    const char* no_color = variable("NO_COLOR");
    if (no_color != NULL && *no_color != '\0') return false; /* empty is unset: no-color.org */
    return !is(variable("TERM"), "dumb") && is_terminal(fd);
}
