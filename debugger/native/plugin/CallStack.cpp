#include "debugger/native/plugin/CallStack.h"

#include "debugger/engine/ProcessFiles.h"

#include <sys/resource.h>
#include <utility>

namespace sx::debugger::native {

namespace {

/// The first mapping that ends above the address and is wanted.
template <class Wanted> std::optional<ProcessMapping> findMapping(int process, uint64_t address, Wanted isWanted) {
    for (ProcessMapping& m : mappingsOfProcess(process))
        if (m.end > address && isWanted(m)) return std::move(m);
    return std::nullopt;
}

bool isWritable(const ProcessMapping& m) { return m.permissions[1] == 'w'; }

} // namespace

bool hasRoomBelow(int process, uint64_t sp) {
    constexpr uint64_t Enough = 256 << 10;
    std::optional<ProcessMapping> at = findMapping(process, sp, [](const ProcessMapping&) { return true; });
    if (!at || !isWritable(*at)) return false;
    rlimit limit{};
    bool grows = at->path == "[stack]"; // downwards, as the stack of the first thread does up to its limit
    if (grows && prlimit(process, RLIMIT_STACK, nullptr, &limit) == 0 && limit.rlim_cur < at->end)
        at->start = at->end - limit.rlim_cur;
    return sp >= at->start && sp - at->start >= Enough;
}

std::optional<WritableMemory> stackFrom(int process, uint64_t sp) {
    std::optional<ProcessMapping> at = findMapping(process, sp, isWritable);
    return at ? std::optional(WritableMemory{at->start, at->end}) : std::nullopt;
}

} // namespace sx::debugger::native
