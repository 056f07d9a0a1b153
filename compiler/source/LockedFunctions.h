// Functions of the C library that hold a lock while they run: who leaves one in its midst keeps what it has locked.
// Nothing but the standard library: a library that must not know LLVM includes it as well.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace sx {

inline constexpr std::string_view LockedFunctions[] = {
    "malloc",  "free",       "calloc",  "realloc",  "reallocarray", "memalign",      "aligned_alloc",  "posix_memalign",
    "valloc",  "pvalloc",    "cfree",   "mallinfo", "malloc_trim",  "printf",        "fprintf",        "vprintf",
    "puts",    "vfprintf",   "fputs",   "putchar",  "fputc",        "putc",          "fwrite",         "fflush",
    "perror",  "fgets",      "fread",   "fgetc",    "getc",         "getchar",       "scanf",          "fscanf",
    "getline", "fopen",      "fclose",  "fseek",    "__printf_chk", "__fprintf_chk", "__vfprintf_chk", "dlopen",
    "dlsym",   "__overflow", "tmpfile", "strdup",   "strndup",      "asprintf",      "flush_all"};

/// `symbol` is that of such a function, also where the library has it by a name of its own.
inline bool isLockedFunction(std::string_view symbol) {
    for (std::string_view own : {"__libc_", "_IO_"})
        if (symbol.starts_with(own)) symbol.remove_prefix(own.size());
    return std::find(std::begin(LockedFunctions), std::end(LockedFunctions), symbol) != std::end(LockedFunctions);
}

} // namespace sx
