#include "source/StackDepth.h"

#include "llvm/Support/thread.h"

#include <malloc.h>
#include <pthread.h>

namespace sx {

namespace {

constexpr uintptr_t Reserve = 512 * 1024;
constexpr unsigned LargeStack = 256u << 20; // address space; memory is used as far as the stack grows

} // namespace

thread_local uintptr_t detail::lowestFrame = 0;

uintptr_t detail::findLowestFrame() {
    pthread_attr_t attributes;
    void* lowest = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
    }
    return lowestFrame = reinterpret_cast<uintptr_t>(lowest) + Reserve;
}

void withLargeStack(llvm::function_ref<void()> work) {
    mallopt(M_ARENA_MAX, 1); // one thread works at a time: a heap of its own for this one would only be slower to grow
    llvm::thread thread(std::optional<unsigned>(LargeStack), work);
    thread.join();
}

} // namespace sx
