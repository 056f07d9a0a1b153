#include "debugger/native/engine/Running.h"

#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/FilteredHits.h"
#include "debugger/native/engine/LoadedCode.h"
#include "debugger/native/engine/Step.h"
#include "debugger/native/engine/WatchTurns.h"

#include <algorithm>
#include <chrono>
#include <poll.h>
#include <utility>

namespace sx::debugger::native {

/// What was known of where the program stands is stale.
static void forgetStop(Native& n) {
    forgetFibers(n);
    n.memory.forget();
    n.stack.forget();
    n.variables.clear();
    n.stack.forgetPlace();
    n.state = RunState::Running;
}

void goneOn(Native& n) {
    forgetStop(n);
    n.step.reset();
    n.ignoredStep.reset();
    n.waiting.clear();
    n.returned.reset();
    n.stepsInstruction = false;
    n.runsByCommand = true;
    Event event;
    event.kind = Event::Kind::Continued;
    post(n, std::move(event));
}

/// A signal ends all threads at once. Were others to run until then, lldb would take what they come to for a stop of a
/// program that is gone.
static std::string end(Native& n) {
    std::vector<SystemThread> others;
    for (auto& [thread, id] : n.threadIds)
        if (thread != n.endingThread) others.push_back(thread);
    return n.target->resume(others);
}

Result<void> go(Native& n) {
    if (n.isCore) return Failure{"a core file does not run"};
    giveBack(n);
    syncBreakpoints(n);
    forgetStop(n);
    n.runsByCommand = false;
    bool single = n.stepsInstruction && n.step;
    std::string problem = n.endingThread != 0   ? end(n)
                          : n.stepsForWatches() ? takeTurn(n, n.held   ? n.held->thread
                                                              : single ? n.step->thread
                                                                       : 0)
                          : n.held              ? n.target->stepInstruction(n.held->thread)
                          : single              ? n.target->stepInstruction(n.step->thread)
                                                : n.target->resume({}, filteredPlaces(n));
    return problem.empty() ? Result<void>() : Failure{problem};
}

Result<void> whileStill(Native& n, const std::function<void()>& action) {
    constexpr std::chrono::seconds Patience{2};
    if (n.state != RunState::Running) {
        action();
        return {};
    }
    if (std::string problem = n.target->interrupt(); !problem.empty()) return Failure{problem};
    n.whenStill = action;
    auto end = std::chrono::steady_clock::now() + Patience;
    while (n.whenStill && n.state != RunState::Ended) {
        auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        pollfd readable{n.target->eventDescriptor(), POLLIN, 0};
        if (rest.count() <= 0) break;
        if (poll(&readable, 1, static_cast<int>(rest.count())) <= 0) continue;
        if (std::optional<TargetEvent> event = n.target->nextEvent()) handle(n, *event);
    }
    if (!std::exchange(n.whenStill, nullptr)) return {};
    return Failure{n.state == RunState::Ended ? "the program has ended" : "the program does not stop"};
}

bool tellsWaiting(Native& n) {
    if (n.waiting.empty()) return false;
    WaitingStop next = std::move(n.waiting.front());
    n.waiting.pop_front();
    postStop(n, std::move(next));
    return true;
}

bool tellsAnother(Native& n) {
    Result<SystemThread> last = systemThread(n, n.lastStop.thread);
    bool hasMore = !n.waiting.empty() && n.waiting.front().stop.thread == n.lastStop.thread;
    std::optional<WaitingStop> next = last && !hasMore ? nextBreakpoint(n, *last) : std::nullopt;
    if (!next) return tellsWaiting(n);
    postStop(n, std::move(*next));
    return true;
}

void dropSeen(Native& n) {
    std::erase_if(n.waiting, [](const WaitingStop& waiting) {
        return waiting.stop.reason == Stop::Reason::Step || waiting.stop.reason == Stop::Reason::Entry;
    });
}

/// Gives lldb the difference between what is wanted and what it has. Those of a step stay until the program goes on
/// without one: steps in one function have the same.
void syncBreakpoints(Native& n) {
    std::set<uint64_t> wanted;
    for (auto& [address, ids] : n.places) wanted.insert(address);
    for (auto& [address, place] : n.errorPlaces) wanted.insert(address);
    for (const PendingError& pending : n.pendingErrors) wanted.insert(pending.address);
    for (const PendingWrite& pending : n.pendingWrites) wanted.insert(pending.address);
    for (auto& [address, name] : n.panics) wanted.insert(address);
    if (n.announcement != 0) wanted.insert(n.announcement);
    if (n.unhandled != 0) wanted.insert(n.unhandled);
    if (n.step && !n.stepsInstruction) {
        if (n.step->backTo == 0) {
            wanted.insert(n.step->starts.begin(), n.step->starts.end());
            wanted.insert(n.step->entries.begin(), n.step->entries.end());
        } else {
            wanted.insert(n.step->backTo);
        }
        if (n.step->returnTo != 0) wanted.insert(n.step->returnTo);
    }
    if (n.stepsForWatches()) addTurnPlaces(n, wanted);
    for (const Watch& watch : n.watches)
        if (watch.returnTo != 0) wanted.insert(watch.returnTo);
    leaveOutUnloaded(n, wanted);
    std::vector<uint64_t> added, removed;
    std::set_difference(wanted.begin(), wanted.end(), n.armed.begin(), n.armed.end(), std::back_inserter(added));
    std::set_difference(n.armed.begin(), n.armed.end(), wanted.begin(), wanted.end(), std::back_inserter(removed));
    n.target->removeBreakpoints(removed);
    n.target->addBreakpoints(added);
    n.armed = std::move(wanted);
    n.hasChanges = false;
}

} // namespace sx::debugger::native
