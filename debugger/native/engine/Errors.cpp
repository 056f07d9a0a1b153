// Stops at what happens to errors, and at panics.
#include "debugger/native/engine/Errors.h"

#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/engine/Running.h"
#include "ir/CodeMarks.h"
#include "sx/trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <csignal>
#include <cstddef>

namespace sx::debugger::native {

static std::optional<uint64_t> behindMark(Native& n, uint64_t pc);
static std::optional<Stop> errorStopAt(Native& n, const ThreadStop& stop, const ErrorPlace& place);
static std::optional<Stop> errorStopOf(Native& n, const ThreadStop& stop, ErrorEvent event);
static uint64_t tagInFlight(Native& n, SystemThread thread);

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

constexpr const char* StackOverflow = "stack overflow"; ///< runtime/program/fault.c

/// Byte offsets in `sx_trace_layout` (runtime/src/debugger.h).
struct Layout {
    static constexpr uint64_t ChainSlots = 8, Frames = 16, Stack = 28, Errors = 40, Notes = 64;
};

} // namespace

void NativeEngine::setErrorFilters(const std::vector<ErrorFilter>& filters) {
    n_.filters = filters;
    n_.errorPlaces.clear();
    n_.panics.clear();
    n_.pendingErrors.clear();
    n_.unhandled = 0;
    for (const ErrorFilter& filter : filters)
        if (uint64_t report =
                n_.image.symbol(n_.program.entry == "main" ? "sx_trace_report_unhandled" : "sx_test_failed");
            filter.event == ErrorEvent::Unhandled && report)
            n_.unhandled = n_.toRun(report);
    for (const ErrorPlace& place : n_.image.errorPlaces()) {
        ErrorEvent event = eventOf(n_.program.module.fn(place.func).errorEvents[place.event].kind);
        bool isWanted = std::any_of(filters.begin(), filters.end(), [&](auto& f) { return f.event == event; });
        bool isReported = event == ErrorEvent::Unhandled && n_.unhandled != 0;
        if (isWanted && !isReported) n_.errorPlaces[n_.toRun(place.address)] = place;
    }
    if (std::any_of(filters.begin(), filters.end(), [](auto& f) { return f.event == ErrorEvent::Panic; }))
        for (const char* name : Panics)
            if (uint64_t address = n_.image.symbol(name)) n_.panics[n_.toRun(address)] = name;
    n_.hasChanges = true;
}

bool callsTraces(const Native& n) {
    constexpr const char* Calls[] = {"sx_trace_raise_error", "sx_trace_push", "sx_trace_link", "sx_trace_absorb",
                                     "sx_trace_capture_at"};
    if (!n.image.symbol("sx_trace_layout")) return false;
    for (const char* name : Calls)
        if (n.image.symbol(name) != 0) return true;
    for (size_t i = 0; i < n.program.module.functions.size(); ++i) {
        bool hasErrors = llvm::any_of(n.program.module.functions[i]->errorEvents,
                                      [](auto& e) { return e.kind != ir::ErrorEventKind::Unhandled; });
        if (hasErrors && !n.image.startsOf(ir::FuncId(i)).empty()) return false;
    }
    return true;
}

/// The optimizer makes one of several places, which then belongs to none of them.
FilterScope NativeEngine::filterScope(ErrorEvent event) const {
    if (event == ErrorEvent::Panic || event == ErrorEvent::Unhandled) return {};
    if (!n_.isTraced) return {"the program was built without traces", ""};
    if (n_.image.isForeign()) return {"the program's sources are not known", ""};
    return {"", n_.image.isOptimized() ? "the program is optimized: some of these places are passed by" : ""};
}

static bool isWanted(Native& n, ErrorEvent event, uint64_t tag) {
    return std::any_of(n.filters.begin(), n.filters.end(), [&](const ErrorFilter& f) {
        bool hasTag = f.tags.empty() || std::find(f.tags.begin(), f.tags.end(), tag) != f.tags.end();
        return f.event == event && hasTag;
    });
}

/// What is marked at the code that reports the error has happened to it before that.
static std::optional<Stop> unhandledStop(Native& n, const ThreadStop& stop) {
    std::optional<Stop> unhandled = errorStopOf(n, stop, ErrorEvent::Unhandled);
    auto pending = llvm::find_if(n.pendingErrors, [&](const PendingError& p) { return p.thread == stop.thread; });
    if (pending == n.pendingErrors.end()) return unhandled;
    ErrorPlace place = pending->place;
    n.pendingErrors.erase(pending);
    std::optional<Stop> earlier = errorStopAt(n, stop, place);
    if (!earlier) return unhandled;
    if (unhandled) n.waiting.push_front(std::move(*unhandled));
    return earlier;
}

std::optional<Stop> errorStopBefore(Native& n, const ThreadStop& stop) {
    for (size_t i = 0; i < n.pendingErrors.size(); ++i) {
        PendingError pending = n.pendingErrors[i];
        const StackFrame* top = n.stack.frame(stop.thread, 0);
        if (pending.thread != stop.thread || pending.address != stop.pc || !top || top->cfa != pending.cfa) continue;
        n.pendingErrors.erase(n.pendingErrors.begin() + i);
        std::optional<Stop> made = errorStopAt(n, stop, pending.place);
        if (made) n.stack.showAt({.afterCall = stop.thread});
        return made;
    }
    return std::nullopt;
}

/// The C `main`, which reports an error that has left the program's, has no positions.
std::optional<Stop> errorStop(Native& n, const ThreadStop& stop) {
    if (stop.pc == n.unhandled && n.unhandled != 0) return unhandledStop(n, stop);
    auto found = n.errorPlaces.find(stop.pc);
    if (found == n.errorPlaces.end()) return std::nullopt;
    const ErrorPlace& place = found->second;
    const ir::Function& fn = n.program.module.fn(place.func);
    if (!ir::isMarkedBefore(fn, fn.errorEvents[place.event])) return errorStopAt(n, stop, place);
    std::optional<uint64_t> after = behindMark(n, stop.pc);
    const StackFrame* top = n.stack.frame(stop.thread, 0);
    if (after && top) n.pendingErrors.push_back({place, stop.thread, *after, top->cfa});
    return std::nullopt;
}

/// The address that is come to next once the code of the mark that begins at `pc` has run: where its last call comes
/// back, or where a jump leads away, or its end. Nothing: the mark is not known.
static std::optional<uint64_t> behindMark(Native& n, uint64_t pc) {
    const ImageRow* next = n.image.rowAfter(n.toFile(pc));
    if (!next) return std::nullopt;
    uint64_t end = n.toRun(next->address);
    std::optional<uint64_t> afterCall, jump;
    for (const TargetInstruction& i : n.target->disassemble(pc, static_cast<uint32_t>(end - pc))) {
        if (i.address >= end) break;
        if (llvm::StringRef(i.mnemonic).starts_with("call")) afterCall = i.address + i.bytes.size();
        else if (!jump && llvm::StringRef(i.mnemonic).starts_with("jmp")) jump = i.address;
    }
    if (afterCall) return afterCall;
    return jump.value_or(end);
}

static std::optional<Stop> errorStopAt(Native& n, const ThreadStop& stop, const ErrorPlace& place) {
    return errorStopOf(n, stop, eventOf(n.program.module.fn(place.func).errorEvents[place.event].kind));
}

static std::optional<Stop> errorStopOf(Native& n, const ThreadStop& stop, ErrorEvent event) {
    uint64_t tag = tagInFlight(n, stop.thread);
    if (event == ErrorEvent::Unhandled) // an argument of the function that reports it
        tag = n.target->readRegister(stop.thread, 0, "rdi").value_or(tag) & UINT32_MAX;
    if (!isWanted(n, event, tag)) return std::nullopt;
    Stop made = makeStop(n, Stop::Reason::Error, stop.thread);
    made.event = event;
    made.tag = tag;
    return made;
}

// ---- traces

/// Where the thread's trace is: an instruction of the runtime says how far from the thread pointer.
static uint64_t traceState(Native& n, SystemThread thread) {
    uint64_t instruction = n.image.symbol("sx_trace_state_offset");
    std::optional<uint64_t> pointer = n.target->readRegister(thread, 0, "fs_base");
    if (instruction == 0 || !pointer) return 0;
    instruction = n.toRun(instruction);
    std::optional<uint64_t> code = n.memory.word(instruction);
    if (!code) return 0;
    auto operand = static_cast<int64_t>(static_cast<int32_t>(*code >> 24));
    switch (*code & 0xffffff) {
    case 0xc0c748: return *pointer + static_cast<uint64_t>(operand);
    case 0x058b48: return *pointer + n.memory.word(instruction + 7 + static_cast<uint64_t>(operand)).value_or(0);
    default: return 0;
    }
}

/// A thread's state has its notes elsewhere than an sx_trace_state has them.
TraceSource NativeEngine::trace(ThreadId id) {
    TraceSource source;
    if (isParked(n_, id)) return source; // what was in flight there lies on its stack
    Result<SystemThread> thread = systemThread(n_, id);
    uint64_t layout = n_.image.symbol("sx_trace_layout"), state = thread && n_.target ? traceState(n_, *thread) : 0;
    if (layout == 0 || state == 0) return source;
    std::optional<uint64_t> frames = n_.memory.word(n_.toRun(layout) + Layout::Frames, 4),
                            notes = n_.memory.word(n_.toRun(layout) + Layout::Notes, 4);
    std::vector<uint8_t> bytes(sizeof(sx_trace_state));
    llvm::MutableArrayRef<uint8_t> all(bytes);
    size_t trace = offsetof(sx_trace_state, notes);
    if (frames && notes && n_.memory.read(state + *frames, all.take_front(trace)) == trace &&
        n_.memory.read(state + *notes, all.drop_front(trace)) == bytes.size() - trace)
        source.state = std::move(bytes);
    return source;
}

/// The error of the newest chain.
static uint64_t tagInFlight(Native& n, SystemThread thread) {
    uint64_t layout = n.image.symbol("sx_trace_layout"), state = traceState(n, thread);
    if (layout == 0 || state == 0) return 0;
    layout = n.toRun(layout);
    uint64_t slots = n.memory.word(layout + Layout::ChainSlots, 4).value_or(0);
    uint64_t stackAt = n.memory.word(layout + Layout::Stack, 4).value_or(0);
    uint64_t errorsAt = n.memory.word(layout + Layout::Errors, 4).value_or(0);
    uint64_t stack = n.memory.word(state + stackAt).value_or(0);
    uint64_t count = std::min<uint64_t>((stack >> 24) & 15, slots);
    if (count == 0) return 0;
    uint64_t chain = count - 1, slot = ((stack >> 3 * chain) ^ chain) & 7;
    return n.memory.word(state + errorsAt + 8 * slot).value_or(0);
}

// ---- panics

static std::string textAt(Native& n, uint64_t address, uint64_t length) {
    std::vector<uint8_t> bytes(std::min<uint64_t>(length, 4096));
    bytes.resize(n.memory.read(address, bytes));
    return {bytes.begin(), bytes.end()};
}

/// As the function will print it (runtime/program/panic.c), without the place.
static std::string panicText(Native& n, const ThreadStop& stop, const std::string& function) {
    auto argument = [&](const char* name) { return n.target->readRegister(stop.thread, 0, name).value_or(0); };
    auto number = [&](const char* name) { return std::to_string(static_cast<int64_t>(argument(name))); };
    if (function == "sx_panic_null") return "null pointer";
    if (function == "sx_panic_index") return "index " + number("rsi") + " out of range for length " + number("rdx");
    if (function == "sx_panic_slice")
        return "slice " + number("rsi") + ".." + number("rdx") + " out of range for length " + number("rcx");
    return textAt(n, argument("rsi"), argument("rdx"));
}

/// One of the innermost `most` frames of a thread is like this.
static bool anyFrame(Native& n, SystemThread thread, uint32_t most, llvm::function_ref<bool(const StackFrame&)> isIt) {
    for (uint32_t i = 0; i < most; ++i) {
        const StackFrame* f = n.stack.frame(thread, i);
        if (!f) return false;
        if (isIt(*f)) return true;
    }
    return false;
}

/// A function of the runtime that ends the program with a panic.
static bool isOfPanic(const StackFrame& f) { return f.isHidden && f.frame.name.starts_with("sx_panic"); }

/// The runtime says what a signal was for which the program has stopped already.
static bool isReportOfFault(Native& n, const ThreadStop& stop) {
    constexpr uint32_t Most = 4;
    auto isHandler = [](const StackFrame& f) { return f.frame.name == "sxi_on_fault"; };
    return !n.endingSignals.empty() && anyFrame(n, stop.thread, Most, isHandler);
}

std::optional<Stop> panicStop(Native& n, const ThreadStop& stop) {
    auto panic = n.panics.find(stop.pc);
    if (panic == n.panics.end()) return std::nullopt;
    // One of these functions calls another.
    const StackFrame* caller = n.stack.frame(stop.thread, 1);
    if (caller && isOfPanic(*caller)) return std::nullopt;
    if (isReportOfFault(n, stop)) return std::nullopt;
    Stop made = makeStop(n, Stop::Reason::Error, stop.thread);
    made.event = ErrorEvent::Panic;
    made.text = panicText(n, stop, panic->second);
    n.endingSignals = {SIGABRT};
    return made;
}

bool isPanicking(Native& n, SystemThread thread) {
    constexpr uint32_t Most = 12; ///< frames of C between
    return anyFrame(n, thread, Most, isOfPanic);
}

/// What the program has noted of its end (sx_debug_panic in runtime/program/panic.h).
std::optional<Stop> panicOfCore(Native& n, const ThreadStop& stop) {
    constexpr const char* Note = "sx_debug_panic";
    uint64_t symbol = n.image.symbol(Note), at = symbol != 0 ? n.toRun(symbol) : n.target->symbolAddress(Note);
    auto word = [&](unsigned index) { return at == 0 ? 0 : n.memory.word(at + 8 * index).value_or(0); };
    uint64_t text = word(0), length = word(1), signal = word(2), address = word(3);
    if (text == 0) return std::nullopt;
    Stop made = makeStop(n, signal != 0 ? Stop::Reason::Signal : Stop::Reason::Error, stop.thread);
    made.event = ErrorEvent::Panic;
    made.text = textAt(n, text, length);
    made.signal = static_cast<int>(signal);
    made.address = address;
    if (made.text == StackOverflow) n.stack.setOverflowed(stop.thread);
    return made;
}

/// The system keeps a gap of this size free below a stack.
bool isStackOverflow(Native& n, const ThreadStop& stop) {
    constexpr uint64_t Gap = 1 << 20, Page = 4096;
    if (stop.signal != SIGSEGV || !stop.faultAddress || n.image.symbol("sx_stack_overflow") == 0) return false;
    uint64_t sp = n.target->readRegister(stop.thread, 0, "rsp").value_or(0);
    return sp > Gap && *stop.faultAddress > sp - Gap && *stop.faultAddress < sp + Page;
}

std::optional<Stop> panicAtOverflow(Native& n, const ThreadStop& stop) {
    n.endingSignals = {SIGSEGV, SIGABRT};
    if (n.panics.empty()) return std::nullopt;
    n.stack.setOverflowed(stop.thread);
    Stop made = makeStop(n, Stop::Reason::Error, stop.thread);
    made.event = ErrorEvent::Panic;
    made.text = StackOverflow;
    return made;
}

} // namespace sx::debugger::native
