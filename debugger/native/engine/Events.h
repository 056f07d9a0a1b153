// What the program did, and whether that is a stop.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

/// Takes up what the target tells.
void handle(Native&, const TargetEvent&);
/// Whether a thread has a reason to stop; nothing where the program is to go on.
std::optional<Stop> decide(Native&, const ThreadStop&);
/// Of the statements that begin where a thread stands the first that has breakpoints, of those that come after `after`.
std::optional<Stop> userBreakpoint(Native&, const ThreadStop&, std::optional<uint32_t> after = std::nullopt);
/// The breakpoints of a statement that comes after the one at which a thread is shown, and begins where it stands.
std::optional<WaitingStop> nextBreakpoint(Native&, SystemThread);
/// Of two places where a thread is shown without having run in between: `one` comes before `other`.
bool beginsEarlier(const Native&, const ThreadStop&, const Stack::Place& one, const Stack::Place& other);

/// An event for the session.
void post(Native&, Event);
void postStop(Native&, Stop);
void postStop(Native&, WaitingStop);
Stop makeStop(Native&, Stop::Reason, SystemThread);

/// The id of the fiber that runs in a thread, or else of the thread.
ThreadId threadId(Native&, SystemThread);
/// Compares the threads that live with those that are known, and tells the difference.
void updateThreads(Native&);

} // namespace sx::debugger::native
