/* Prints a trace with everything that is hard to show, and stops: `sx trace` has to print the same. */
#include <sx/trace.h>

#include <string.h>

#define TEXT(literal) \
    { literal, sizeof literal - 1 }

static const sx_frame wide = {TEXT("wide.c"), 4, 11,
                              TEXT("\xc3\xbc"
                                   "nter\x01"),
                              TEXT("\tif \xe6\xbc\xa2 e\xcc\x81 \x1b then")};
static const sx_frame unknown = {TEXT(""), 0, 0, TEXT(""), TEXT("")};
static const sx_frame no_column = {TEXT("n.c"), 7, 0, TEXT("f"), TEXT("x = y;")};
static const sx_frame beyond = {TEXT("b.c"), 8, 99, TEXT("g"), TEXT("short")};
static char window[1000];
static sx_frame cut = {TEXT("long.c"), 9, 300, TEXT("cut"), {window, 0}};

void stop(void) {}

static uint64_t frame(const sx_frame* f) { return (uint64_t)(uintptr_t)f; }

/* Values that fold with those before, values that do not, and a note. */
static void raise_with_values(void) {
    sx_trace_value values[] = {{TEXT("text"), TEXT("\"1x5\x1b\n\xe2\x80\xae\"")}, {TEXT("n"), TEXT("-1")}};
    for (int i = 0; i < 4; ++i) {
        if (i == 0) sx_trace_raise(frame(&beyond));
        else sx_trace_push(frame(&beyond));
        if (i == 3) values[1].text.len = 1;
        sx_trace_values(values, 2);
    }
    sx_trace_note("noted", 5);
}

int main(void) {
    char line[400];
    memset(line, 'x', sizeof line);
    line[299] = '!';
    sx_string whole = {line, sizeof line};
    cut.line_text.len = (int64_t)sx_trace_line_window(whole, cut.col, window, sizeof window);
    sx_trace_raise(frame(&wide));
    for (int i = 0; i < 40; ++i) sx_trace_push(frame(i % 2 ? &unknown : &cut));
    sx_trace_raise(frame(&no_column));
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_push(frame(&beyond));
    sx_trace_push(12345);
    for (int i = 0; i < 9; ++i) sx_trace_raise(frame(&wide));
    sx_trace_link(SX_TRACE_ATTEMPT);
    sx_trace_push(frame(&cut));
    raise_with_values();
    sx_trace_print(1);
    stop();
    return 0;
}
