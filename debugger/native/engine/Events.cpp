// What the program did, and whether that is a stop.
#include "debugger/native/engine/Events.h"

#include "debugger/engine/Signals.h"
#include "debugger/native/engine/AnnouncedCode.h"
#include "debugger/native/engine/Errors.h"
#include "debugger/native/engine/FilteredHits.h"
#include "debugger/native/engine/HeldWrites.h"
#include "debugger/native/engine/LoadedCode.h"
#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/engine/Running.h"
#include "debugger/native/engine/Step.h"
#include "debugger/native/engine/WatchTurns.h"
#include "debugger/native/engine/Watches.h"
#include "ir/CodeMarks.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace sx::debugger::native {

static void handleStop(Native& n, const TargetEvent& event);
static ThreadId numberOf(Native& n, SystemThread thread);
static std::optional<Stop> decideSignal(Native& n, const ThreadStop& stop);
static std::optional<Stop> decideBreakpoint(Native& n, const ThreadStop& stop);

static void notify(Native& n) {
    uint64_t one = 1;
    [[maybe_unused]] ssize_t written = write(n.ownEvents, &one, sizeof one);
}

void post(Native& n, Event event) {
    n.events.push_back(std::move(event));
    notify(n);
}

void postStop(Native& n, WaitingStop waiting) {
    if (waiting.place) n.stack.showAt(*waiting.place);
    postStop(n, std::move(waiting.stop));
}

void postStop(Native& n, Stop stop) {
    n.state = RunState::Stopped;
    n.lastStop = stop;
    if (stop.reason == Stop::Reason::Pause) n.pauseWanted = false; // others may be ignored
    Event event;
    event.kind = Event::Kind::Stopped;
    event.thread = stop.thread;
    event.stop = std::move(stop);
    post(n, std::move(event));
}

std::vector<Event> NativeEngine::poll() {
    if (n_.target)
        while (std::optional<TargetEvent> event = n_.target->nextEvent())
            if (n_.state != RunState::Ended) handle(n_, *event);
    if (n_.target) endLongTurn(n_);
    uint64_t count = 0;
    [[maybe_unused]] ssize_t taken = read(n_.ownEvents, &count, sizeof count);
    return std::exchange(n_.events, {});
}

void handle(Native& n, const TargetEvent& event) {
    if (event.kind == TargetEvent::Kind::Hit) return handleHit(n, event);
    forgetHit(n);
    if (event.kind == TargetEvent::Kind::Stopped) return handleStop(n, event);
    if (n.state == RunState::Ended) return;
    n.state = RunState::Ended;
    for (auto& [thread, id] : n.threadIds) {
        Event ended;
        ended.kind = Event::Kind::ThreadEnded;
        ended.thread = id;
        post(n, std::move(ended));
    }
    n.threadIds.clear();
    Event exited;
    exited.kind = Event::Kind::Exited;
    exited.code = event.kind == TargetEvent::Kind::Exited ? event.status : 128 + SIGKILL;
    post(n, std::move(exited));
}

static uint64_t innermostCfa(Native& n, SystemThread thread) {
    const StackFrame* top = n.stack.frame(thread, 0);
    return top ? top->cfa : 0;
}

/// The stop is for a breakpoint that the thread has stopped for before a signal's handler has come between. Notes where
/// it stops.
static bool comesBack(Native& n, const ThreadStop& stop) {
    const bool isBreak = stop.kind == ThreadStop::Kind::Breakpoint;
    if (isBreak && !n.stepsInstruction && !n.interrupted.empty()) {
        auto isThis = [&, cfa = innermostCfa(n, stop.thread)](const InterruptedPlace& p) {
            return p.thread == stop.thread && p.pc == stop.pc && p.cfa == cfa;
        };
        if (std::erase_if(n.interrupted, isThis) != 0) return true;
    }
    auto last = n.lastBreaks.find(stop.thread);
    if (isBreak) n.lastBreaks[stop.thread] = stop.pc;
    else if (last != n.lastBreaks.end() && last->second != stop.pc) n.lastBreaks.erase(last);
    return false;
}

/// A signal that the program handles has come to the thread.
static void interrupt(Native& n, const ThreadStop& stop) {
    auto last = n.lastBreaks.find(stop.thread);
    if (last == n.lastBreaks.end() || last->second != stop.pc || stop.isPast) return;
    n.lastBreaks.erase(last);
    n.interrupted.push_back({stop.thread, stop.pc, innermostCfa(n, stop.thread)});
}

/// Several threads may have a reason at once: one is told, the others when the user goes on.
static void handleStop(Native& n, const TargetEvent& event) {
    n.state = RunState::Stopped;
    n.memory.forget();
    n.stack.forget();
    n.variables.clear();
    forgetFibers(n);
    updateThreads(n);
    n.endingThread = 0;
    bool isTurn = n.stepsForWatches();
    std::vector<ThreadStop> reasons = isTurn ? ofTurn(n, event.stops) : event.stops;
    const Stack::Place arrived = n.stack.place();
    std::vector<WaitingStop> stops;
    for (const ThreadStop& stop : reasons) {
        if (comesBack(n, stop)) {
            comeBack(n, stop);
            continue;
        }
        const size_t had = n.waiting.size();
        std::optional<Stop> decided = decide(n, stop);
        if (!decided) continue;
        stops.emplace_back(std::move(*decided), n.stack.place());
        for (; n.waiting.size() > had; n.waiting.pop_front()) stops.push_back(std::move(n.waiting.front()));
    }
    WatchedBytes before = watchedBytes(n);
    std::vector<Stop> written = isTurn ? endTurn(n, reasons) : writtenByHits(n, reasons);
    bool isDisturbed = !stops.empty();
    for (Stop& inCall : writtenInCalls(n, reasons)) {
        before[inCall.breakpoints.front()] = inCall.before;
        isDisturbed |= inCall.breakpoints.size() != 1; // what the others held is not known
        written.push_back(std::move(inCall));
    }
    Stack::Place atWrite = arrived; // at the first of the statements that begin there
    holdWrites(n, reasons, isDisturbed, before, written, atWrite);
    // A signal happens when the program goes on.
    std::stable_partition(stops.begin(), stops.end(),
                          [](const WaitingStop& waiting) { return waiting.stop.reason != Stop::Reason::Signal; });
    std::vector<WaitingStop> writes;
    for (Stop& stop : written) writes.emplace_back(std::move(stop), atWrite);
    stops.insert(stops.begin(), writes.begin(), writes.end());
    if (std::function<void()> action = std::exchange(n.whenStill, nullptr)) action();
    bool isChanged = hasAnnounced(n, event.stops);
    isChanged |= hasLoadedCode(n, event.stops);
    if (isChanged) n.filtered.clear();
    if (isChanged) stops.insert(stops.begin(), makeStop(n, Stop::Reason::Loaded, 0));
    if (stops.empty() && n.pauseWanted)
        stops.push_back(makeStop(n, Stop::Reason::Pause, n.threadIds.empty() ? 0 : n.threadIds.begin()->first));
    if (stops.empty() && n.runsByCommand)
        for (const ThreadStop& stop : event.stops)
            if (stop.kind == ThreadStop::Kind::SingleStep)
                stops.push_back(makeStop(n, Stop::Reason::Step, stop.thread));
    if (stops.empty()) {
        (void)go(n);
        return;
    }
    // Who goes on as if this had not been goes on with the step.
    n.ignoredStep = std::exchange(n.step, std::nullopt);
    n.stepsInstruction = false;
    for (size_t i = 1; i < stops.size(); ++i) n.waiting.push_back(stops[i]);
    postStop(n, stops.front());
}

Stop makeStop(Native& n, Stop::Reason reason, SystemThread thread) {
    Stop stop;
    stop.reason = reason;
    stop.thread = threadId(n, thread);
    return stop;
}

// ---- threads

ThreadId threadId(Native& n, SystemThread thread) {
    const FiberRecord* fiber = runningFiber(n, thread);
    return fiber ? n.fibers.ids.of(fiber->number) : numberOf(n, thread);
}

static ThreadId numberOf(Native& n, SystemThread thread) {
    auto [at, isNew] = n.threadIds.try_emplace(thread, n.lastThreadId + 1);
    if (isNew) ++n.lastThreadId;
    return at->second;
}

void updateThreads(Native& n) {
    std::set<SystemThread> living;
    for (const TargetThread& thread : n.target->threads()) {
        living.insert(thread.thread);
        if (n.threadIds.count(thread.thread) != 0) continue;
        Event started;
        started.kind = Event::Kind::ThreadStarted;
        started.thread = numberOf(n, thread.thread);
        post(n, std::move(started));
    }
    for (auto at = n.threadIds.begin(); at != n.threadIds.end();) {
        if (living.count(at->first) != 0) {
            ++at;
            continue;
        }
        Event ended;
        ended.kind = Event::Kind::ThreadEnded;
        ended.thread = at->second;
        post(n, std::move(ended));
        n.lastBreaks.erase(at->first);
        std::erase_if(n.interrupted, [&](const InterruptedPlace& p) { return p.thread == at->first; });
        at = n.threadIds.erase(at);
    }
}

// ---- reasons

std::optional<Stop> decide(Native& n, const ThreadStop& stop) {
    switch (stop.kind) {
    case ThreadStop::Kind::Signal: return decideSignal(n, stop);
    case ThreadStop::Kind::Breakpoint:
    case ThreadStop::Kind::SingleStep:
    case ThreadStop::Kind::Watchpoint: { // lldb would pass over a breakpoint where the thread stands after a write
        endWatchesAt(n, stop);
        const size_t before = n.waiting.size();
        std::optional<Stop> here = decideBreakpoint(n, stop);
        if (!n.stepsInstruction || !n.step || n.step->thread != stop.thread) return here;
        Stop end = makeStop(n, Stop::Reason::Step, stop.thread);
        if (!here) return end;
        n.waiting.insert(n.waiting.begin() + static_cast<std::ptrdiff_t>(n.waiting.size() - before), std::move(end));
        return here;
    }
    case ThreadStop::Kind::Other: return makeStop(n, Stop::Reason::Pause, stop.thread);
    }
    return std::nullopt;
}

/// An `abort` has no sender, and a fault is the code's own. What the debugger passes on from a terminal has come from
/// there.
static Stop::Sender senderOf(const Native& n, const ThreadStop& stop) {
    bool isOwn = stop.sender == static_cast<int>(n.target->processId());
    bool isAbort = stop.signal == SIGABRT && stop.isByThread && isOwn;
    if (!stop.hasOrigin || isAbort) return Stop::Sender::None;
    if (stop.isSent && stop.sender == getpid()) return Stop::Sender::System;
    if (stop.isSent) return isOwn ? Stop::Sender::Itself : Stop::Sender::Other;
    return endsFromOutside(stop.signal) ? Stop::Sender::System : Stop::Sender::None;
}

/// Somebody has sent what else says that the program is broken, and the program sees to it. Where that is the runtime,
/// it sends the signal again, for which nobody is there then (runtime/program/fault.c).
static bool isForHandler(const Native& n, const ThreadStop& stop) {
    bool isAbort = stop.signal == SIGABRT && stop.isByThread && stop.sender == static_cast<int>(n.target->processId());
    return stop.isSent && !isAbort;
}

/// SIGSTOP is how lldb interrupts; SIGINT is how a person does, where the program does not see to it.
static std::optional<Stop> decideSignal(Native& n, const ThreadStop& stop) {
    if (stop.signal == SIGSTOP && !n.pauseWanted) return std::nullopt;
    const SignalSets sets = signalSetsOf(n.target->processId());
    bool isHandled = contains(sets.expected, stop.signal);
    bool isOwn = stop.isSent && stop.sender == n.target->processId();
    bool isInterrupt = stop.signal == SIGINT && !isOwn && !isHandled;
    if (isInterrupt || stop.signal == SIGSTOP) return makeStop(n, Stop::Reason::Pause, stop.thread);
    if (!isHandled) n.endingThread = stop.thread;
    if (n.endingSignals.count(stop.signal) != 0) return std::nullopt;
    if (n.isTerminating && stop.signal == SIGTERM) return std::nullopt;
    if (stop.signal == SIGABRT && isPanicking(n, stop.thread)) {
        if (!n.isCore) return std::nullopt; // it has been told
        if (std::optional<Stop> panic = panicOfCore(n, stop)) return panic;
    }
    if (isStackOverflow(n, stop)) return panicAtOverflow(n, stop);
    if (isHandled && (!saysBroken(stop.signal) || isForHandler(n, stop))) {
        if (!contains(sets.ignored, stop.signal)) interrupt(n, stop);
        return std::nullopt;
    }
    n.endingSignals = {stop.signal, SIGABRT};
    Stop made = makeStop(n, Stop::Reason::Signal, stop.thread);
    made.signal = stop.signal;
    made.text = stop.text.starts_with("signal ") ? stop.text.substr(7) : stop.text;
    made.sender = senderOf(n, stop);
    made.address = stop.faultAddress.value_or(UINT64_MAX);
    return made;
}

static std::optional<Stop> decideBreakpoint(Native& n, const ThreadStop& stop) {
    if (std::optional<Stop> panic = panicStop(n, stop)) return panic;
    const Stack::Place before = n.stack.place();
    std::vector<WaitingStop> all;
    auto add = [&](std::optional<Stop> made) {
        if (made) all.emplace_back(std::move(*made), n.stack.place());
        n.stack.showAt(before);
    };
    bool isOfStep = n.step && n.step->thread == stop.thread && !n.stepsInstruction;
    bool endsStep = isOfStep && stepEnds(n, stop.pc);
    const Stack::Place atEnd = n.stack.place();
    n.stack.showAt(before);
    add(errorStopBefore(n, stop));
    add(errorStop(n, stop));
    const size_t events = all.size();
    add(userBreakpoint(n, stop));
    if (endsStep) { // behind others: of who does not want to stop for them
        bool isFirst = all.size() > events && beginsEarlier(n, stop, atEnd, *all.back().place);
        auto reason = std::exchange(n.stopsAtEntry, false) ? Stop::Reason::Entry : Stop::Reason::Step;
        all.emplace(isFirst ? all.end() - 1 : all.end(), makeStop(n, reason, stop.thread), atEnd);
    }
    if (all.empty()) return std::nullopt;
    n.stack.showAt(*all.front().place);
    n.waiting.insert(n.waiting.begin(), all.begin() + 1, all.end());
    return std::move(all.front().stop);
}

bool beginsEarlier(const Native& n, const ThreadStop& stop, const Stack::Place& one, const Stack::Place& other) {
    if (one.afterCall == stop.thread) return true;
    llvm::ArrayRef<uint32_t> here = n.image.statementsAt(n.toFile(stop.pc));
    auto positionOf = [&](const Stack::Place& place) {
        return place.statementThread == stop.thread ? llvm::find(here, place.statement) : here.begin();
    };
    return positionOf(one) < positionOf(other);
}

/// Of the statements that begin here the first that has breakpoints, of those that come after one.
std::optional<Stop> userBreakpoint(Native& n, const ThreadStop& stop, std::optional<uint32_t> after) {
    auto places = n.places.find(stop.pc);
    if (places == n.places.end()) return std::nullopt;
    uint32_t statement = ir::CodeMarks::None;
    for (auto& [id, at] : places->second)
        if (!after || (at > *after && at != ir::CodeMarks::None)) statement = std::min(statement, at);
    if (after && statement == ir::CodeMarks::None) return std::nullopt;
    Stop made = makeStop(n, Stop::Reason::Breakpoint, stop.thread);
    for (auto& [id, at] : places->second)
        if (at == statement || (at == ir::CodeMarks::None && !after)) made.breakpoints.push_back(id);
    if (statement != ir::CodeMarks::None) n.stack.setStatement(stop.thread, statement);
    return made;
}

std::optional<WaitingStop> nextBreakpoint(Native& n, SystemThread thread) {
    const StackFrame* top = n.stack.frame(thread, 0);
    std::optional<uint32_t> at = currentStatement(n, thread);
    const Stack::Place before = n.stack.place();
    if (!top || (!at && before.afterCall != thread)) return std::nullopt;
    ThreadStop here;
    here.kind = ThreadStop::Kind::Breakpoint;
    here.thread = thread;
    here.pc = top->frame.pc;
    n.stack.setAfterCall(0);
    std::optional<Stop> made = userBreakpoint(n, here, at);
    const Stack::Place place = n.stack.place();
    n.stack.showAt(before);
    return made ? std::optional<WaitingStop>({std::move(*made), place}) : std::nullopt;
}

} // namespace sx::debugger::native
