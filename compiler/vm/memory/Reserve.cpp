#include "vm/memory/Reserve.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace sx::vm {

void* reserve(uint64_t& bytes) {
    constexpr uint64_t Page = 4096, Least = uint64_t{4} << 20;
    for (bytes = (bytes + Page - 1) / Page * Page;; bytes = bytes / 2 / Page * Page) {
        void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p != MAP_FAILED) return p;
        if (bytes < Least) break;
    }
    std::fprintf(stderr, "sx: internal error: the system refuses memory for the interpreter\n");
    std::abort();
}

void release(void* memory, uint64_t bytes) { munmap(memory, bytes); }

} // namespace sx::vm
