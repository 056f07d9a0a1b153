#include "vm/memory/Reserve.h"

#include "source/AddressSpace.h"

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace sx::vm {

namespace {

/// MAP_FAILED: refused.
void* map(uint64_t bytes, uint64_t wanted) {
    constexpr int Access = PROT_READ | PROT_WRITE, Flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* p = MAP_FAILED;
    if (wanted != 0) p = mmap(reinterpret_cast<void*>(wanted), bytes, Access, Flags | MAP_FIXED_NOREPLACE, -1, 0);
    return p != MAP_FAILED ? p : mmap(nullptr, bytes, Access, Flags, -1, 0);
}

} // namespace

void endWithoutMemory() {
    std::fputs("error: the system refuses memory for the interpreter; a limit of `ulimit -v` may be too low\n", stderr);
    std::fflush(stdout);
    _exit(1); // other threads may run
}

void* tryReserve(uint64_t& bytes, uint64_t wanted) {
    bytes = std::max(shareOfAddressSpace(bytes), std::min(bytes, LeastOfMore));
    constexpr uint64_t Page = 4096;
    for (bytes = (bytes + Page - 1) / Page * Page;; bytes = bytes / 2 / Page * Page) {
        void* p = map(bytes, wanted);
        if (p != MAP_FAILED) return p;
        if (bytes < LeastOfMore) return nullptr;
    }
}

void* reserve(uint64_t& bytes, uint64_t wanted) {
    void* p = tryReserve(bytes, wanted);
    if (!p) endWithoutMemory();
    return p;
}

void* reserveAll(uint64_t bytes) {
    void* p = map(bytes, 0);
    if (p == MAP_FAILED) endWithoutMemory();
    return p;
}

void release(void* memory, uint64_t bytes) { munmap(memory, bytes); }

} // namespace sx::vm
