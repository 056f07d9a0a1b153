#include "source/AddressSpace.h"

#include <algorithm>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace sx {

namespace {

/// The address space of this process in bytes (proc(5), `statm`); 0: unknown.
uint64_t addressSpaceInUse() {
    FILE* file = std::fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (file && std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    if (file) std::fclose(file);
    return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

uint64_t shareOfAddressSpace(uint64_t wanted) {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return wanted;
    uint64_t used = addressSpaceInUse();
    return std::min<uint64_t>(wanted, limit.rlim_cur > used ? (limit.rlim_cur - used) / 4 : 0);
}

} // namespace sx
