#include "debugger/native/plugin/CallStack.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <sys/resource.h>

namespace sx::debugger::native {

namespace {

struct Mapping {
    uint64_t start = 0, end = 0;
    bool isWritable = false;
    bool grows = false; ///< downwards, as the stack of the first thread does up to its limit
};

/// The first mappings that end above the address, until one is found by `isWanted`.
template <class Wanted> std::optional<Mapping> findMapping(int process, uint64_t address, Wanted isWanted) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    for (std::string line; std::getline(maps, line);) {
        Mapping m;
        char access[5] = "";
        unsigned long long start = 0, end = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx %4s", &start, &end, access) != 3) continue;
        m.start = start, m.end = end, m.isWritable = access[1] == 'w', m.grows = line.ends_with("[stack]");
        if (m.end > address && isWanted(m)) return m;
    }
    return std::nullopt;
}

} // namespace

bool hasRoomBelow(int process, uint64_t sp) {
    constexpr uint64_t Enough = 256 << 10;
    std::optional<Mapping> at = findMapping(process, sp, [](const Mapping&) { return true; });
    if (!at || !at->isWritable) return false;
    rlimit limit{};
    if (at->grows && prlimit(process, RLIMIT_STACK, nullptr, &limit) == 0 && limit.rlim_cur < at->end)
        at->start = at->end - limit.rlim_cur;
    return sp >= at->start && sp - at->start >= Enough;
}

std::optional<WritableMemory> stackFrom(int process, uint64_t sp) {
    std::optional<Mapping> at = findMapping(process, sp, [](const Mapping& m) { return m.isWritable; });
    return at ? std::optional(WritableMemory{at->start, at->end}) : std::nullopt;
}

} // namespace sx::debugger::native
