// Stops at what happens to errors, and at panics.
#include "debugger/native/engine/NativeEngine.h"

#include "ir/CodeMarks.h"
#include "sx/trace.h"

#include <algorithm>
#include <csignal>
#include <cstddef>

namespace sx::debugger::native {

namespace {

ErrorEvent eventOf(ir::ErrorEventKind kind) {
    switch (kind) {
    case ir::ErrorEventKind::Raise: return ErrorEvent::Raise;
    case ir::ErrorEventKind::Propagate: return ErrorEvent::Propagate;
    case ir::ErrorEventKind::Absorb: return ErrorEvent::Absorb;
    case ir::ErrorEventKind::Unhandled: return ErrorEvent::Unhandled;
    }
    return ErrorEvent::Raise;
}

constexpr const char* Panics[] = {"sx_panic_message", "sx_panic_in", "sx_panic_null", "sx_panic_index",
                                  "sx_panic_slice"};

/// Byte offsets in `sx_trace_layout` (runtime/src/debugger.h).
enum Layout : uint64_t { ChainSlots = 8, Frames = 16, Stack = 28, Errors = 40, Notes = 64 };

} // namespace

void NativeEngine::setErrorFilters(const std::vector<ErrorFilter>& filters) {
    filters_ = filters;
    errorPlaces_.clear();
    panics_.clear();
    pendingErrors_.clear();
    unhandled_ = 0;
    for (const ErrorPlace& place : image_.errorPlaces()) {
        ErrorEvent event = eventOf(program_.module.fn(place.func).errorEvents[place.event].kind);
        bool isWanted = std::any_of(filters.begin(), filters.end(), [&](auto& f) { return f.event == event; });
        if (isWanted) errorPlaces_[toRun(place.address)] = place;
    }
    for (const ErrorFilter& filter : filters)
        if (uint64_t report = image_.symbol("sx_trace_report_unhandled");
            filter.event == ErrorEvent::Unhandled && report)
            unhandled_ = toRun(report);
    if (std::any_of(filters.begin(), filters.end(), [](auto& f) { return f.event == ErrorEvent::Panic; }))
        for (const char* name : Panics)
            if (uint64_t address = image_.symbol(name)) panics_[toRun(address)] = name;
    if (state_ == State::Running) syncBreakpoints();
}

std::string NativeEngine::filterProblem(ErrorEvent event) const {
    if (event == ErrorEvent::Panic || event == ErrorEvent::Unhandled) return "";
    if (!image_.symbol("sx_trace_layout")) return "the program was built without traces";
    return "";
}

bool NativeEngine::isWanted(ErrorEvent event, uint64_t tag) const {
    return std::any_of(filters_.begin(), filters_.end(), [&](const ErrorFilter& f) {
        bool hasTag = f.tags.empty() || std::find(f.tags.begin(), f.tags.end(), tag) != f.tags.end();
        return f.event == event && hasTag;
    });
}

/// The C `main`, which reports an error that has left the program's, has no positions.
std::optional<Stop> NativeEngine::errorStop(const ThreadStop& stop) {
    if (stop.pc == unhandled_ && unhandled_ != 0) return errorStopOf(stop, ErrorEvent::Unhandled);
    for (size_t i = 0; i < pendingErrors_.size(); ++i) {
        PendingError pending = pendingErrors_[i];
        const StackFrame* top = stack_.frame(stop.thread, 0);
        if (pending.thread != stop.thread || pending.address != stop.pc || !top || top->cfa != pending.cfa) continue;
        pendingErrors_.erase(pendingErrors_.begin() + i);
        stack_.setAfterCall(stop.thread);
        stack_.forget();
        return errorStopAt(stop, pending.place);
    }
    auto found = errorPlaces_.find(stop.pc);
    if (found == errorPlaces_.end()) return std::nullopt;
    const ErrorPlace& place = found->second;
    const ir::Function& fn = program_.module.fn(place.func);
    if (!ir::isMarkedBefore(fn, fn.errorEvents[place.event])) return errorStopAt(stop, place);
    const ImageRow* after = image_.rowAfter(toFile(stop.pc));
    const StackFrame* top = stack_.frame(stop.thread, 0);
    if (after && top) pendingErrors_.push_back({place, stop.thread, toRun(after->address), top->cfa});
    return std::nullopt;
}

std::optional<Stop> NativeEngine::errorStopAt(const ThreadStop& stop, const ErrorPlace& place) {
    return errorStopOf(stop, eventOf(program_.module.fn(place.func).errorEvents[place.event].kind));
}

std::optional<Stop> NativeEngine::errorStopOf(const ThreadStop& stop, ErrorEvent event) {
    uint64_t tag = tagInFlight(stop.thread);
    if (!isWanted(event, tag)) return std::nullopt;
    Stop made = makeStop(Stop::Reason::Error, stop.thread);
    made.event = event;
    made.tag = tag;
    return made;
}

// ---- traces

/// Where the thread's trace is: an instruction of the runtime says how far from the thread pointer.
uint64_t NativeEngine::traceState(SystemThread thread) {
    uint64_t instruction = image_.symbol("sx_trace_state_offset");
    std::optional<uint64_t> pointer = target_->readRegister(thread, 0, "fs_base");
    if (instruction == 0 || !pointer) return 0;
    instruction = toRun(instruction);
    std::optional<uint64_t> code = memory_.word(instruction);
    if (!code) return 0;
    auto operand = static_cast<int64_t>(static_cast<int32_t>(*code >> 24));
    switch (*code & 0xffffff) {
    case 0xc0c748: return *pointer + static_cast<uint64_t>(operand);
    case 0x058b48: return *pointer + memory_.word(instruction + 7 + static_cast<uint64_t>(operand)).value_or(0);
    default: return 0;
    }
}

/// A thread's state has its notes elsewhere than an sx_trace_state has them.
TraceSource NativeEngine::trace(ThreadId id) {
    TraceSource source;
    Result<SystemThread> thread = systemThread(id);
    uint64_t layout = image_.symbol("sx_trace_layout"), state = thread && target_ ? traceState(*thread) : 0;
    if (layout == 0 || state == 0) return source;
    std::optional<uint64_t> frames = memory_.word(toRun(layout) + Layout::Frames, 4),
                            notes = memory_.word(toRun(layout) + Layout::Notes, 4);
    std::vector<uint8_t> bytes(sizeof(sx_trace_state));
    llvm::MutableArrayRef<uint8_t> all(bytes);
    size_t trace = offsetof(sx_trace_state, notes);
    if (frames && notes && memory_.read(state + *frames, all.take_front(trace)) == trace &&
        memory_.read(state + *notes, all.drop_front(trace)) == bytes.size() - trace)
        source.state = std::move(bytes);
    return source;
}

/// The error of the newest chain.
uint64_t NativeEngine::tagInFlight(SystemThread thread) {
    uint64_t layout = image_.symbol("sx_trace_layout"), state = traceState(thread);
    if (layout == 0 || state == 0) return 0;
    layout = toRun(layout);
    uint64_t slots = memory_.word(layout + Layout::ChainSlots, 4).value_or(0);
    uint64_t stackAt = memory_.word(layout + Layout::Stack, 4).value_or(0);
    uint64_t errorsAt = memory_.word(layout + Layout::Errors, 4).value_or(0);
    uint64_t stack = memory_.word(state + stackAt).value_or(0);
    uint64_t count = std::min<uint64_t>((stack >> 24) & 15, slots);
    if (count == 0) return 0;
    uint64_t chain = count - 1, slot = ((stack >> 3 * chain) ^ chain) & 7;
    return memory_.word(state + errorsAt + 8 * slot).value_or(0);
}

// ---- panics

std::string NativeEngine::textAt(uint64_t address, uint64_t length) {
    std::vector<uint8_t> bytes(std::min<uint64_t>(length, 4096));
    bytes.resize(memory_.read(address, bytes));
    return {bytes.begin(), bytes.end()};
}

/// As the function will print it (runtime/program/panic.c), without the place.
std::string NativeEngine::panicText(const ThreadStop& stop, const std::string& function) {
    auto argument = [&](const char* name) { return target_->readRegister(stop.thread, 0, name).value_or(0); };
    auto number = [&](const char* name) { return std::to_string(static_cast<int64_t>(argument(name))); };
    if (function == "sx_panic_null") return "null pointer";
    if (function == "sx_panic_index") return "index " + number("rsi") + " out of range for length " + number("rdx");
    if (function == "sx_panic_slice")
        return "slice " + number("rsi") + ".." + number("rdx") + " out of range for length " + number("rcx");
    return textAt(argument("rsi"), argument("rdx"));
}

std::optional<Stop> NativeEngine::panicStop(const ThreadStop& stop) {
    auto panic = panics_.find(stop.pc);
    if (panic == panics_.end()) return std::nullopt;
    // One of these functions calls another.
    const StackFrame* caller = stack_.frame(stop.thread, 1);
    if (caller && caller->isHidden && caller->frame.name.starts_with("sx_panic")) return std::nullopt;
    Stop made = makeStop(Stop::Reason::Error, stop.thread);
    made.event = ErrorEvent::Panic;
    made.text = panicText(stop, panic->second);
    endingSignals_ = {SIGABRT};
    return made;
}

} // namespace sx::debugger::native
