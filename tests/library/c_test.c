/* The macros for C: codes, pointers, handlers. */
#include "sx/trace_c.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

/* The functions of the frames in flight; " |" or " =>" where a chain, or a cause, ends. */
static const char* flight(void) {
    static char out[512];
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t c = 0; c < sx_trace_chains(); ++c) {
        sx_trace_chain chain;
        sx_trace_chain_at(c, &chain);
        if (c > 0) used += (size_t)snprintf(out + used, sizeof out - used, chain.link == SX_TRACE_CAUSE ? " =>" : " |");
        for (uint32_t i = 0; i < chain.surviving; ++i) {
            const sx_frame* frame = (const sx_frame*)(uintptr_t)sx_trace_frame_at(chain.first + i);
            used += (size_t)snprintf(out + used, sizeof out - used, " %.*s", (int)frame->func.len, frame->func.ptr);
        }
    }
    return out;
}

static void expectFlight(const char* expected, int line) {
    if (strcmp(flight(), expected) != 0) {
        fprintf(stderr, "line %d:\n        is:%s\n  expected:%s\n", line, flight(), expected);
        ++failures;
    }
    sx_trace_clear();
}

#define EXPECT_FLIGHT(expected) expectFlight(expected, __LINE__)
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: failed: %s\n", __LINE__, #condition); \
            ++failures; \
        } \
    } while (0)

static int digit(char c, int* out) {
    if (c < '0' || c > '9') return SX_FAIL(EINVAL);
    *out = c - '0';
    return 0;
}

static int number(const char* text, int* out) {
    *out = 0;
    for (; *text != '\0'; ++text) {
        int value;
        SX_TRY(digit(*text, &value));
        *out = *out * 10 + value;
    }
    return 0;
}

static long length(const char* text) {
    int value;
    if (SX_FAILED(number(text, &value) != 0)) return SX_HOP(-1L);
    return value;
}

static const char* after(const char* text, char c) {
    const char* at = strchr(text, c);
    if (SX_FAILED(at == NULL)) return SX_FAIL(NULL);
    return at + 1;
}

static int untraced(void) { return 5; }

static int handle(int way) {
    int rc, value;
    if (SX_FAILED((rc = number("x", &value)) != 0)) {
        SX_CATCH(handling);
        if (way == 1) return SX_PASS(handling, rc);
        if (way == 2) return SX_FAIL(9);
        if (way == 3) SX_TRY(number("y", &value));
        if (way == 4) SX_TRY(untraced());
    }
    return 0;
}

static int statements(void) {
    SX_TRACE_RAISE();
    SX_TRACE_HOP();
    return 1;
}

static jmp_buf way_out;

static int deep(int n) {
    int unused;
    if (SX_FAILED(digit('x', &unused) != 0)) {
        SX_CATCH(handling);
        if (SX_FAILED(digit('y', &unused) != 0)) {
            SX_CATCH(inner);
            if (n > 0) SX_TRACE_RAISE();
            longjmp(way_out, 1);
        }
    }
    return 0;
}

/* What is in flight where the jump ends is what was in flight where the mark was taken, and hops go on there. */
static void testLongJump(void) {
    sx_trace_clear();
    SX_TRACE_RAISE();
    for (volatile int n = 0; n < 2; n = n + 1) {
        uint64_t mark = sx_trace_mark();
        volatile int jumped = setjmp(way_out);
        if (jumped == 0) deep(n);
        sx_trace_rewind(mark);
        CHECK(jumped == 1);
        CHECK(strcmp(flight(), n == 0 ? " testLongJump" : " testLongJump testLongJump") == 0);
        SX_TRACE_HOP();
    }
    EXPECT_FLIGHT(" testLongJump testLongJump testLongJump");
    {
        SX_TRACE_RAISE();
        SX_CATCH(handling);
        uint64_t mark = sx_trace_mark();
        if (setjmp(way_out) == 0) deep(1);
        sx_trace_rewind(mark);
        CHECK(sx_trace_chains() == 1);
        SX_TRACE_HOP(); /* of another error than the one in hand */
        CHECK(sx_trace_chains() == 2);
        sx_trace_absorb();
    }
    EXPECT_FLIGHT("");
}

/* Two errors in flight: each value finds its own. */
static int keepsFirst(void) {
    int a = after("a", ':') == NULL ? SX_FAIL(7) : 0, value;
    int b = number("z", &value);
    if (SX_FAILED(a != 0)) return SX_HOP(a);
    return b;
}

static int returns(const char* text) {
    int value;
    SX_RETURN(number(text, &value));
}

static int translates(void) {
    int rc = returns("x");
    if (SX_FAILED(rc != 0)) return SX_HOP_AS(rc + 100);
    return 0;
}

static int ignores(void) {
    int value;
    (void)SX_FAIL(5);
    SX_IGNORE(number("z", &value));
    if (SX_OK(number("7", &value)) && !SX_OK(number("z", &value))) return value;
    return -1;
}

static int catches(void) {
    int first = SX_FAIL(3), second = SX_FAIL(4);
    {
        SX_CATCH(handling, first);
        CHECK(strcmp(flight(), " catches | catches catches") == 0);
    }
    return second;
}

static int notes(int line) {
    int value;
    SX_TRY_NOTE(number("z", &value), "in line %d", line);
    return 0;
}

static void testIdentity(void) {
    CHECK(keepsFirst() == 7);
    EXPECT_FLIGHT(" after | digit number | keepsFirst keepsFirst");
    CHECK(returns("1") == 0 && returns("z") == EINVAL);
    EXPECT_FLIGHT(" digit number returns");
    CHECK(translates() == EINVAL + 100);
    EXPECT_FLIGHT(" digit number returns translates");
    CHECK(ignores() == 0);
    EXPECT_FLIGHT(" ignores");
    CHECK(catches() == 4);
    EXPECT_FLIGHT(" catches");
    CHECK(notes(12) == EINVAL);
    SX_NOTE("%s", "more");
    char text[2048];
    sx_trace_format(text, sizeof text, NULL, NULL);
    CHECK(strstr(text, "      note: in line 12\n      note: more\n") != NULL);
    sx_trace_clear();
    int evaluated = 0;
    SX_NOTE("%d", ++evaluated);
    CHECK(evaluated == 0);
}

int main(void) {
    int value = 0;
    testIdentity();
    CHECK(number("407", &value) == 0 && value == 407);
    EXPECT_FLIGHT("");
    CHECK(length("4z") == -1);
    EXPECT_FLIGHT(" digit number length");
    CHECK(after("a:b", ':')[0] == 'b');
    CHECK(after("a:b", '-') == NULL);
    EXPECT_FLIGHT(" after");
    CHECK(handle(0) == 0);
    EXPECT_FLIGHT("");
    CHECK(handle(1) == EINVAL);
    EXPECT_FLIGHT(" digit number handle handle");
    CHECK(handle(2) == 9);
    EXPECT_FLIGHT(" digit number handle => handle");
    CHECK(handle(3) == EINVAL);
    EXPECT_FLIGHT(" digit number handle => digit number handle");
    CHECK(handle(4) == 5);
    EXPECT_FLIGHT(" digit number handle => handle");
    CHECK(statements() == 1);
    EXPECT_FLIGHT(" statements statements");

    number("q", &value);
    const sx_frame* frame = (const sx_frame*)(uintptr_t)sx_trace_frame_at(1);
    CHECK(frame->file.len == 8 && memcmp(frame->file.ptr, "c_test.c", 8) == 0);
    CHECK(frame->line > 0 && frame->line < 65 && frame->col == 0);
    CHECK(frame->line_text.len == 28 && memcmp(frame->line_text.ptr, "SX_TRY(digit(*text, &value))", 28) == 0);
    testLongJump();
    return failures == 0 ? 0 : 1;
}
