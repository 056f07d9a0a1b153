#include "debugger/native/plugin/EventQueue.h"

#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace sx::debugger::native {

using namespace lldb;

EventQueue::EventQueue() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

EventQueue::~EventQueue() {
    end();
    close(descriptor_);
}

void EventQueue::end() {
    ends_ = true;
    waker_.BroadcastEventByType(1);
    if (thread_.joinable()) thread_.join();
    process_ = {};
}

/// A program that reaches `_exit` ends by itself. What other threads come to meanwhile is of a program that is gone.
void EventQueue::watchExit(SBTarget& target) {
    SBFileSpecList libc, everywhere;
    libc.Append(SBFileSpec("libc.so.6"));
    exit_ = target.BreakpointCreateByName("_exit", eFunctionNameTypeFull, libc, everywhere);
    exit_.SetCallback(atExit, this);
}

bool EventQueue::atExit(void* queue, SBProcess& process, SBThread& thread, SBBreakpointLocation&) {
    static_cast<EventQueue*>(queue)->noteExit(process, thread);
    return false; // goes on
}

void EventQueue::noteExit(SBProcess& process, SBThread& thread) {
    uint64_t status = thread.GetFrameAtIndex(0).FindRegister("rdi").GetValueAsUnsigned();
    exitStatus_ = static_cast<int>(status & 0xff);
    exiting_ = thread.GetThreadID();
    for (uint32_t i = 0, count = process.GetNumThreads(); i < count; ++i)
        if (SBThread other = process.GetThreadAtIndex(i); other.GetThreadID() != exiting_) other.Suspend();
}

/// lldb goes on over a breakpoint at which a thread was halted, without a word.
void EventQueue::findExit() {
    if (exitStatus_ >= 0 || !exit_.IsValid()) return;
    uint64_t address = exit_.GetLocationAtIndex(0).GetLoadAddress();
    for (uint32_t i = 0, count = process_.GetNumThreads(); i < count && address != LLDB_INVALID_ADDRESS; ++i)
        if (SBThread thread = process_.GetThreadAtIndex(i); thread.GetFrameAtIndex(0).GetPC() == address)
            return noteExit(process_, thread);
}

/// What happened until here was told by return values.
void EventQueue::begin(SBDebugger& debugger, SBProcess& process) {
    process_ = process;
    SBEvent old;
    while (listener_.GetNextEvent(old)) {}
    debugger.SetAsync(true);
    listener_.StartListeningForEvents(waker_, 1);
    thread_ = std::thread([this] { listen(); });
}

void EventQueue::listen() {
    pthread_setname_np(pthread_self(), "lldb-events");
    while (!ends_) {
        SBEvent event;
        if (listener_.WaitForEvent(UINT32_MAX, event)) handle(event);
    }
}

void EventQueue::handle(const SBEvent& event) {
    if (!SBProcess::EventIsProcessEvent(event) || !(event.GetType() & SBProcess::eBroadcastBitStateChanged)) return;
    switch (SBProcess::GetStateFromEvent(event)) {
    case eStateStopped:
    case eStateCrashed:
        if (SBProcess::GetRestartedFromEvent(event)) return;
        findExit();
        return post({TargetEvent::Kind::Stopped, stopsOf(process_), 0, {}});
    case eStateExited: {
        TargetEvent exited;
        exited.kind = TargetEvent::Kind::Exited;
        // lldb gives the number of a signal as the status, too, and of a process that is just gone a negative one. The
        // dynamic linker ends a program without `_exit` of the C library.
        int status = process_.GetExitStatus(), signal = status > 0 ? status : SIGKILL;
        exited.status = exitStatus_ >= 0 ? exitStatus_.load() : signal > SIGRTMAX ? signal : 128 + signal;
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

std::optional<uint64_t> faultAddressIn(const std::string& text) {
    size_t at = text.find("fault address");
    if (at == std::string::npos || (at = text.find("0x", at)) == std::string::npos) return std::nullopt;
    return std::strtoull(text.c_str() + at, nullptr, 16);
}

namespace {

std::optional<ThreadStop> stopOf(SBThread thread) {
    ThreadStop stop;
    switch (thread.GetStopReason()) {
    case eStopReasonBreakpoint: stop.kind = ThreadStop::Kind::Breakpoint; break;
    case eStopReasonTrace:
    case eStopReasonPlanComplete: stop.kind = ThreadStop::Kind::SingleStep; break;
    case eStopReasonWatchpoint: {
        stop.kind = ThreadStop::Kind::Watchpoint;
        auto id = static_cast<watch_id_t>(thread.GetStopReasonDataAtIndex(0));
        stop.watched = thread.GetProcess().GetTarget().FindWatchpointByID(id).GetWatchAddress();
        break;
    }
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

std::vector<ThreadStop> stopsOf(SBProcess& process) {
    std::vector<ThreadStop> out;
    for (uint32_t i = 0, count = process.GetNumThreads(); i < count; ++i)
        if (std::optional<ThreadStop> stop = stopOf(process.GetThreadAtIndex(i))) out.push_back(*stop);
    return out;
}

void EventQueue::post(TargetEvent event) {
    std::lock_guard lock(mutex_);
    events_.push(std::move(event));
    uint64_t one = 1;
    [[maybe_unused]] ssize_t written = write(descriptor_, &one, sizeof one);
}

std::optional<TargetEvent> EventQueue::next() {
    std::lock_guard lock(mutex_);
    uint64_t count = 0;
    if (events_.size() <= 1) { [[maybe_unused]] ssize_t taken = read(descriptor_, &count, sizeof count); }
    if (events_.empty()) return std::nullopt;
    TargetEvent event = std::move(events_.front());
    events_.pop();
    return event;
}

std::optional<TargetEvent> EventQueue::next(std::chrono::milliseconds patience) {
    pollfd readable{descriptor_, POLLIN, 0};
    poll(&readable, 1, static_cast<int>(patience.count()));
    return next();
}

} // namespace sx::debugger::native
