// The fibers of the program, for more than one request.
#pragma once

#include "debugger/inspect/Fibers.h"
#include "debugger/session/Session.h"

namespace sx::debugger {

/// The fibers as they are now; none while the program runs.
std::shared_ptr<const FiberList> fibersOf(Session&);

/// What to tell who wants a step of a fiber that has not begun; nothing of any other thread.
std::optional<std::string> whyNoStep(Session&, ThreadId);

/// The stack of somebody who waits for what stands before it in the list.
struct AwaitingStack {
    ThreadId thread = 0;
    std::string name;    ///< `fiber 3: fetch`, `main`
    std::string awaited; ///< what it waits for, `fiber 4: load`; "": nothing
    std::vector<Frame> frames;
};
/// Who waits for a fiber, who waits for that, and so on; the fiber itself is left out. Frames beyond 1,000 are, too.
std::vector<AwaitingStack> awaitingStacks(Session&, ThreadId);

/// The error return trace of a thread, also of one that stands still while another runs in its place.
TraceSource traceSourceOf(Session&, ThreadId);

} // namespace sx::debugger
