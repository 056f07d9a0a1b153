// What an executable that this is linked into says where nothing else can be done: a process without memory, or whose
// code generation fails, ends with one line and the exit status of a failure.
#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <new>
#include <unistd.h>

namespace {

/// Other threads may run, and the heap may be used up.
[[noreturn]] void giveUp(const char* prefix, const char* reason) {
    std::fprintf(stderr, "error: %s%s\n", prefix, reason);
    std::fflush(stdout);
    _exit(1);
}

void endWhereMemoryEnds(int, char**, char**) {
    std::set_new_handler([] { giveUp("", "out of memory"); });
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { giveUp("", "out of memory"); });
    llvm::install_fatal_error_handler([](void*, const char* reason, bool) { giveUp("code generation: ", reason); });
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
/// Before the constructors, also those of libraries: they are the first to allocate.
__attribute__((section(".preinit_array"), used)) void (*const atStart)(int, char**, char**) = endWhereMemoryEnds;
#else
/// Before the other constructors.
__attribute__((constructor(101))) void atStart() { endWhereMemoryEnds(0, nullptr, nullptr); }
#endif

} // namespace
