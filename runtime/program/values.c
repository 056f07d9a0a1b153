/* For process_vm_readv. */
#define _GNU_SOURCE
#include "values.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    SEQUENCE_BYTES = 40, /* of what a string, slice or array holds */
    STRUCT_BYTES = 64,
    MOST_DEPTH = 4,
    /* More have no room in SX_TRACE_VALUES_MAX bytes, so the ellipsis for them comes by itself. */
    MOST_PARAMETERS = 18,
};

/* TypeCategory of the compiler's ir/TypeDescriptor.h. */
enum {
    CATEGORY_INT = 1,
    CATEGORY_FLOAT,
    CATEGORY_BOOL,
    CATEGORY_STRING,
    CATEGORY_VOID,
    CATEGORY_STRUCT,
    CATEGORY_ENUM,
    CATEGORY_TAGGED_ENUM,
    CATEGORY_UNION,
    CATEGORY_VECTOR,
    CATEGORY_ARRAY,
    CATEGORY_SLICE,
    CATEGORY_POINTER,
    CATEGORY_MANY_POINTER,
    CATEGORY_OPTIONAL,
    CATEGORY_ERROR_SET,
    CATEGORY_CLOSURE,
    CATEGORY_TYPE,
    CATEGORY_TUPLE,
    CATEGORY_FUNCTION,
    CATEGORY_C_STRING,
};
enum { FLAG_UNSIGNED = 1, FLAG_FLAGS_ENUM = 2 };

struct text {
    char* bytes;
    size_t len;
    bool is_full;
    const sx_error_names* errors;
};

static const char ellipsis[] = "\xE2\x80\xA6";

/* ---- text ---- */

/* What does not fit as a whole gives way to the ellipsis that ends the text, for which there is room of its own. */
static void put_bytes(struct text* out, const char* bytes, size_t len) {
    if (out->is_full) return;
    if (len > SX_VALUE_TEXT - out->len) {
        out->is_full = true;
        bytes = ellipsis;
        len = sizeof ellipsis - 1;
    }
    memcpy(out->bytes + out->len, bytes, len);
    out->len += len;
}

static void put_ellipsis(struct text* out) { put_bytes(out, ellipsis, sizeof ellipsis - 1); }

static void put(struct text* out, const char* text) { put_bytes(out, text, strlen(text)); }

static void put_string(struct text* out, sx_string s) {
    if (s.ptr != NULL && s.len > 0) put_bytes(out, s.ptr, (size_t)s.len);
}

static void put_unsigned(struct text* out, uint64_t number) {
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    put_bytes(out, digits + first, sizeof digits - first);
}

static void put_signed(struct text* out, int64_t number) {
    if (number < 0) put(out, "-");
    put_unsigned(out, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

static void put_bad(struct text* out, int64_t number) {
    put(out, "<bad value ");
    put_signed(out, number);
    put(out, ">");
}

/* ---- memory ---- */

/* The kernel looks whether the memory is there; what it does not give cannot be read. */
static bool read_memory(const void* address, void* to, size_t len) {
    int saved_errno = errno;
    struct iovec local = {to, len}, remote = {(void*)(uintptr_t)address, len};
    bool is_read = process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)len;
    errno = saved_errno;
    return is_read;
}

/* An integer of up to 64 bits as it lies in memory. */
static uint64_t load(const void* data, int64_t size) {
    uint64_t word = 0;
    memcpy(&word, data, size < 0 ? 0 : size > 8 ? 8 : (size_t)size);
    return word;
}

/* The number that the low bits are. */
static int64_t number_of(uint64_t word, int64_t bits, bool is_unsigned) {
    if (bits <= 0 || bits >= 64) return (int64_t)word;
    uint64_t sign = UINT64_C(1) << (bits - 1);
    word &= (sign << 1) - 1;
    return is_unsigned ? (int64_t)word : (int64_t)((word ^ sign) - sign);
}

/* ---- scalars ---- */

static void put_int(struct text* out, const sx_type* type, const void* data) {
    bool is_unsigned = (type->flags & FLAG_UNSIGNED) != 0;
    int64_t number = number_of(load(data, type->size), type->bits, is_unsigned);
    if (is_unsigned) put_unsigned(out, (uint64_t)number);
    else put_signed(out, number);
}

static void put_bool(struct text* out, const void* data) {
    uint8_t byte = *(const uint8_t*)data;
    if (byte > 1) put_bad(out, byte);
    else put(out, byte != 0 ? "true" : "false");
}

/* The fewest digits that read as the same number, in `digits`; returns the exponent of the first one. */
static int shortest_digits(char* digits, size_t room, double number, bool is_single, int* precision) {
    for (*precision = 1; *precision < DBL_DECIMAL_DIG; ++*precision) {
        snprintf(digits, room, "%.*e", *precision - 1, number);
        if (is_single ? strtof(digits, NULL) == (float)number : strtod(digits, NULL) == number) break;
    }
    snprintf(digits, room, "%.*e", *precision - 1, number);
    return atoi(strchr(digits, 'e') + 1);
}

/* As programs write it: with a point, or with an exponent where there were many zeros. A locale may have another
   point. */
static void put_float(struct text* out, const sx_type* type, const void* data) {
    enum { LEAST_EXPONENT = -4, MOST_EXPONENT = 16 };
    char digits[40];
    float single;
    double number;
    int precision;
    bool is_single = type->bits == 32;
    memcpy(is_single ? (void*)&single : (void*)&number, data, is_single ? sizeof single : sizeof number);
    if (is_single) number = single;
    if (isnan(number) || isinf(number)) {
        put(out, isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
        return;
    }
    int exponent = shortest_digits(digits, sizeof digits, number, is_single, &precision);
    bool is_plain = exponent >= LEAST_EXPONENT && exponent <= MOST_EXPONENT;
    int decimals = precision - 1 > exponent ? precision - 1 - exponent : 0;
    if (is_plain) snprintf(digits, sizeof digits, "%.*f", decimals, number);
    for (char* c = digits; *c != '\0'; ++c)
        if (strchr("0123456789+-e", *c) == NULL) *c = '.';
    put(out, digits);
    if (is_plain && decimals == 0) put(out, ".0");
}

static void put_error(struct text* out, const void* data) {
    uint64_t tag = load(data, 4);
    if (tag == 0) {
        put(out, "no error");
    } else if (out->errors == NULL || tag >= (uint64_t)out->errors->count) {
        put_bad(out, (int64_t)tag);
    } else {
        put(out, "error.");
        put_string(out, out->errors->names[tag]);
    }
}

static void put_type(struct text* out, const void* data) {
    sx_type type;
    const void* address = (const void*)(uintptr_t)load(data, 8);
    if (!read_memory(address, &type, sizeof type)) {
        put_ellipsis(out);
        return;
    }
    put_string(out, type.written_name.ptr != NULL ? type.written_name : type.name);
}

/* ---- enums ---- */

static void put_flags(struct text* out, const sx_type* type, uint64_t number) {
    uint64_t rest = number;
    for (int64_t i = 0; i < type->member_count; ++i) rest &= ~(uint64_t)type->members[i].value;
    if (rest != 0 || number == 0) {
        if (number == 0) put(out, "0");
        else put_bad(out, (int64_t)number);
        return;
    }
    bool is_first = true;
    for (int64_t i = 0; i < type->member_count; ++i) {
        uint64_t flag = (uint64_t)type->members[i].value;
        if (flag == 0 || (number & flag) != flag) continue;
        put(out, is_first ? "." : " | .");
        put_string(out, type->members[i].name);
        is_first = false;
    }
}

static const sx_type_member* variant_of(const sx_type* type, int64_t number) {
    for (int64_t i = 0; i < type->member_count; ++i)
        if (type->members[i].value == number) return &type->members[i];
    return NULL;
}

static void put_value(struct text* out, const sx_type* type, const char* data, int depth);

static void put_enum(struct text* out, const sx_type* type, const char* data, int depth) {
    bool is_tagged = type->category == CATEGORY_TAGGED_ENUM;
    int64_t tag_bytes = is_tagged ? (type->bits + 7) / 8 : type->size;
    int64_t number = number_of(load(data, tag_bytes), type->bits, (type->flags & FLAG_UNSIGNED) != 0);
    if ((type->flags & FLAG_FLAGS_ENUM) != 0) {
        put_flags(out, type, (uint64_t)number);
        return;
    }
    const sx_type_member* variant = variant_of(type, number);
    if (variant == NULL) {
        put_bad(out, number);
        return;
    }
    put(out, ".");
    put_string(out, variant->name);
    if (!is_tagged || variant->type->category == CATEGORY_VOID) return;
    put(out, "(");
    put_value(out, variant->type, data + variant->offset, depth + 1);
    put(out, ")");
}

/* ---- texts and sequences ---- */

/* How many bytes of a text show whole characters, if more of it follows. */
static size_t whole_characters(const char* bytes, size_t len) {
    size_t start = len;
    while (start > 0 && len - start < 3 && ((uint8_t)bytes[start - 1] & 0xC0u) == 0x80u) --start;
    if (start == 0 || (uint8_t)bytes[start - 1] < 0xC0u) return len; /* no UTF-8 where nothing begins a character */
    uint8_t first = (uint8_t)bytes[start - 1];
    size_t needed = first >= 0xF0u ? 4 : first >= 0xE0u ? 3 : 2;
    return len - (start - 1) < needed ? start - 1 : len;
}

static void put_quoted(struct text* out, const char* bytes, size_t len) {
    static const char escaped[] = "\n\t\r\"\\", letters[] = "ntr\"\\";
    for (size_t i = 0; i < len; ++i) {
        const char* known = bytes[i] != '\0' ? strchr(escaped, bytes[i]) : NULL;
        char pair[2] = {'\\', known != NULL ? letters[known - escaped] : '0'};
        if (known != NULL || bytes[i] == '\0') {
            put_bytes(out, pair, 2);
            continue;
        }
        size_t end = i + 1; /* a character stays whole */
        while (end < len && end - i < 4 && ((uint8_t)bytes[i] & 0xC0u) == 0xC0u &&
               ((uint8_t)bytes[end] & 0xC0u) == 0x80u)
            ++end;
        put_bytes(out, bytes + i, end - i);
        i = end - 1;
    }
}

static void put_text(struct text* out, const void* data) {
    sx_string s;
    char bytes[SEQUENCE_BYTES];
    memcpy(&s, data, sizeof s);
    bool is_cut = s.len > SEQUENCE_BYTES;
    size_t len = is_cut ? SEQUENCE_BYTES : (size_t)s.len;
    if (s.len < 0 || (len > 0 && !read_memory(s.ptr, bytes, len))) {
        put_ellipsis(out);
        return;
    }
    put(out, "\"");
    put_quoted(out, bytes, is_cut ? whole_characters(bytes, len) : len);
    put(out, "\"");
    if (is_cut) put_ellipsis(out);
}

/* Of `count` elements, as many as are in `SEQUENCE_BYTES`; at `data`, which can be read. */
static void put_elements(struct text* out, const sx_type* elem, const char* data, int64_t count, int depth) {
    put(out, "[");
    for (int64_t i = 0; i < count && !out->is_full; ++i) {
        if (i > 0) put(out, ", ");
        if ((i + 1) * elem->size > SEQUENCE_BYTES) {
            put_ellipsis(out);
            break;
        }
        put_value(out, elem, data + i * elem->size, depth + 1);
    }
    put(out, "]");
}

static void put_slice(struct text* out, const sx_type* elem, const void* data, int depth) {
    struct {
        const void* ptr;
        int64_t len;
    } slice;
    _Alignas(16) char bytes[SEQUENCE_BYTES];
    memcpy(&slice, data, sizeof slice);
    int64_t room = elem->size > 0 ? SEQUENCE_BYTES / elem->size : slice.len;
    int64_t shown = slice.len < room ? slice.len : room;
    if (slice.len < 0 ||
        (shown > 0 && elem->size > 0 && !read_memory(slice.ptr, bytes, (size_t)(shown * elem->size)))) {
        put_ellipsis(out);
        return;
    }
    put_elements(out, elem, bytes, slice.len, depth);
}

/* ---- what has parts ---- */

static void put_optional(struct text* out, const sx_type* type, const char* data, int depth) {
    uint8_t flag = type->extra >= 0 ? (uint8_t)data[type->extra] : load(data, 8) != 0;
    if (flag > 1) put_bad(out, flag);
    else if (flag == 0) put(out, "null");
    else put_value(out, type->elem, data, depth + 1);
}

static void put_members(struct text* out, const sx_type* type, const char* data, int depth) {
    bool is_tuple = type->category == CATEGORY_TUPLE;
    if (type->size > STRUCT_BYTES) {
        put_ellipsis(out);
        return;
    }
    put(out, is_tuple ? "(" : "{");
    for (int64_t i = 0; i < type->member_count && !out->is_full; ++i) {
        const sx_type_member* member = &type->members[i];
        if (i > 0) put(out, ", ");
        put_string(out, member->name);
        if (member->name.len > 0) put(out, ": ");
        put_value(out, member->type, data + member->offset, depth + 1);
    }
    put(out, is_tuple ? ")" : "}");
}

static void put_value(struct text* out, const sx_type* type, const char* data, int depth) {
    if (out->is_full) return;
    if (depth > MOST_DEPTH) {
        put_ellipsis(out);
        return;
    }
    switch (type->category) {
    case CATEGORY_INT: put_int(out, type, data); return;
    case CATEGORY_FLOAT: put_float(out, type, data); return;
    case CATEGORY_BOOL: put_bool(out, data); return;
    case CATEGORY_STRING: put_text(out, data); return;
    case CATEGORY_STRUCT:
    case CATEGORY_TUPLE: put_members(out, type, data, depth); return;
    case CATEGORY_ENUM:
    case CATEGORY_TAGGED_ENUM: put_enum(out, type, data, depth); return;
    case CATEGORY_VECTOR:
    case CATEGORY_ARRAY: put_elements(out, type->elem, data, type->member_count, depth); return;
    case CATEGORY_SLICE: put_slice(out, type->elem, data, depth); return;
    case CATEGORY_OPTIONAL: put_optional(out, type, data, depth); return;
    case CATEGORY_ERROR_SET: put_error(out, data); return;
    case CATEGORY_TYPE: put_type(out, data); return;
    case CATEGORY_POINTER:
    case CATEGORY_MANY_POINTER:
    case CATEGORY_FUNCTION:
    case CATEGORY_C_STRING:
        if (load(data, 8) == 0) put(out, "null");
        else put_ellipsis(out);
        return;
    default: put_ellipsis(out);
    }
}

size_t sx_value_text(const sx_type* type, const void* data, const sx_error_names* errors,
                     char text[SX_VALUE_TEXT + 3]) {
    struct text out = {text, 0, false, errors};
    put_value(&out, type, data, 0);
    return out.len;
}

void sx_program_values(const sx_parameters* parameters, const uint64_t* words) {
    char texts[MOST_PARAMETERS][SX_VALUE_TEXT + 3];
    sx_trace_value values[MOST_PARAMETERS];
    size_t count = parameters->count < MOST_PARAMETERS ? (size_t)parameters->count : MOST_PARAMETERS;
    for (size_t i = 0; i < count; ++i) {
        const sx_parameter* p = &parameters->items[i];
        const void* data = p->in_memory != 0 ? (const void*)(uintptr_t)words[i] : (const void*)&words[i];
        size_t len = sx_value_text(p->type, data, parameters->errors, texts[i]);
        values[i] = (sx_trace_value){p->name, {texts[i], (int64_t)len}};
    }
    sx_trace_values(values, count);
}
