#include "source/StackDepth.h"

#include "source/AddressSpace.h"
#include "source/Heap.h"

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

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

/// Work on a stack of its own, which the thread switches to and back from.
struct OnStack {
    llvm::function_ref<void()> work;
    ucontext_t before, begin;
};

thread_local OnStack* current = nullptr; ///< of the thread that stands on a large stack

void runWork() {
    mapStack(UsualStack);
    current->work();
}

/// A large stack, as far as there are addresses; null: there are none. `size` is in bytes and includes a page below it
/// that nothing may touch.
char* mapLargeStack(size_t& size) {
    for (uint64_t wanted = shareOfAddressSpace(LargeStack); wanted >= 2 * Reserve; wanted /= 2) {
        size = wanted / Page * Page;
        void* stack =
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (stack == MAP_FAILED) continue;
        mprotect(stack, Page, PROT_NONE);
        return static_cast<char*>(stack);
    }
    return nullptr;
}

} // namespace

void withLargeStack(llvm::function_ref<void()> work) {
    size_t size = 0;
    char* stack = current ? nullptr : mapLargeStack(size);
    if (!stack) return work(); // on the stack that there is
    OnStack switched{work, {}, {}};
    getcontext(&switched.begin);
    switched.begin.uc_stack.ss_sp = stack;
    switched.begin.uc_stack.ss_size = size;
    switched.begin.uc_link = &switched.before;
    makecontext(&switched.begin, runWork, 0);
    uintptr_t lowestBefore = detail::lowestFrame;
    detail::lowestFrame = reinterpret_cast<uintptr_t>(stack) + Reserve;
    current = &switched;
    swapcontext(&switched.before, &switched.begin);
    current = nullptr;
    detail::lowestFrame = lowestBefore;
    munmap(stack, size);
}

} // namespace sx
