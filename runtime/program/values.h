/*
 * The values of a function's parameters, for traces of sx programs that are made with --trace-values (libsxprogram).
 * The compiler writes what is known before the program runs into constants; a failing path hands over a word for each
 * parameter, and the texts are made at once.
 */
#ifndef SX_PROGRAM_VALUES_H
#define SX_PROGRAM_VALUES_H

#include "sx/trace.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* A field, a variant with its payload, an element of a tuple, or a member of a union. */
typedef struct sx_type_member {
    sx_string name;
    const struct sx_type* type;
    int64_t offset;
    int64_t value; /* of a variant */
} sx_type_member;

/* What is known of a type at run time; the compiler's ir/TypeDescriptor.h tells what the fields mean. */
typedef struct sx_type {
    int64_t category, size, align;
    sx_string name;
    int64_t member_count;
    const sx_type_member* members;
    const struct sx_type* elem;
    int64_t flags, bits, extra;
    const void* info;
    sx_string written_name;
} sx_type;

/* The names of error tags, tag 0 first. */
typedef struct sx_error_names {
    int64_t count;
    sx_string names[];
} sx_error_names;

typedef struct sx_parameter {
    sx_string name;
    const sx_type* type;
    int64_t in_memory; /* not 0: its word is the address of the value, else the value itself */
} sx_parameter;

/* The parameters of one function that are recorded, in order. */
typedef struct sx_parameters {
    int64_t count;
    const sx_error_names* errors; /* or NULL */
    sx_parameter items[];
} sx_parameters;

/* Bytes of one value's text, without the ellipsis that stands where there is more. */
enum { SX_VALUE_TEXT = 80 };

/*
 * The text of a value of this type at `data`: of numbers, truth values, error tags, enums, types and strings; of
 * slices, arrays and vectors up to 40 bytes; of optionals, tuples and structs up to 64 bytes. An ellipsis stands for
 * all else, for what is longer, and for what strings and slices refer to and cannot be read; no other pointer is
 * followed. `text` is not ended by a NUL. Returns the length. Allocates nothing, and takes any bytes for a value.
 */
SX_TRACE_API size_t sx_value_text(const sx_type* type, const void* data, const sx_error_names* errors,
                                  char text[SX_VALUE_TEXT + 3]);

/* Attaches the values of the parameters to the newest frame of the trace. `words` has a word for each. */
SX_TRACE_API SX_TRACE_COLD void sx_program_values(const sx_parameters* parameters, const uint64_t* words);

#if defined(__cplusplus)
}
#endif

#endif
