#include "debugger/inspect/Fibers.h"

#include "debugger/inspect/Texts.h"

#include "debug_fiber.h"

#include <algorithm>
#include <unordered_set>

namespace sx::debugger {

namespace {

constexpr size_t MostRecords = 1'000'000;
constexpr uint64_t NameLimit = 100; ///< bytes

template <typename T> bool readInto(Memory& memory, uint64_t address, T& into) {
    return memory.readData(address, {reinterpret_cast<uint8_t*>(&into), sizeof into}) == sizeof into;
}

uint64_t word(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

// Whoever writes a record may be any program: what is no state is taken for one.

FiberState stateOf(uint32_t state) { return static_cast<FiberState>(std::min<uint32_t>(state, SX_DEBUG_DONE)); }

FiberReason reasonOf(uint32_t reason) {
    return reason <= SX_DEBUG_MUTEX ? static_cast<FiberReason>(reason) : FiberReason::Wake;
}

/// A list that ends with a zero, or after many.
std::vector<uint64_t> listAt(Memory& memory, uint64_t address) {
    constexpr size_t Most = 64;
    std::vector<uint64_t> out;
    uint64_t one = 0;
    while (out.size() < Most && readInto(memory, address + out.size() * sizeof one, one) && one != 0)
        out.push_back(one);
    return out;
}

FiberRecord recordOf(Memory& memory, uint64_t address, const sx_debug_fiber& from) {
    FiberRecord r;
    r.address = address;
    r.number = from.id;
    r.thread = from.thread;
    r.state = stateOf(from.state);
    r.reason = reasonOf(from.reason);
    r.object = from.object;
    r.name.resize(std::min<uint64_t>(from.name_bytes, NameLimit));
    if (!from.name) r.name.clear();
    if (!r.name.empty())
        r.name.resize(memory.readData(word(from.name), {reinterpret_cast<uint8_t*>(r.name.data()), r.name.size()}));
    auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (std::any_of(r.name.begin(), r.name.end(), isControl)) r.name = quoted(r.name); // a name stays in its row
    r.code = word(from.code);
    r.task = word(from.task);
    r.low = word(from.low);
    r.high = word(from.high);
    r.saved = word(from.saved);
    r.frame = word(from.frame);
    r.outer = word(from.outer);
    r.resumer = word(from.resumer);
    r.trace = word(from.trace);
    r.outerTrace = word(from.outer_trace);
    if (r.reason == FiberReason::Any && r.object != 0) r.tasks = listAt(memory, r.object);
    return r;
}

} // namespace

// ---- reading

std::optional<FiberRecord> readFiber(Memory& memory, uint64_t address) {
    sx_debug_fiber record{};
    if (address == 0 || !readInto(memory, address, record)) return std::nullopt;
    return recordOf(memory, address, record);
}

FiberList readFibers(Memory& memory, uint64_t records) {
    FiberList all;
    sx_debug_fiber_list list{};
    if (records == 0 || !readInto(memory, records, list) || list.version != SX_DEBUG_FIBER_VERSION) return all;
    all.created = list.created;
    std::unordered_set<uint64_t> seen;
    sx_debug_fiber record{};
    for (uint64_t at = word(list.first); at != 0 && seen.size() < MostRecords; at = word(record.next)) {
        if (!seen.insert(at).second || !readInto(memory, at, record)) break;
        if (record.id <= list.created) all.records.push_back(recordOf(memory, at, record));
    }
    std::reverse(all.records.begin(), all.records.end()); // the newest came first
    auto isEarlier = [](const FiberRecord& a, const FiberRecord& b) { return a.number < b.number; };
    if (!std::is_sorted(all.records.begin(), all.records.end(), isEarlier))
        std::stable_sort(all.records.begin(), all.records.end(), isEarlier);
    for (size_t i = 0; i < all.records.size(); ++i)
        if (const FiberRecord& r = all.records[i]; r.number != 0 && r.task != 0)
            all.workers.try_emplace(r.task, static_cast<uint32_t>(i));
    return all;
}

FiberChanges readFiberChanges(Memory& memory, uint64_t records, uint64_t seen) {
    FiberChanges out;
    sx_debug_fiber_list list{};
    if (records == 0 || !readInto(memory, records, list) || list.version != SX_DEBUG_FIBER_VERSION) return out;
    out.total = list.change_count;
    if (seen >= out.total) return out;
    std::vector<sx_debug_change> ring(SX_DEBUG_CHANGES);
    size_t bytes = ring.size() * sizeof ring[0];
    if (memory.read(word(list.changes), {reinterpret_cast<uint8_t*>(ring.data()), bytes}) != bytes) return out;
    uint64_t most = std::min<uint64_t>(out.total - seen, SX_DEBUG_CHANGES);
    for (uint64_t i = out.total - most; i < out.total; ++i) {
        const sx_debug_change& c = ring[i % SX_DEBUG_CHANGES];
        out.last.push_back({c.id, stateOf(c.from), stateOf(c.to), reasonOf(c.reason)});
    }
    return out;
}

// ---- who is who

const FiberRecord* FiberList::byNumber(uint32_t number) const {
    auto at = std::lower_bound(records.begin(), records.end(), number,
                               [](const FiberRecord& r, uint32_t n) { return r.number < n; });
    return number != 0 && at != records.end() && at->number == number ? &*at : nullptr;
}

const FiberRecord* FiberList::byTask(uint64_t task) const {
    auto at = workers.find(task);
    return at == workers.end() ? nullptr : &records[at->second];
}

const FiberRecord* FiberList::awaiting(const FiberRecord& fiber) const {
    if (fiber.task == 0 || fiber.number == 0) return nullptr;
    auto at = std::find_if(records.begin(), records.end(), [&](const FiberRecord& r) {
        bool waits = r.reason == FiberReason::Await && r.object == fiber.task;
        return (waits || std::count(r.tasks.begin(), r.tasks.end(), fiber.task) != 0) && r.address != fiber.address;
    });
    return at == records.end() ? nullptr : &*at;
}

// ---- texts

std::string awaitedText(const FiberRecord& fiber, const FiberList& all, Addresses& addresses) {
    switch (fiber.reason) {
    case FiberReason::None: return "";
    case FiberReason::Wake: return "a call of wake";
    case FiberReason::Sleep: return "time " + std::to_string(fiber.object) + " ms";
    case FiberReason::Channel:
        return fiber.object == 0 ? std::string("a channel") : "channel " + std::to_string(fiber.object);
    case FiberReason::Await: {
        const FiberRecord* awaited = all.byTask(fiber.object);
        return awaited ? fiberName(*awaited, addresses) : "a task that is over";
    }
    case FiberReason::Any: return "the first of several futures";
    case FiberReason::Io: return "descriptor " + std::to_string(static_cast<int32_t>(fiber.object));
    case FiberReason::Mutex: return "a mutex";
    }
    return "";
}

std::string fiberName(const FiberRecord& fiber, Addresses& addresses) {
    uint32_t thread = addresses.threadOfFiber(fiber.number);
    std::string title = "fiber " + (thread != 0 ? std::to_string(thread) : "#" + std::to_string(fiber.number));
    std::string name = fiber.name;
    if (std::optional<CodeName> code = fiber.code != 0 && name.empty() ? addresses.codeAt(fiber.code) : std::nullopt)
        name = code->name;
    return name.empty() ? title : title + ": " + name;
}

std::string fiberTitle(const FiberRecord& fiber, const FiberList& all, Addresses& addresses) {
    std::string what = stateWord(fiber.state);
    if (fiber.state == FiberState::Waiting) what = "waiting for " + awaitedText(fiber, all, addresses);
    return fiberName(fiber, addresses) + " (" + what + ")";
}

const char* stateWord(FiberState state) {
    static constexpr const char* Words[] = {"ready", "running", "waiting", "done"};
    return Words[static_cast<size_t>(state)];
}

const char* reasonWord(FiberReason reason) {
    static constexpr const char* Words[] = {"",      "await", "sleep",   "channel_wait",
                                            "await", "await", "io_wait", "mutex_wait"};
    return Words[static_cast<size_t>(reason)];
}

} // namespace sx::debugger
