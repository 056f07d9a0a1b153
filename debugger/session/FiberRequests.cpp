// Fibers: their names, who waits for whom, and the stack across all that wait.
#include "debugger/session/Evaluation.h"
#include "debugger/session/Fibers.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Requests.h"

#include "sx/trace.h"

#include <algorithm>
#include <set>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

constexpr uint32_t MostOfStack = 1000;

/// The thread of a record; nothing where the engine does not have it.
std::optional<ThreadInfo> threadOf(const std::vector<ThreadInfo>& threads, const FiberRecord& record) {
    auto at = std::find_if(threads.begin(), threads.end(), [&](const ThreadInfo& t) {
        return record.number != 0 ? t.fiber == record.number : t.fiber == 0 && t.system == record.thread;
    });
    return at == threads.end() ? std::nullopt : std::optional(*at);
}

/// The record of a thread; null where it has none, as one has that never waited.
const FiberRecord* recordOf(const FiberList& all, const ThreadInfo& thread) {
    if (thread.fiber != 0) return all.byNumber(thread.fiber);
    auto at = std::find_if(all.records.begin(), all.records.end(), [&](const FiberRecord& r) {
        return r.number == 0 && r.thread == thread.system && thread.system != 0;
    });
    return at == all.records.end() ? nullptr : &*at;
}

std::string nameOf(Session& s, const ThreadInfo& thread, const FiberRecord* record) {
    if (thread.fiber != 0 && record) return fiberName(*record, s.engine->addresses());
    return thread.id == 1 ? "main" : "thread " + std::to_string(thread.id);
}

AwaitingStack stackOf(Session& s, const FiberList& all, const ThreadInfo& thread) {
    const FiberRecord* record = recordOf(all, thread);
    AwaitingStack stack;
    stack.thread = thread.id;
    stack.name = nameOf(s, thread, record);
    if (record) stack.awaited = awaitedText(*record, all, s.engine->addresses());
    stack.frames = framesOf(s, thread.id, 0, MostOfStack).frames;
    return stack;
}

} // namespace

std::shared_ptr<const FiberList> fibersOf(Session& s) {
    if (!s.engine || !s.program || s.phase == Phase::Running) return std::make_shared<FiberList>();
    std::shared_ptr<const FiberList>& kept = s.machine->fibers;
    if (kept && s.isInRequest()) return kept;
    kept = std::make_shared<FiberList>(readFibers(s.engine->memory(), s.engine->addresses().fiberRecords()));
    return kept;
}

std::optional<std::string> whyNoStep(Session& s, ThreadId id) {
    const std::shared_ptr<const FiberList> held = fibersOf(s);
    if (held->records.empty()) return std::nullopt;
    std::vector<ThreadInfo> threads = s.engine->threads();
    auto at = std::find_if(threads.begin(), threads.end(), [&](const ThreadInfo& t) { return t.id == id; });
    const FiberRecord* record = at == threads.end() || at->fiber == 0 ? nullptr : held->byNumber(at->fiber);
    if (!record || record->thread != 0 || !s.engine->frames(id, 0, 1).frames.empty()) return std::nullopt;
    return fiberName(*record, s.engine->addresses()) + " has not begun: a breakpoint in it stops it there";
}

std::vector<AwaitingStack> awaitingStacks(Session& s, ThreadId id) {
    std::vector<AwaitingStack> out;
    const std::shared_ptr<const FiberList> held = fibersOf(s);
    const FiberList& all = *held;
    if (all.records.empty()) return out;
    std::vector<ThreadInfo> threads = s.engine->threads();
    auto first = std::find_if(threads.begin(), threads.end(), [&](const ThreadInfo& t) { return t.id == id; });
    const FiberRecord* at = first == threads.end() ? nullptr : recordOf(all, *first);
    std::set<uint64_t> seen;
    while (at && seen.insert(at->address).second) {
        at = all.awaiting(*at);
        std::optional<ThreadInfo> thread = at ? threadOf(threads, *at) : std::nullopt;
        if (!thread || seen.count(at->address) != 0) break;
        out.push_back(stackOf(s, all, *thread));
    }
    return out;
}

namespace {

/// Where the trace of a thread is that another one has taken the place of; 0: it has none. Nothing: it runs.
std::optional<uint64_t> parkedTrace(Session& s, ThreadId id) {
    const std::shared_ptr<const FiberList> held = fibersOf(s);
    const FiberList& all = *held;
    if (all.records.empty()) return std::nullopt;
    std::vector<ThreadInfo> threads = s.engine->threads();
    auto thread = std::find_if(threads.begin(), threads.end(), [&](const ThreadInfo& t) { return t.id == id; });
    if (thread == threads.end()) return std::nullopt;
    const FiberRecord* own = recordOf(all, *thread);
    if (thread->fiber != 0 && own && own->state != FiberState::Running) return own->trace;
    for (const FiberRecord& r : all.records) {
        if (r.number == 0 || r.state != FiberState::Running || r.outer == 0) continue;
        if (thread->fiber != 0 ? own && r.resumer == own->address : r.resumer == 0 && r.thread == thread->system)
            return r.outerTrace;
    }
    return std::nullopt;
}

} // namespace

TraceSource traceSourceOf(Session& s, ThreadId thread) {
    TraceSource source = s.engine->trace(thread);
    std::optional<uint64_t> parked = parkedTrace(s, thread);
    if (!parked) return source;
    source.state.resize(*parked == 0 ? 0 : sizeof(sx_trace_state));
    if (s.engine->memory().read(*parked, source.state) != source.state.size()) source.state.clear();
    return source;
}

Reply threads(Session& s, Arguments&) {
    Array out;
    if (!s.engine || !hasThreads(s)) return Object{{"threads", std::move(out)}};
    const std::shared_ptr<const FiberList> held = fibersOf(s);
    const FiberList& all = *held;
    const std::vector<ThreadInfo> threads = s.engine->threads();
    out.reserve(threads.size()); // as it grows it would copy
    for (const ThreadInfo& t : threads) {
        const FiberRecord* record = recordOf(all, t);
        std::string name = t.name;
        if (record && t.fiber != 0) name = fiberTitle(*record, all, s.engine->addresses());
        else if (record && record->reason == FiberReason::Mutex) name += " (waiting for a mutex)";
        out.push_back(Object{{"id", t.id}, {"name", asUtf8(name)}});
    }
    return Object{{"threads", std::move(out)}};
}

// ---- the stack across all that wait

namespace {

/// The thread that an address is of: a frame's, or one in a fiber's stack, record or task.
std::optional<ThreadId> threadAt(Session& s, uint64_t address) {
    const std::shared_ptr<const FiberList> held = fibersOf(s);
    const FiberList& all = *held;
    std::vector<ThreadInfo> threads = s.engine->threads();
    for (const FiberRecord& r : all.records) {
        bool isIts = r.number != 0 && (r.holds(address) || r.address == address || r.task == address);
        if (std::optional<ThreadInfo> found = isIts ? threadOf(threads, r) : std::nullopt) return found->id;
    }
    for (const ThreadInfo& t : threads) {
        for (const Frame& f : s.engine->frames(t.id, 0, MostOfStack).frames)
            if (f.address == address) return t.id;
        for (const MachineFrame& f : s.engine->machine().stack(t.id, MostOfStack).frames)
            if (f.fp == address) return t.id;
    }
    return std::nullopt;
}

/// What `coroutineHandle` says: an id as text, or an address.
Result<ThreadId> threadOfHandle(Session& s, llvm::StringRef handle) {
    uint64_t number = 0;
    if (handle.consume_front("0x") || handle.consume_front("0X")) {
        if (handle.getAsInteger(16, number)) return Failure{"`coroutineHandle` has to be an id or an address `0x…`"};
        std::optional<ThreadId> found = threadAt(s, number);
        if (!found) return Failure{"there is no frame of a fiber at " + hexText(number)};
        return *found;
    }
    if (handle.getAsInteger(10, number) || number > UINT32_MAX)
        return Failure{"`coroutineHandle` has to be an id or an address `0x…`"};
    return static_cast<ThreadId>(number);
}

bool isOfUser(const Session& s, const Frame& f) {
    return f.func != ir::FuncId::None && !s.program->isLibrary(f.func) && f.at.isValid();
}

/// What the library does to wait is left out, unless there is nothing else.
void addFrames(Session& s, const AwaitingStack& stack, Array& rows) {
    bool isFirst = true;
    bool hasUser = std::any_of(stack.frames.begin(), stack.frames.end(), [&](auto& f) { return isOfUser(s, f); });
    for (const Frame& f : stack.frames) {
        if (hasUser ? !isOfUser(s, f) : !isFirst) continue;
        Value awaiting = isFirst && !stack.awaited.empty() ? Value(asUtf8(stack.awaited)) : Value(nullptr);
        rows.push_back(Object{{"name", asUtf8(f.name)},
                              {"file", fileOf(s, f.at, f.file)},
                              {"line", lineOf(s, f.at, f.line)},
                              {"awaiting", std::move(awaiting)}});
        isFirst = false;
    }
}

} // namespace

Reply asyncStack(Session& s, Arguments& a) {
    std::optional<uint32_t> id = a.optionalIndex("fiberId");
    std::optional<std::string> handle = a.optionalText("coroutineHandle");
    if (!a.ok()) return {};
    if (!id && !handle) return Reply::failure("`fiberId` or `coroutineHandle` has to say which fiber");
    if (!id) {
        Result<ThreadId> found = threadOfHandle(s, *handle);
        if (!found) return Reply::failure(found.error());
        id = *found;
    }
    const std::shared_ptr<const FiberList> held = fibersOf(s);
    const FiberList& all = *held;
    Array rows;
    bool isThere = false;
    for (const ThreadInfo& t : s.engine->threads()) {
        if (t.id != *id) continue;
        isThere = true;
        addFrames(s, stackOf(s, all, t), rows);
    }
    if (!isThere) return Reply::failure("there is no fiber or thread " + std::to_string(*id));
    for (const AwaitingStack& stack : awaitingStacks(s, *id)) addFrames(s, stack, rows);
    return Object{{"frames", std::move(rows)}};
}

} // namespace sx::debugger
