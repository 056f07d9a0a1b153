#include "source/SideBySide.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace sx {

namespace {

struct Work {
    llvm::function_ref<void(size_t)> call;
    size_t count;
    std::atomic<size_t> next = 0;

    void share() {
        for (size_t i = next++; i < count; i = next++) call(i);
    }
};

void* shareWork(void* work) {
    static_cast<Work*>(work)->share();
    return nullptr;
}

size_t processors() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(CPU_COUNT(&set), 1) : 1;
}

} // namespace

void sideBySide(size_t count, llvm::function_ref<void(size_t)> call) {
    Work work{call, count};
    std::vector<pthread_t> threads;
    for (size_t i = 1; i < std::min(count, processors()); ++i) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, shareWork, &work) != 0) break;
        threads.push_back(thread);
    }
    work.share();
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

} // namespace sx
