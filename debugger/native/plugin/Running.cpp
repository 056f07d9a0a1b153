// Resuming, breakpoints, and what is heard of the program.
#include "debugger/native/plugin/LldbTarget.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace sx::debugger::native {

using namespace lldb;

std::string LldbTarget::resume() { return messageOf(process_.Continue()); }

std::string LldbTarget::stepInstruction(SystemThread id) {
    SBThread thread = process_.GetThreadByID(id);
    if (!thread.IsValid()) return "the thread is gone";
    SBError error;
    thread.StepInstruction(/*step_over=*/false, error);
    return messageOf(error);
}

std::string LldbTarget::interrupt() {
    process_.SendAsyncInterrupt();
    return {};
}

void LldbTarget::addBreakpoints(const std::vector<uint64_t>& addresses) {
    for (uint64_t address : addresses)
        if (auto [at, isNew] = breakpoints_.try_emplace(address); isNew)
            at->second = target_.BreakpointCreateByAddress(address);
}

void LldbTarget::removeBreakpoints(const std::vector<uint64_t>& addresses) {
    for (uint64_t address : addresses) {
        auto at = breakpoints_.find(address);
        if (at == breakpoints_.end()) continue;
        target_.BreakpointDelete(at->second.GetID());
        breakpoints_.erase(at);
    }
}

std::string LldbTarget::addWatchpoint(uint64_t address, uint64_t size) {
    SBError error;
    SBWatchpoint made = target_.WatchAddress(address, size, /*read=*/false, /*modify=*/true, error);
    if (error.Fail() || !made.IsValid()) return messageOf(error);
    watchpoints_[address] = made;
    return {};
}

void LldbTarget::removeWatchpoint(uint64_t address) {
    auto at = watchpoints_.find(address);
    if (at == watchpoints_.end()) return;
    target_.DeleteWatchpoint(at->second.GetID());
    watchpoints_.erase(at);
}

// ---- events

/// A program that reaches `_exit` ends by itself.
void LldbTarget::watchExit() {
    SBFileSpecList libc, everywhere;
    libc.Append(SBFileSpec("libc.so.6"));
    SBBreakpoint at = target_.BreakpointCreateByName("_exit", eFunctionNameTypeFull, libc, everywhere);
    at.SetCallback(atExit, this);
}

bool LldbTarget::atExit(void* target, SBProcess&, SBThread& thread, SBBreakpointLocation&) {
    uint64_t status = thread.GetFrameAtIndex(0).FindRegister("rdi").GetValueAsUnsigned();
    static_cast<LldbTarget*>(target)->exitStatus_ = static_cast<int>(status & 0xff);
    return false; // goes on
}

/// What happened until here was told by return values.
void LldbTarget::beginListening() {
    SBEvent old;
    while (listener_.GetNextEvent(old)) {}
    debugger_.SetAsync(true);
    listener_.StartListeningForEvents(waker_, 1);
    listenerThread_ = std::thread([this] { listen(); });
}

void LldbTarget::listen() {
    pthread_setname_np(pthread_self(), "lldb-events");
    while (!ends_) {
        SBEvent event;
        if (listener_.WaitForEvent(UINT32_MAX, event)) handle(event);
    }
}

void LldbTarget::handle(const SBEvent& event) {
    if (!SBProcess::EventIsProcessEvent(event) || !(event.GetType() & SBProcess::eBroadcastBitStateChanged)) return;
    switch (SBProcess::GetStateFromEvent(event)) {
    case eStateStopped:
    case eStateCrashed:
        if (SBProcess::GetRestartedFromEvent(event)) return;
        return post({TargetEvent::Kind::Stopped, stops(), 0, {}});
    case eStateExited: {
        TargetEvent exited;
        exited.kind = TargetEvent::Kind::Exited;
        // lldb gives the number of a signal as the status, too, and of a process that is just gone a negative one.
        int signal = process_.GetExitStatus() > 0 ? process_.GetExitStatus() : SIGKILL;
        exited.status = exitStatus_ >= 0 ? exitStatus_.load() : 128 + signal;
        return post(std::move(exited));
    }
    case eStateDetached: {
        TargetEvent lost;
        lost.kind = TargetEvent::Kind::Lost;
        return post(std::move(lost));
    }
    default: return;
    }
}

namespace {

/// lldb tells the address of an access in its text only.
std::optional<uint64_t> faultAddressIn(const std::string& text) {
    size_t at = text.find("fault address");
    if (at == std::string::npos || (at = text.find("0x", at)) == std::string::npos) return std::nullopt;
    return std::strtoull(text.c_str() + at, nullptr, 16);
}

std::optional<ThreadStop> stopOf(SBThread thread) {
    ThreadStop stop;
    switch (thread.GetStopReason()) {
    case eStopReasonBreakpoint: stop.kind = ThreadStop::Kind::Breakpoint; break;
    case eStopReasonTrace:
    case eStopReasonPlanComplete: stop.kind = ThreadStop::Kind::SingleStep; break;
    case eStopReasonWatchpoint: stop.kind = ThreadStop::Kind::Watchpoint; break;
    case eStopReasonSignal: {
        stop.kind = ThreadStop::Kind::Signal;
        stop.signal = static_cast<int>(thread.GetStopReasonDataAtIndex(0));
        char text[512] = "";
        thread.GetStopDescription(text, sizeof text);
        stop.text = text;
        stop.faultAddress = faultAddressIn(stop.text);
        break;
    }
    case eStopReasonException: stop.kind = ThreadStop::Kind::Other; break;
    default: return std::nullopt;
    }
    stop.thread = thread.GetThreadID();
    stop.pc = thread.GetFrameAtIndex(0).GetPC();
    return stop;
}

} // namespace

std::vector<ThreadStop> LldbTarget::stops() {
    std::vector<ThreadStop> out;
    for (uint32_t i = 0, count = process_.GetNumThreads(); i < count; ++i)
        if (std::optional<ThreadStop> stop = stopOf(process_.GetThreadAtIndex(i))) out.push_back(*stop);
    return out;
}

void LldbTarget::post(TargetEvent event) {
    std::lock_guard lock(mutex_);
    events_.push(std::move(event));
    uint64_t one = 1;
    [[maybe_unused]] ssize_t written = write(eventDescriptor_, &one, sizeof one);
}

std::optional<TargetEvent> LldbTarget::nextEvent() {
    std::lock_guard lock(mutex_);
    uint64_t count = 0;
    if (events_.size() <= 1) { [[maybe_unused]] ssize_t taken = read(eventDescriptor_, &count, sizeof count); }
    if (events_.empty()) return std::nullopt;
    TargetEvent event = std::move(events_.front());
    events_.pop();
    return event;
}

} // namespace sx::debugger::native
