#include "debugger/native/engine/InMemory.h"

#include "debugger/native/engine/AnnouncedCode.h"

#include <poll.h>

namespace sx::debugger::native {

namespace {

/// The next thing that the program does; null: `goesOn`, asked in between, says that nobody waits any more.
std::optional<TargetEvent> awaitEvent(Native& n, const std::function<bool()>& goesOn) {
    constexpr int BetweenQuestions = 100; // milliseconds
    for (;;) {
        if (std::optional<TargetEvent> event = n.target->nextEvent()) return event;
        if (goesOn && !goesOn()) return std::nullopt;
        pollfd p{n.target->eventDescriptor(), POLLIN, 0};
        ::poll(&p, 1, BetweenQuestions);
    }
}

} // namespace

Result<void> runTo(Native& n, uint64_t address, const std::function<bool()>& goesOn) {
    std::optional<TargetEvent> event;
    n.target->addBreakpoints({address});
    bool runs = n.target->resume().empty();
    if (runs) event = awaitEvent(n, goesOn);
    if (runs && !event) return Failure{Cancelled};
    n.target->removeBreakpoints({address});
    if (event && event->kind != TargetEvent::Kind::Stopped) n.earlyEnd = std::move(event);
    return {};
}

namespace {

/// The runtime is a part of the compiler.
void addSymbolsOfRuntime(Native& n) {
    for (const char* name : {"sx_trace_layout", "sx_trace_state_offset", "sx_trace_report_unhandled",
                             "sx_panic_message", "sx_panic_in", "sx_panic_null", "sx_panic_index", "sx_panic_slice",
                             "sx_heap_registry", "sx_debug_fibers", "sx_stack_overflow"})
        if (uint64_t address = n.target->symbolAddress(name)) n.image.addSymbol(name, address);
}

} // namespace

Result<void> awaitCode(Native& n, const std::function<bool()>& goesOn) {
    uint64_t announcement = n.target->symbolAddress(Announcement);
    if (announcement == 0) return Failure{"the compiler does not announce the code that it makes"};
    n.target->addBreakpoints({announcement});
    while (!n.image.hasStatements()) {
        if (std::string problem = n.target->resume(); !problem.empty()) return Failure{problem};
        std::optional<TargetEvent> event = awaitEvent(n, goesOn);
        if (!event) return Failure{Cancelled};
        if (event->kind != TargetEvent::Kind::Stopped)
            return Failure{"the compiler has ended before the program began"};
        for (const ThreadStop& stop : event->stops) {
            if (stop.pc != announcement) continue;
            if (Result<void> read = n.image.readObject(announcedObject(n)); !read) return read;
        }
    }
    n.target->removeBreakpoints({announcement});
    addSymbolsOfRuntime(n);
    return {};
}

} // namespace sx::debugger::native
