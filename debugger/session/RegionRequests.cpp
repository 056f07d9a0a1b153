// Requests about the address space of the program.
#include "debugger/session/Fibers.h"
#include "debugger/session/Foreign.h"
#include "debugger/session/Heap.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Requests.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <chrono>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

Reply memoryRegions(Session& s, Arguments& a) {
    checkAddressed(s, a);
    if (!a.ok()) return {};
    Array all;
    for (const Mapping& m : mappingsOf(s))
        all.push_back(Object{{"name", asUtf8(m.path)},
                             {"start", m.start},
                             {"end", m.end},
                             {"type", m.type},
                             {"permissions", m.permissions}});
    if (all.empty()) return Reply::failure("the mappings of the program are not known");
    return Object{{"regions", std::move(all)}, {"status", "ok"}};
}

namespace {

struct Use {
    uint64_t size = 0;
    std::string type;
    uint64_t objects = 0, used = 0, end = 0, largestGap = 0;
};

std::string typeOf(const Mapping& m) {
    std::string type = m.type;
    if (type == "data") return "global";
    return type == "heap" || type == "stack" || type == "jit" ? type : "";
}

/// How the blocks lie in a mapping. The free runs are what lies between them.
void count(Use& use, const Mapping& m, const std::vector<objects::Block>& blocks) {
    auto at = std::lower_bound(blocks.begin(), blocks.end(), m.start,
                               [](const objects::Block& b, uint64_t start) { return b.address < start; });
    uint64_t end = m.start;
    for (; at != blocks.end() && at->address < m.end; ++at) {
        if (!at->isLive()) continue;
        use.largestGap = std::max(use.largestGap, at->address - std::min(at->address, end));
        end = std::min(m.end, at->address + at->size);
        use.used += at->size;
        ++use.objects;
    }
    use.largestGap = std::max(use.largestGap, m.end - std::min(end, m.end));
}

Object regionJson(uint64_t start, const Use& use) {
    uint64_t free = use.objects == 0 ? 0 : use.size - std::min(use.used, use.size);
    double fragmentation =
        free == 0 ? 0 : 1 - static_cast<double>(std::min(use.largestGap, free)) / static_cast<double>(free);
    return Object{{"start", hexText(start)},
                  {"size", static_cast<int64_t>(use.size)},
                  {"type", use.type},
                  {"fragmentation", fragmentation},
                  {"objectCount", static_cast<int64_t>(use.objects)}};
}

/// Chunks of arenas are blocks of the heap, and regions of their own.
void addArenas(Session& s, Array& regions) {
    Result<std::shared_ptr<objects::HeapGraph>> heap = heapGraphOf(s);
    if (!heap) return;
    for (uint32_t i = 0; i < (*heap)->nodes.size(); ++i) {
        if ((*heap)->texts.text((*heap)->nodes[i].provenance) != "arena") continue;
        const objects::Block& b = s.heap->index->block(i);
        Use use;
        use.size = b.size;
        use.type = "arena";
        regions.push_back(regionJson(b.address, use));
    }
}

/// What a formatters file knows of the program's memory.
void addForeign(Session& s, const std::string& filter, Array& regions) {
    if (!s.foreign || !s.foreign->values || !s.options.formatters) return;
    for (const SymbolRange& range : s.options.formatters->regions) {
        std::optional<std::pair<uint64_t, uint64_t>> at = s.foreign->values->bounds(range);
        if (!at || (!filter.empty() && filter != range.type)) continue;
        Use use;
        use.size = at->second - at->first;
        use.type = range.type;
        regions.push_back(regionJson(at->first, use));
    }
}

/// An address in each stack of threads and fibers: the system names only that of the first.
std::vector<uint64_t> stackAddresses(Session& s) {
    std::vector<uint64_t> out;
    if (!s.engine || !isNative(s)) return out;
    for (const ThreadInfo& t : s.engine->threads())
        for (const MachineFrame& f : s.engine->machine().stack(t.id, 1).frames) out.push_back(f.sp);
    const std::shared_ptr<const FiberList> fibers = fibersOf(s);
    for (const FiberRecord& r : fibers->records)
        if (r.number != 0) out.push_back(r.low); // one that has not begun has no frames
    return out;
}

} // namespace

Reply memoryMap(Session& s, Arguments& a) {
    static constexpr const char* Types[] = {"heap",       "arena",  "jit",  "stack", "global",
                                            "gc_nursery", "gc_old", "wild", "wildx"};
    std::string filter = a.optionalText("filter").value_or("");
    if (!filter.empty() && std::find(std::begin(Types), std::end(Types), filter) == std::end(Types))
        a.reject("`filter` is no type of region: `heap`, `arena`, `jit`, `stack`, `global`, `gc_nursery`, `gc_old`, "
                 "`wild` or `wildx`");
    if (!a.ok()) return {};
    Result<const objects::Registry*> registry = registryOf(s);
    Array regions;
    // Without the registry nothing says where in an interpreter's process the heap of the program is.
    std::optional<uint64_t> ofProgram = registry || !s.engine ? std::nullopt : s.engine->machine().heapBytes();
    uint64_t total = ofProgram.value_or(0);
    const std::vector<uint64_t> stacks = stackAddresses(s);
    for (const Mapping& m : mappingsOf(s)) {
        if (m.permissions == "---") continue; // addresses without memory
        Use use;
        use.size = m.end - m.start;
        use.type = typeOf(m);
        bool isStack = llvm::any_of(stacks, [&](uint64_t at) { return m.start <= at && at < m.end; });
        if (use.type == "heap" && isStack) use.type = "stack";
        if (use.type == "heap" && registry) count(use, m, (*registry)->blocks());
        // An interpreter maps much that is no heap of the program.
        if (use.type == "heap" && (ofProgram || (registry && use.objects == 0))) continue;
        if (use.type == "heap") total += registry ? use.used : use.size;
        if (!use.type.empty() && (filter.empty() || filter == use.type)) regions.push_back(regionJson(m.start, use));
    }
    if (registry && (filter.empty() || filter == "arena")) addArenas(s, regions);
    addForeign(s, filter, regions);
    using namespace std::chrono;
    return Object{{"regions", std::move(regions)},
                  {"totalHeapSize", static_cast<int64_t>(total)},
                  {"timestamp",
                   static_cast<int64_t>(duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count())}};
}

} // namespace sx::debugger
