// What the program did, and whether that is a stop.
#include "debugger/native/engine/NativeEngine.h"

#include "ir/CodeMarks.h"

#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace sx::debugger::native {

void NativeEngine::notify() {
    uint64_t one = 1;
    [[maybe_unused]] ssize_t written = write(ownEvents_, &one, sizeof one);
}

void NativeEngine::post(Event event) {
    events_.push_back(std::move(event));
    notify();
}

void NativeEngine::postStop(Stop stop) {
    state_ = State::Stopped;
    pauseWanted_ = false;
    Event event;
    event.kind = Event::Kind::Stopped;
    event.thread = stop.thread;
    event.stop = std::move(stop);
    post(std::move(event));
}

std::vector<Event> NativeEngine::poll() {
    if (target_)
        while (std::optional<TargetEvent> event = target_->nextEvent())
            if (state_ != State::Ended) handle(*event);
    uint64_t count = 0;
    [[maybe_unused]] ssize_t taken = read(ownEvents_, &count, sizeof count);
    return std::exchange(events_, {});
}

void NativeEngine::handle(const TargetEvent& event) {
    if (event.kind == TargetEvent::Kind::Stopped) return handleStop(event);
    if (state_ == State::Ended) return;
    state_ = State::Ended;
    for (auto& [thread, id] : threadIds_) {
        Event ended;
        ended.kind = Event::Kind::ThreadEnded;
        ended.thread = id;
        post(std::move(ended));
    }
    threadIds_.clear();
    Event exited;
    exited.kind = Event::Kind::Exited;
    exited.code = event.kind == TargetEvent::Kind::Exited ? event.status : 128 + SIGKILL;
    post(std::move(exited));
}

/// Several threads may have a reason at once: one is told, the others when the user goes on.
void NativeEngine::handleStop(const TargetEvent& event) {
    state_ = State::Stopped;
    memory_.forget();
    stack_.forget();
    variables_.clear();
    updateThreads();
    std::vector<Stop> stops;
    for (const ThreadStop& stop : event.stops)
        if (std::optional<Stop> decided = decide(stop)) stops.push_back(std::move(*decided));
    if (stops.empty() && pauseWanted_)
        stops.push_back(makeStop(Stop::Reason::Pause, threadIds_.empty() ? 0 : threadIds_.begin()->first));
    if (stops.empty()) {
        (void)go();
        return;
    }
    // Who goes on as if this had not been goes on with the step.
    ignoredStep_ = std::exchange(step_, std::nullopt);
    stepsInstruction_ = false;
    for (size_t i = 1; i < stops.size(); ++i) waiting_.push_back(stops[i]);
    postStop(stops.front());
}

Stop NativeEngine::makeStop(Stop::Reason reason, SystemThread thread) {
    Stop stop;
    stop.reason = reason;
    stop.thread = threadId(thread);
    return stop;
}

// ---- threads

ThreadId NativeEngine::threadId(SystemThread thread) {
    auto [at, isNew] = threadIds_.try_emplace(thread, lastThreadId_ + 1);
    if (isNew) ++lastThreadId_;
    return at->second;
}

void NativeEngine::updateThreads() {
    std::set<SystemThread> living;
    for (const TargetThread& thread : target_->threads()) {
        living.insert(thread.thread);
        if (threadIds_.count(thread.thread) != 0) continue;
        Event started;
        started.kind = Event::Kind::ThreadStarted;
        started.thread = threadId(thread.thread);
        if (started.thread > 1) post(std::move(started));
    }
    for (auto at = threadIds_.begin(); at != threadIds_.end();) {
        if (living.count(at->first) != 0) {
            ++at;
            continue;
        }
        Event ended;
        ended.kind = Event::Kind::ThreadEnded;
        ended.thread = at->second;
        post(std::move(ended));
        at = threadIds_.erase(at);
    }
}

Result<SystemThread> NativeEngine::systemThread(ThreadId id) const {
    for (auto& [thread, number] : threadIds_)
        if (number == id) return thread;
    return Failure{"there is no such thread"};
}

// ---- reasons

std::optional<Stop> NativeEngine::decide(const ThreadStop& stop) {
    switch (stop.kind) {
    case ThreadStop::Kind::Signal: return decideSignal(stop);
    case ThreadStop::Kind::Breakpoint:
    case ThreadStop::Kind::SingleStep: {
        std::optional<Stop> here = decideBreakpoint(stop);
        if (here || !stepsInstruction_ || !step_ || step_->thread != stop.thread) {
            if (!here && isWatching()) return stepWatched(stop);
            return here;
        }
        return makeStop(Stop::Reason::Step, stop.thread);
    }
    case ThreadStop::Kind::Watchpoint:
    case ThreadStop::Kind::Other: return makeStop(Stop::Reason::Pause, stop.thread);
    }
    return std::nullopt;
}

/// SIGSTOP is how lldb interrupts; SIGINT is how a person does.
std::optional<Stop> NativeEngine::decideSignal(const ThreadStop& stop) {
    if (stop.signal == SIGSTOP && !pauseWanted_) return std::nullopt;
    if (stop.signal == SIGINT || stop.signal == SIGSTOP) return makeStop(Stop::Reason::Pause, stop.thread);
    if (endingSignals_.count(stop.signal) != 0) return std::nullopt;
    endingSignals_ = {stop.signal, SIGABRT};
    Stop made = makeStop(Stop::Reason::Signal, stop.thread);
    made.signal = stop.signal;
    made.text = stop.text.starts_with("signal ") ? stop.text.substr(7) : stop.text;
    if (stop.faultAddress) made.address = *stop.faultAddress;
    return made;
}

std::optional<Stop> NativeEngine::decideBreakpoint(const ThreadStop& stop) {
    if (std::optional<Stop> panic = panicStop(stop)) return panic;
    bool isOfStep = step_ && step_->thread == stop.thread && !stepsInstruction_;
    std::optional<Stop> end;
    if (isOfStep && stepEnds(stop.pc))
        end = makeStop(std::exchange(stopsAtEntry_, false) ? Stop::Reason::Entry : Stop::Reason::Step, stop.thread);
    std::optional<Stop> other = userBreakpoint(stop);
    if (!other) other = errorStop(stop);
    if (!other) return end;
    // Who does not want to stop for this stops for the end of the step.
    if (end) waiting_.push_front(*end);
    return other;
}

/// Of the statements that begin here the first that has breakpoints, of those that come after one.
std::optional<Stop> NativeEngine::userBreakpoint(const ThreadStop& stop, std::optional<uint32_t> after) {
    auto places = places_.find(stop.pc);
    if (places == places_.end()) return std::nullopt;
    uint32_t statement = ir::CodeMarks::None;
    for (auto& [id, at] : places->second)
        if (!after || (at > *after && at != ir::CodeMarks::None)) statement = std::min(statement, at);
    if (after && statement == ir::CodeMarks::None) return std::nullopt;
    Stop made = makeStop(Stop::Reason::Breakpoint, stop.thread);
    for (auto& [id, at] : places->second)
        if (at == statement || (at == ir::CodeMarks::None && !after)) made.breakpoints.push_back(id);
    if (statement != ir::CodeMarks::None) stack_.setStatement(stop.thread, statement);
    return made;
}

} // namespace sx::debugger::native
