#include "debugger/native/plugin/OwnSignals.h"

#include "debugger/engine/Signals.h"

#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace sx::debugger::native {

using namespace lldb;

namespace {

/// The program did this to itself, by a fault or by abort(): no signal that somebody sent.
bool isOwnSignal(const SignalInfo& info) {
    bool isFault = info.code > 0 && saysBroken(info.signal);
    return isFault || (info.code == SI_TKILL && info.signal == SIGABRT);
}

/// The thread is about to run the system call again by which it has sent itself the signal. False: it stands at none.
bool repeatSystemCall(SBProcess& process, SBFrame frame) {
    constexpr uint8_t Syscall[] = {0x0f, 0x05};
    uint8_t before[sizeof Syscall] = {};
    uint64_t pc = frame.GetPC() - sizeof Syscall;
    SBError error;
    if (process.ReadMemory(pc, before, sizeof before, error) != sizeof before ||
        std::memcmp(before, Syscall, sizeof before) != 0)
        return false;
    // What it was called with is where it was.
    SBValue number = frame.FindRegister("rax");
    return number.SetValueFromCString(std::to_string(SYS_tgkill).c_str(), error) && frame.SetPC(pc);
}

/// Each change makes lldb tell its server before it lets the program go on.
void setSuppressed(SBUnixSignals signals, int signal, bool isSuppressed) {
    if (signals.GetShouldSuppress(signal) != isSuppressed) signals.SetShouldSuppress(signal, isSuppressed);
}

bool isUsuallyDropped(int signal) { return signal == SIGTRAP || signal == SIGINT; }

/// The program sees to it, whoever has sent it.
bool isForProgram(int process, int signal) { return signal != SIGTRAP && isExpected(process, signal); }

/// As if it were sent for the first time: the system lets nobody else say that a signal came by kill() or by itself.
void sendAgain(int process, SystemThread thread, bool isToThread, siginfo_t info) {
    if (info.si_code > 0) info.si_code = SI_TIMER; // see SignalInfo::isSent
    else if (info.si_code == SI_USER || info.si_code == SI_TKILL) info.si_code = SI_QUEUE;
    long sent = isToThread ? syscall(SYS_rt_tgsigqueueinfo, process, static_cast<int>(thread), info.si_signo, &info)
                           : syscall(SYS_rt_sigqueueinfo, process, info.si_signo, &info);
    if (sent != 0) ::kill(process, info.si_signo);
}

} // namespace

void OwnSignals::suppress(SBProcess& process, int signal) {
    setSuppressed(process.GetUnixSignals(), signal, true);
    if (!isUsuallyDropped(signal)) suppressed_.insert(signal);
}

void OwnSignals::hear(SBProcess& process, std::vector<ThreadStop>& stops) {
    isHeard_ = true;
    delivered_.clear();
    sentAgain_.clear();
    for (ThreadStop& stop : stops) {
        SBThread thread = process.GetThreadByID(stop.thread);
        bool isStep = stop.kind == ThreadStop::Kind::SingleStep && thread.GetStopReason() == eStopReasonTrace;
        if (stop.kind != ThreadStop::Kind::Signal && !isStep) continue;
        SignalInfo info = signalInfoOf(process, thread);
        if (isStep) {
            if (info.signal != SIGTRAP || !info.isSent()) continue;
            stop.kind = ThreadStop::Kind::Signal;
            stop.signal = SIGTRAP;
            stop.text = "signal SIGTRAP";
            sentAgain_.insert(stop.thread);
        }
        setOrigin(stop, info);
        auto pid = static_cast<int>(process.GetProcessID());
        bool isOwn = stop.isSent && stop.sender == pid;
        bool isDelivered = stop.signal == SIGTRAP ? stop.isSent : isOwn || isForProgram(pid, stop.signal);
        if (isUsuallyDropped(stop.signal) && isDelivered) delivered_.insert(stop.signal);
    }
}

void OwnSignals::keep(SBProcess& process, SBThread& thread, const SignalInfo& info, int signal, bool wasTold) {
    if (info.signal == signal && isOwnSignal(info)) repeats_.emplace(thread.GetThreadID(), signal);
    else {
        Kept kept{thread.GetThreadID(), wasTold || info.code == SI_TKILL, info.all};
        kept.info.si_signo = signal;
        kept_.push_back(kept);
    }
    dropped_.insert(signal);
    suppress(process, signal); // a thread that is held while another one calls is not to get it then
}

void OwnSignals::willCall(SBProcess& process) {
    if (!std::exchange(isHeard_, false)) return;
    for (int signal : {SIGTRAP, SIGINT}) setSuppressed(process.GetUnixSignals(), signal, true);
    for (uint32_t i = 0, count = process.GetNumThreads(); i < count; ++i) {
        SBThread thread = process.GetThreadAtIndex(i);
        if (thread.GetStopReason() != eStopReasonSignal) continue;
        auto signal = static_cast<int>(thread.GetStopReasonDataAtIndex(0));
        if (signal == SIGSTOP || (isUsuallyDropped(signal) && delivered_.count(signal) == 0)) continue;
        keep(process, thread, signalInfoOf(process, thread), signal, /*wasTold=*/true);
    }
}

OwnSignals::InCall OwnSignals::hearInCall(SBProcess& process, SBThread& thread, bool isCalled) {
    bool isSignal = thread.GetStopReason() == eStopReasonSignal;
    if (!isSignal && thread.GetStopReason() != eStopReasonTrace) return InCall::None;
    SignalInfo info = signalInfoOf(process, thread);
    if (!isSignal && (info.signal != SIGTRAP || !info.isSent())) return InCall::None; // a step of lldb's own
    int signal = isSignal ? static_cast<int>(thread.GetStopReasonDataAtIndex(0)) : SIGTRAP;
    if (signal == SIGSTOP) return InCall::None; // see Events.cpp
    auto pid = static_cast<int>(process.GetProcessID());
    if (info.signal != signal) info = {};
    bool isOwn = info.signal == 0 ? saysBroken(signal) : isOwnSignal(info);
    if (!isOwn && isForProgram(pid, signal)) {
        setSuppressed(process.GetUnixSignals(), signal, false);
        return InCall::Passed;
    }
    bool isByCall = isCalled && (isOwn || (info.isSent() && info.sender == pid));
    if (!isByCall) keep(process, thread, info, signal, /*wasTold=*/false);
    else {
        dropped_.insert(signal);
        suppress(process, signal);
    }
    return isByCall || isOwn ? InCall::Ends : InCall::Kept;
}

bool OwnSignals::sendKept(SBProcess& process) {
    auto pid = static_cast<int>(process.GetProcessID());
    for (const Kept& kept : kept_) sendAgain(pid, kept.thread, kept.isToThread, kept.info);
    return !std::exchange(kept_, {}).empty();
}

bool OwnSignals::goOn(SBProcess& process) {
    SBUnixSignals signals = process.GetUnixSignals();
    for (int signal : {SIGTRAP, SIGINT})
        setSuppressed(signals, signal, delivered_.count(signal) == 0 || dropped_.count(signal) != 0);
    bool sent = !sentAgain_.empty();
    for (SystemThread thread : std::exchange(sentAgain_, {}))
        syscall(SYS_tgkill, static_cast<int>(process.GetProcessID()), static_cast<int>(thread), SIGTRAP);
    delivered_.clear();
    for (int signal : std::exchange(suppressed_, {})) setSuppressed(signals, signal, false);
    for (int signal : std::exchange(dropped_, {})) suppress(process, signal);
    for (auto [id, signal] : std::exchange(repeats_, {})) {
        SBThread thread = process.GetThreadByID(id);
        if (!thread.IsValid() || signal != SIGABRT || repeatSystemCall(process, thread.GetFrameAtIndex(0))) continue;
        syscall(SYS_tgkill, static_cast<int>(process.GetProcessID()), static_cast<int>(id), SIGABRT);
    }
    return sendKept(process) || sent;
}

} // namespace sx::debugger::native
