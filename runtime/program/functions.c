#include "functions.h"

#include <string.h>

enum { MOST_TABLES = 8 };

/* The linker gives the section's ends; a program without functions has no section. */
extern const char __start_sx_functions[] __attribute__((weak, visibility("hidden")));
extern const char __stop_sx_functions[] __attribute__((weak, visibility("hidden")));

static struct {
    const char* records;
    size_t bytes;
} added[MOST_TABLES];
static size_t added_count;

void sx_functions_add(const void* records, size_t bytes) {
    if (added_count == MOST_TABLES) return;
    added[added_count].records = records;
    added[added_count].bytes = bytes;
    ++added_count;
}

static sx_string string_of(const char* text) { return (sx_string){text, (int64_t)strlen(text)}; }

/* The records are in no order that can be relied on, and this happens once. */
static bool find(const char* records, size_t bytes, uintptr_t pc, sx_frame* out) {
    for (size_t at = 0; at + sizeof(sx_function) <= bytes; at += sizeof(sx_function)) {
        sx_function f;
        memcpy(&f, records + at, sizeof f); /* sections need not be aligned */
        uintptr_t start = (uintptr_t)(records + at) + (uintptr_t)(intptr_t)f.start;
        if (pc - start >= f.size) continue;
        *out = (sx_frame){string_of(f.file), f.line, f.col, string_of(f.name), {NULL, 0}};
        return true;
    }
    return false;
}

bool sx_function_at(uintptr_t pc, sx_frame* out) {
    size_t own = (size_t)((uintptr_t)__stop_sx_functions - (uintptr_t)__start_sx_functions);
    if (find(__start_sx_functions, own, pc, out)) return true;
    for (size_t i = 0; i < added_count; ++i)
        if (find(added[i].records, added[i].bytes, pc, out)) return true;
    return false;
}
