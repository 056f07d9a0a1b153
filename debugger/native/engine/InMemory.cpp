#include "debugger/native/engine/InMemory.h"

#include "debugger/native/engine/AnnouncedCode.h"

#include <poll.h>

namespace sx::debugger::native {

namespace {

/// The next thing that the program does.
TargetEvent awaitEvent(Native& n) {
    for (;;) {
        if (std::optional<TargetEvent> event = n.target->nextEvent()) return *event;
        pollfd p{n.target->eventDescriptor(), POLLIN, 0};
        ::poll(&p, 1, 1000);
    }
}

} // namespace

std::optional<TargetEvent> runTo(Native& n, uint64_t address) {
    std::optional<TargetEvent> end;
    n.target->addBreakpoints({address});
    if (n.target->resume().empty())
        if (TargetEvent event = awaitEvent(n); event.kind != TargetEvent::Kind::Stopped) end = std::move(event);
    n.target->removeBreakpoints({address});
    return end;
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

Result<void> awaitCode(Native& n) {
    uint64_t announcement = n.target->symbolAddress(Announcement);
    if (announcement == 0) return Failure{"the compiler does not announce the code that it makes"};
    n.target->addBreakpoints({announcement});
    while (!n.image.hasStatements()) {
        if (std::string problem = n.target->resume(); !problem.empty()) return Failure{problem};
        TargetEvent event = awaitEvent(n);
        if (event.kind != TargetEvent::Kind::Stopped) return Failure{"the compiler has ended before the program began"};
        for (const ThreadStop& stop : event.stops) {
            if (stop.pc != announcement) continue;
            if (Result<void> read = n.image.readObject(announcedObject(n)); !read) return read;
        }
    }
    n.target->removeBreakpoints({announcement});
    addSymbolsOfRuntime(n);
    return {};
}

} // namespace sx::debugger::native
