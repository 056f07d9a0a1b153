#include "codegen/LlvmStart.h"

#include "source/Heap.h"

#include <mutex>

using Constructor = void (*)();

extern "C" {
// Of the script; null without it.
extern const Constructor sx_llvm_init_begin[] __attribute__((weak, visibility("hidden")));
extern const Constructor sx_llvm_init_end[] __attribute__((weak, visibility("hidden")));
}

namespace sx {

void startLlvm() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (!sx_llvm_init_begin) return;
        mapCode();
        for (const Constructor* c = sx_llvm_init_begin; c != sx_llvm_init_end; ++c) (*c)();
    });
}

} // namespace sx
