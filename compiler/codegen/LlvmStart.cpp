#include "codegen/LlvmStart.h"

#include <cstdint>
#include <mutex>
#include <sys/mman.h>

using Constructor = void (*)();

extern "C" {
extern char __executable_start, etext; // of the linker
// Of the script; null without it.
extern const Constructor sx_llvm_init_begin[] __attribute__((weak, visibility("hidden")));
extern const Constructor sx_llvm_init_end[] __attribute__((weak, visibility("hidden")));
}

namespace sx {

void startLlvm() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (!sx_llvm_init_begin) return;
#ifdef MADV_POPULATE_READ // Linux 5.14; see StartMemory.cpp of the driver
        constexpr uintptr_t Page = 4096;
        const auto begin = reinterpret_cast<uintptr_t>(&__executable_start) & ~(Page - 1);
        const auto end = (reinterpret_cast<uintptr_t>(&etext) + Page - 1) & ~(Page - 1);
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
#endif
        for (const Constructor* c = sx_llvm_init_begin; c != sx_llvm_init_end; ++c) (*c)();
    });
}

} // namespace sx
