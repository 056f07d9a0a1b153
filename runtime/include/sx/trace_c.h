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
 * Macros that are given a value look for the trace of the error that has it: it need not be the newest one. Values are
 * told apart where they are integers (of enumerations and bool, too); of pointers nothing is known.
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

#if !defined(__GNUC__)
#error "sx/trace_c.h needs gcc or clang."
#elif __STDC_VERSION__ < 201112L
#error "sx/trace_c.h needs C11: compile with -std=c11 or later."
#endif

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
#define SX_FAIL(value) SXI_RECORD(sx_trace_cold_raise_error, "SX_FAIL(" #value ")", value)

/* The value, with a hop: `return SX_HOP(rc);`. A constant, as in `return SX_HOP(-1);`, is no value of an error that
 * failed, but what the newest error becomes here. */
#define SX_HOP(value) \
    SXI_RECORD(SXI_IS_CONSTANT(value) ? sxi_hop_as : sx_trace_cold_push_error, "SX_HOP(" #value ")", value)

/* SX_HOP where the newest error becomes this value, whatever it is: `return SX_HOP_AS(translated);`. */
#define SX_HOP_AS(value) SXI_RECORD(sxi_hop_as, "SX_HOP_AS(" #value ")", value)

/* Whether a call succeeded, which returns 0 then: `if (SX_OK(remove(path)))`. The trace of an error ends here. */
#define SX_OK(...) (!SXI_ABSORBED("SX_OK(" #__VA_ARGS__ ")", __VA_ARGS__))

/* Evaluates a call and is content with either. */
#define SX_IGNORE(...) ((void)SXI_ABSORBED("SX_IGNORE(" #__VA_ARGS__ ")", __VA_ARGS__))

#define SXI_RECORD(call, text, value) \
    (__extension__({ \
        __extension__ __auto_type sxi_value = (value); \
        uint64_t sxi_frame_of = SX_TRACE_FRAME(text), sxi_error = SXI_IDENTITY(sxi_value); \
        (call)(sxi_frame_of, sxi_error); \
        sxi_value; \
    }))

/* Whether the value is a constant expression: then times 0 it makes a null pointer. Of pointers only NULL is asked. */
#define SXI_IS_CONSTANT(value) _Generic((1 ? (void*)((intptr_t)(value)*0) : (int*)0), int* : 1, default : 0)

/* Which error a value is: sx/trace/identity.hpp tells how. */
#define SXI_IDENTITY(value) \
    _Generic((value), _Bool \
             : sxi_identity((long long)(intptr_t)(value)), char \
             : sxi_identity((long long)(intptr_t)(value)), signed char \
             : sxi_identity((long long)(intptr_t)(value)), unsigned char \
             : sxi_identity((long long)(intptr_t)(value)), short \
             : sxi_identity((long long)(intptr_t)(value)), unsigned short \
             : sxi_identity((long long)(intptr_t)(value)), int \
             : sxi_identity((long long)(intptr_t)(value)), unsigned \
             : sxi_identity((long long)(intptr_t)(value)), long \
             : sxi_identity((long long)(intptr_t)(value)), unsigned long \
             : sxi_identity((long long)(intptr_t)(value)), long long \
             : sxi_identity((long long)(intptr_t)(value)), unsigned long long \
             : sxi_identity((long long)(intptr_t)(value)), default \
             : (uint64_t)0)

/* ---- Statements that may return. ---- */

/* Evaluates a call of a function that returns 0 for success. Another value is returned from the
 * function around, with a hop. */
#define SX_TRY(...) SXI_TRY("SX_TRY(" #__VA_ARGS__ ")", (void)0, __VA_ARGS__)

/* The same with a note at the hop: `SX_TRY_NOTE(load(path), "loading %s", path);`; see SX_NOTE. */
#define SX_TRY_NOTE(call, ...) SXI_TRY("SX_TRY_NOTE(" #call ", " #__VA_ARGS__ ")", SX_NOTE(__VA_ARGS__), call)

/* Returns what a call returns, 0 or not, with a hop where it failed: in place of `return flush(file);`. */
#define SX_RETURN(...) \
    do { \
        __extension__ __auto_type sxi_code = (__VA_ARGS__); \
        if (SX_FAILED(sxi_code)) \
            sx_trace_cold_push_error(SX_TRACE_FRAME("SX_RETURN(" #__VA_ARGS__ ")"), SXI_IDENTITY(sxi_code)); \
        return sxi_code; \
    } while (0)

#define SXI_TRY(text, then, ...) \
    do { \
        __extension__ __auto_type sxi_code = (__VA_ARGS__); \
        if (SX_FAILED(sxi_code)) { \
            sx_trace_cold_push_error(SX_TRACE_FRAME(text), SXI_IDENTITY(sxi_code)); \
            then; \
            return sxi_code; \
        } \
    } while (0)

#define SXI_ABSORBED(text, ...) \
    (__extension__({ \
        __extension__ __auto_type sxi_code = (__VA_ARGS__); \
        if (SX_FAILED(sxi_code)) { \
            sx_trace_cold_push_error(SX_TRACE_FRAME(text), SXI_IDENTITY(sxi_code)); \
            sx_trace_cold_absorb(); \
        } \
        sxi_code; \
    }))

/* ---- Handling an error. ---- */

/*
 * Declares a handler that lasts to the end of the block: the first statement of a block that deals
 * with an error, `SX_CATCH(handling);` with the newest one, `SX_CATCH(handling, rc);` with that of a value. While it
 * lasts, sx_trace_print shows the error. At the end, however the block is left, the trace of the error is dropped;
 * unless another error leaves the block, which is then shown as raised while this one was being handled.
 */
#define SX_CATCH(...) SXI_SECOND(__VA_ARGS__, SXI_CATCH_VALUE, SXI_CATCH_NEWEST, )(__VA_ARGS__)
#define SXI_SECOND(name, value, macro, ...) macro
#define SXI_CATCH_NEWEST(name) \
    __attribute__((cleanup(sxi_leave_handler))) sx_trace_handler name; \
    sx_trace_cold_enter(&name, SX_TRACE_FRAME("SX_CATCH(" #name ")"))
#define SXI_CATCH_VALUE(name, value) \
    __attribute__((cleanup(sxi_leave_handler))) sx_trace_handler name; \
    sx_trace_cold_enter_error(&name, SX_TRACE_FRAME("SX_CATCH(" #name ", " #value ")"), SXI_IDENTITY(value))

/* The value, with the error of the handler passed on: `return SX_PASS(handler, rc);`. */
#define SX_PASS(name, value) \
    (__extension__({ \
        __extension__ __auto_type sxi_value = (value); \
        uint64_t sxi_error = SXI_IDENTITY(sxi_value); \
        sx_trace_cold_pass(&name, SX_TRACE_FRAME("SX_PASS(" #name ", " #value ")")); \
        if (sxi_error != 0) sx_trace_cold_rename(sxi_error); \
        sxi_value; \
    }))

/* ---- What the error was about. ---- */

/* A note at the newest frame of the newest error, as printf makes it, of a format that is a literal with nothing but
 * %s %.*s %c %d %i %u %x %p %% (and h l ll z): `SX_NOTE("key %s", key);`. Nothing is evaluated where no error is in
 * flight. */
#define SX_NOTE(...) (sx_trace_chains() > 0 ? sx_trace_note_format("" __VA_ARGS__) : (void)0)

static inline __attribute__((always_inline)) void sxi_leave_handler(sx_trace_handler* handler) {
    sx_trace_cold_leave(handler);
}

static inline __attribute__((always_inline)) void sxi_hop_as(uint64_t frame, uint64_t error) {
    sx_trace_cold_push(frame);
    sx_trace_cold_rename(error);
}

static inline __attribute__((always_inline)) uint64_t sxi_identity(long long value) {
    uint32_t low = (uint32_t)value;
    uint64_t high = (uint64_t)value - (uint64_t)(int64_t)(int32_t)low;
    return ~(low + high) | (uint64_t)1 << 63;
}

#endif

#endif
