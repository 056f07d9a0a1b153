#include "vm/memory/Reserve.h"

#include "source/AddressSpace.h"

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace sx::vm {

void* reserve(uint64_t& bytes, uint64_t wanted) {
    constexpr uint64_t Page = 4096, Least = uint64_t{4} << 20;
    bytes = std::max(shareOfAddressSpace(bytes), std::min(bytes, Least));
    for (bytes = (bytes + Page - 1) / Page * Page;; bytes = bytes / 2 / Page * Page) {
        constexpr int Flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void* p = MAP_FAILED;
        if (wanted != 0)
            p = mmap(reinterpret_cast<void*>(wanted), bytes, PROT_READ | PROT_WRITE, Flags | MAP_FIXED_NOREPLACE, -1,
                     0);
        if (p == MAP_FAILED) p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, Flags, -1, 0);
        if (p != MAP_FAILED) return p;
        if (bytes < Least) break;
    }
    std::fputs("error: the system refuses memory for the interpreter; a limit of `ulimit -v` may be too low\n", stderr);
    std::fflush(stdout);
    _exit(1); // other threads may run
}

void release(void* memory, uint64_t bytes) { munmap(memory, bytes); }

} // namespace sx::vm
