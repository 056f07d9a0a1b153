/*
 * Traces for C programs that return error codes (gcc and clang, C11).
 *
 *     int parse(const char *text, int *out) {
 *         if (*text == '\0') return SX_FAIL(EMPTY);         an error begins here
 *         SX_TRY(parse_digit(*text, out));                  nonzero is passed on, with a hop
 *         if (SX_FAILED((fd = open(...)) < 0)) return SX_FAIL(-1);
 *         if (SX_FAILED(rc = check(out))) return SX_HOP(rc);
 *         return 0;
 *     }
 *
 * What is recorded is read-only data, laid down by the compiler: file, line, function, and the text
 * of the macro's argument. Nothing runs unless something fails, and a function that succeeds has
 * the instructions that it has without.
 *
 * C++ programs get the same names, and more, from sx/trace.hpp.
 */
#ifndef SX_TRACE_C_H
#define SX_TRACE_C_H

#ifdef __cplusplus
#include "sx/trace.hpp"
#else

#include "sx/trace.h"
#include "sx/trace_calls.h"

/* The path that frames show. It never is an absolute one: where the compiler is given such a path,
 * frames show the file's name. (-fmacro-prefix-map=/path/of/project/= gives relative ones.) */
#if defined(__FILE_NAME__)
#define SXI_FILE(property) (__FILE__[0] == '/' ? property(__FILE_NAME__) : property(__FILE__))
#else
#define SXI_FILE(property) property(__FILE__)
#endif

/*
 * The address of a frame for this place, as a uint64_t; `text` is a string literal. There is no
 * column: gcc has no way to ask for it in C, and clang gives the macro's end.
 */
#define SX_TRACE_FRAME(text) \
    (__extension__({ \
        static const sx_frame sxi_frame = {{SXI_FILE(SXI_BYTES), SXI_FILE(SXI_LENGTH)}, \
                                           __LINE__, \
                                           0, \
                                           {__func__, sizeof __func__ - 1}, \
                                           {text, sizeof text - 1}}; \
        (uint64_t)(uintptr_t) & sxi_frame; \
    }))
#define SXI_BYTES(literal) literal
#define SXI_LENGTH(literal) (int64_t)sizeof literal - 1

/* ---- Statements without a value. ---- */

/* An error begins here. */
#define SX_TRACE_RAISE() sx_trace_cold_raise(SX_TRACE_FRAME(""))

/* An error is passed on here. */
#define SX_TRACE_HOP() sx_trace_cold_push(SX_TRACE_FRAME(""))

/* ---- Expressions. ---- */

/* True when `condition` is: an error was found. Tells the compiler that it is unlikely. */
#define SX_FAILED(condition) __builtin_expect(!!(condition), 0)

/* The value, with an error that begins here: `return SX_FAIL(-EINVAL);`. */
#define SX_FAIL(value) SXI_RECORD(sx_trace_cold_raise, "SX_FAIL(" #value ")", value)

/* The value, with a hop: `return SX_HOP(rc);`. */
#define SX_HOP(value) SXI_RECORD(sx_trace_cold_push, "SX_HOP(" #value ")", value)

#define SXI_RECORD(call, text, value) \
    (__extension__({ \
        __extension__ __auto_type sxi_value = (value); \
        call(SX_TRACE_FRAME(text)); \
        sxi_value; \
    }))

/* ---- Statements that may return. ---- */

/* Evaluates a call of a function that returns 0 for success. Another value is returned from the
 * function around, with a hop. */
#define SX_TRY(...) \
    do { \
        __extension__ __auto_type sxi_code = (__VA_ARGS__); \
        if (SX_FAILED(sxi_code)) { \
            sx_trace_cold_push(SX_TRACE_FRAME("SX_TRY(" #__VA_ARGS__ ")")); \
            return sxi_code; \
        } \
    } while (0)

/* ---- Handling an error. ---- */

/*
 * Declares a handler that lasts to the end of the block: the first statement of a block that deals
 * with an error. While it lasts, sx_trace_print shows the error. At the end, however the block is
 * left, the trace of the error is dropped; unless another error leaves the block, which is then shown
 * as raised while this one was being handled.
 */
#define SX_CATCH(name) \
    __attribute__((cleanup(sxi_leave_handler))) sx_trace_handler name; \
    sx_trace_cold_enter(&name, SX_TRACE_FRAME("SX_CATCH(" #name ")"))

/* The value, with the error of the handler passed on: `return SX_PASS(handler, rc);`. */
#define SX_PASS(name, value) \
    (__extension__({ \
        __extension__ __auto_type sxi_value = (value); \
        sx_trace_cold_pass(&name, SX_TRACE_FRAME("SX_PASS(" #name ", " #value ")")); \
        sxi_value; \
    }))

static inline __attribute__((always_inline)) void sxi_leave_handler(sx_trace_handler* handler) {
    sx_trace_cold_leave(handler);
}

#endif

#endif
