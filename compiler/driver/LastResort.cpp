#include "driver/LastResort.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <new>
#include <unistd.h>

namespace sx::driver {

namespace {

/// Other threads may run, and the heap may be used up.
[[noreturn]] void giveUp(const char* prefix, const char* reason) {
    std::fprintf(stderr, "error: %s%s\n", prefix, reason);
    std::fflush(stdout);
    _exit(1);
}

} // namespace

void endWhereMemoryEnds() {
    std::set_new_handler([] { giveUp("", "out of memory"); });
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { giveUp("", "out of memory"); });
    llvm::install_fatal_error_handler([](void*, const char* reason, bool) { giveUp("code generation: ", reason); });
}

} // namespace sx::driver
