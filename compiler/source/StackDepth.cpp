#include "source/StackDepth.h"

#include "source/AddressSpace.h"
#include "source/Heap.h"

#include <malloc.h>
#include <pthread.h>

namespace sx {

namespace {

constexpr uintptr_t Reserve = 512 * 1024;
constexpr uint64_t Page = 4096, LargeStack = 256u << 20; // address space; memory is used as far as the stack grows
constexpr size_t UsualStack = 120 * 1024; // what the check of a small program takes, of the library's code mostly

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

namespace {

thread_local bool hasLargeStack = false;

void* runWork(void* work) {
    mapStack(UsualStack);
    hasLargeStack = true;
    (*static_cast<llvm::function_ref<void()>*>(work))();
    return nullptr;
}

} // namespace

void withLargeStack(llvm::function_ref<void()> work) {
    if (hasLargeStack) return work();
    mallopt(M_ARENA_MAX, 1); // one thread works at a time: a heap of its own for this one would only be slower to grow
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    bool runs = false;
    for (uint64_t size = shareOfAddressSpace(LargeStack); !runs && size >= 2 * Reserve; size /= 2)
        runs = pthread_attr_setstacksize(&attributes, size / Page * Page) == 0 &&
               pthread_create(&thread, &attributes, runWork, &work) == 0;
    pthread_attr_destroy(&attributes);
    if (runs) pthread_join(thread, nullptr);
    else work(); // on the stack that there is
}

} // namespace sx
