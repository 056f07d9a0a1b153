// Resuming and breakpoints.
#include "debugger/engine/ProcessFiles.h"
#include "debugger/native/plugin/CoreNotes.h"
#include "debugger/native/plugin/LldbTarget.h"
#include "debugger/native/plugin/SignalInfo.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace sx::debugger::native {

using namespace lldb;

/// lldb would take a SIGTRAP that waits for the end of its own step around a breakpoint. The signal comes first, so the
/// breakpoint may be away. `sent`: some thread may have one; else the process or nobody. Returns the addresses.
static std::set<uint64_t> makeWayForTraps(SBProcess& process, std::map<uint64_t, SBBreakpoint>& breakpoints,
                                          bool sent) {
    std::set<uint64_t> away;
    auto pid = static_cast<int>(process.GetProcessID());
    if (!sent && !isWaiting(pid, process.GetThreadAtIndex(0).GetThreadID(), SIGTRAP)) return away;
    for (uint32_t i = 0, count = process.GetNumThreads(); i < count; ++i) {
        SBThread thread = process.GetThreadAtIndex(i);
        if (!isWaiting(pid, thread.GetThreadID(), SIGTRAP)) continue;
        auto at = breakpoints.find(thread.GetFrameAtIndex(0).GetPC());
        if (at == breakpoints.end()) continue;
        at->second.SetEnabled(false);
        away.insert(at->first);
    }
    return away;
}

/// A thread that gets a signal where a breakpoint stands makes the step around it before the program goes on. In one go
/// lldb now and then gives it the signal a second time: what it does at the stop behind the step, on a thread of its
/// own, may come before it has forgotten the signal, on the thread that lets the program go on. Returns the thread; 0:
/// none has to.
static SystemThread stepIntoHandler(SBProcess& process, std::map<uint64_t, SBBreakpoint>& breakpoints) {
    SBThread one;
    for (uint32_t i = 0, count = process.GetNumThreads(); i < count; ++i) {
        SBThread thread = process.GetThreadAtIndex(i);
        if (thread.GetStopReason() != eStopReasonSignal) continue;
        if (one.IsValid()) return 0; // lldb keeps one signal while a single thread runs
        one = thread;
    }
    if (!one.IsValid() || one.IsSuspended()) return 0;
    auto signal = static_cast<int>(one.GetStopReasonDataAtIndex(0));
    auto at = breakpoints.find(one.GetFrameAtIndex(0).GetPC());
    if (at == breakpoints.end() || !at->second.IsEnabled() || process.GetUnixSignals().GetShouldSuppress(signal))
        return 0;
    SBError error;
    one.StepInstruction(/*step_over=*/false, error);
    return error.Success() ? one.GetThreadID() : 0;
}

static std::map<uint64_t, uint64_t> waysAround(const Detours& detours, const std::set<uint64_t>& breakpoints) {
    std::map<uint64_t, uint64_t> ways;
    for (uint64_t address : breakpoints)
        if (uint64_t way = detours.wayAround(address)) ways.emplace(address, way);
    return ways;
}

static void tellHit(EventQueue& events, ServerLine& line, TargetEvent& hit) {
    hit.settle = [&line](bool goesOn) { goesOn ? line.pass() : line.report(); };
    events.post(std::move(hit));
}

/// Each thread that a breakpoint has stopped may go around it. One of several that just stands there has not been told
/// of yet.
std::string LldbTarget::resume(const std::vector<SystemThread>& held, const std::set<uint64_t>& filtered) {
    if (isKilled_ || isDead(processId())) return "";
    disabled_ = makeWayForTraps(process_, breakpoints_, ownSignals_.goOn(process_));
    uint32_t count = process_.GetNumThreads();
    isInterrupted_ = false;
    held_ = held;
    if (SystemThread exiting = events_.exiting())
        for (uint32_t i = 0; i < count; ++i)
            if (SystemThread id = process_.GetThreadAtIndex(i).GetThreadID(); id != exiting) held_.push_back(id);
    for (SystemThread id : held_) process_.GetThreadByID(id).Suspend();
    for (uint32_t i = 0; i < count; ++i) {
        SBThread thread = process_.GetThreadAtIndex(i);
        // One that a signal's handler comes back to is met once more.
        bool mayBeNew = count > 1 || thread.GetStopReason() == eStopReasonSignal;
        if (mayBeNew && atBreakpoints_.count(thread.GetThreadID()) == 0) continue;
        if (std::count(held_.begin(), held_.end(), thread.GetThreadID()) != 0) continue;
        SBFrame top = thread.GetFrameAtIndex(0);
        uint64_t pc = top.GetPC();
        if (auto at = breakpoints_.find(pc); at != breakpoints_.end() && at->second.IsEnabled())
            detours_.enter(target_, process_, top, pc);
    }
    entering_ = stepIntoHandler(process_, breakpoints_);
    // lldb lets all threads go on and asks nothing meanwhile, or it hears of all hits.
    bool canFilter = held_.empty() && disabled_.empty() && entering_ == 0 && events_.exiting() == 0;
    std::map<uint64_t, uint64_t> ways = canFilter ? waysAround(detours_, filtered) : std::map<uint64_t, uint64_t>();
    if (line_.isBegun() || (!ways.empty() && line_.begin([this](TargetEvent hit) { tellHit(events_, line_, hit); })))
        line_.filter(std::move(ways));
    return entering_ != 0 || process_.Continue().Success() ? "" : "the program could not be let go on";
}

static void release(SBProcess& process, const std::vector<SystemThread>& held) {
    for (SystemThread id : held)
        if (SBThread thread = process.GetThreadByID(id); thread.IsValid()) thread.Resume();
}

std::string LldbTarget::stepInstruction(SystemThread id) {
    SBThread thread = process_.GetThreadByID(id);
    if (isKilled_ || isDead(processId())) return "";
    if (!thread.IsValid()) return "the thread is gone";
    disabled_ = makeWayForTraps(process_, breakpoints_, ownSignals_.goOn(process_));
    SBError error;
    thread.StepInstruction(/*step_over=*/false, error);
    return error.Success() ? "" : "the thread could not make a step";
}

/// lldb that is interrupted while one thread makes its step around a breakpoint, and the others are held, may tell the
/// breakpoint once more.
static void awaitStep(int pid) {
    constexpr std::chrono::microseconds Pause{200}, Patience{10'000}; // others may be held for long
    auto isHeld = [](int thread) { return ProcessStatus(thread).isHeld(); };
    const auto end = std::chrono::steady_clock::now() + Patience;
    while (std::chrono::steady_clock::now() < end) {
        std::vector<int> threads = threadsOfProcess(pid);
        if (std::none_of(threads.begin(), threads.end(), isHeld)) return;
        std::this_thread::sleep_for(Pause);
    }
}

std::string LldbTarget::interrupt() {
    awaitStep(processId());
    isInterrupted_ = true;
    process_.SendAsyncInterrupt();
    return {};
}

void LldbTarget::addBreakpoints(const std::vector<uint64_t>& addresses) {
    line_.filter({});
    for (uint64_t address : addresses)
        if (auto [at, isNew] = breakpoints_.try_emplace(address); isNew)
            at->second = target_.BreakpointCreateByAddress(address);
}

void LldbTarget::removeBreakpoints(const std::vector<uint64_t>& addresses) {
    line_.filter({});
    for (uint64_t address : addresses) {
        auto at = breakpoints_.find(address);
        if (at == breakpoints_.end()) continue;
        target_.BreakpointDelete(at->second.GetID());
        breakpoints_.erase(at);
        removed_.insert(address);
    }
}

std::string LldbTarget::addWatchpoint(uint64_t address, uint64_t size) {
    SBError error;
    // lldb would leave out that another thread has written the same place at the same time, if it compared.
    SBWatchpointOptions options;
    options.SetWatchpointTypeWrite(eWatchpointWriteTypeAlways);
    SBWatchpoint made = target_.WatchpointCreateByAddress(address, size, options, error);
    if (error.Fail() || !made.IsValid()) return "the hardware does not watch this place";
    watchpoints_[address] = made;
    return {};
}

void LldbTarget::removeWatchpoint(uint64_t address) {
    auto at = watchpoints_.find(address);
    if (at == watchpoints_.end()) return;
    target_.DeleteWatchpoint(at->second.GetID());
    watchpoints_.erase(at);
}

std::vector<ThreadStop> LldbTarget::stops() {
    std::vector<ThreadStop> all = stopsOf(process_);
    std::erase_if(all, [this](const ThreadStop& stop) { return added_.count(stop.thread) != 0; });
    std::optional<siginfo_t> info = isCore_ ? signalInCore(core_) : std::nullopt;
    for (ThreadStop& stop : all)
        if (info) setOrigin(stop, {info->si_signo, info->si_code, info->si_pid});
    return all;
}

/// While the program runs a thread may come to a breakpoint before lldb knows of it, or when lldb does not any more:
/// that is a SIGTRAP to lldb, which nobody has sent.
template <class IsBreakpoint> static void findBreakpoints(std::vector<ThreadStop>& stops, IsBreakpoint isBreakpoint) {
    for (ThreadStop& stop : stops) {
        bool isTrap = stop.kind == ThreadStop::Kind::Signal && stop.signal == SIGTRAP && !stop.isSent;
        if (isTrap && isBreakpoint(stop.pc)) stop.kind = ThreadStop::Kind::Breakpoint;
    }
}

std::optional<TargetEvent> LldbTarget::nextEvent() {
    std::optional<TargetEvent> event = events_.next();
    if (event && event->kind == TargetEvent::Kind::Stopped) {
        SystemThread entered = std::exchange(entering_, 0);
        auto isStep = [&](const ThreadStop& s) {
            return s.thread == entered && s.kind == ThreadStop::Kind::SingleStep;
        };
        if (entered != 0 && !isInterrupted_ && event->stops.size() == 1 && isStep(event->stops[0]) &&
            process_.Continue().Success())
            return std::nullopt;
        release(process_, std::exchange(held_, {}));
        for (uint64_t address : std::exchange(disabled_, {}))
            if (auto at = breakpoints_.find(address); at != breakpoints_.end()) at->second.SetEnabled(true);
        if (events_.exiting() != 0) // has held the others
            for (uint32_t i = 0, count = process_.GetNumThreads(); i < count; ++i)
                process_.GetThreadAtIndex(i).Resume();
        ownSignals_.hear(process_, event->stops);
        findBreakpoints(event->stops,
                        [&](uint64_t pc) { return breakpoints_.count(pc) != 0 || removed_.count(pc) != 0; });
        removed_.clear();
        atBreakpoints_.clear();
        for (const ThreadStop& stop : event->stops)
            if (stop.kind == ThreadStop::Kind::Breakpoint) atBreakpoints_.insert(stop.thread);
        if (detours_) leaveDetours(*event);
    }
    return event;
}

/// A signal or an interrupt may have stopped a thread on its way around a breakpoint.
void LldbTarget::leaveDetours(TargetEvent& event) {
    for (uint32_t i = 0, count = process_.GetNumThreads(); i < count; ++i) {
        SBThread thread = process_.GetThreadAtIndex(i);
        if (thread.GetStopReason() == eStopReasonExec) {
            detours_ = {}; // they were of another program
            return;
        }
        SBFrame top = thread.GetFrameAtIndex(0);
        uint64_t pc = top.GetPC(), place = detours_.placeOf(pc);
        if (place == pc) continue;
        uint64_t id = thread.GetThreadID();
        const bool isPast = detours_.wayAround(place) == pc;
        top.SetPC(place);
        if (isPast) atBreakpoints_.insert(id);
        for (ThreadStop& stop : event.stops)
            if (stop.thread == id) stop.pc = place, stop.isPast = isPast;
    }
}

} // namespace sx::debugger::native
