#include "debugger/native/plugin/OwnSignals.h"

#include "debugger/native/plugin/SignalInfo.h"

#include <csignal>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace sx::debugger::native {

using namespace lldb;

namespace {

/// The program did this to itself, by a fault or by abort(): no signal that somebody sent.
bool isOwnSignal(SBProcess& process, SBThread& thread) {
    SignalInfo info = signalInfoOf(process, thread);
    return info.code > 0 || (info.code == SI_TKILL && thread.GetStopReasonDataAtIndex(0) == SIGABRT);
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

} // namespace

void OwnSignals::suppress(SBProcess& process, int signal) {
    process.GetUnixSignals().SetShouldSuppress(signal, true);
    suppressed_.insert(signal);
}

void OwnSignals::hear(SBProcess& process, std::vector<ThreadStop>& stops) {
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
        bool isOwn = stop.isSent && stop.sender == static_cast<int>(process.GetProcessID());
        if (stop.isSent && (stop.signal == SIGTRAP || (stop.signal == SIGINT && isOwn))) delivered_.insert(stop.signal);
    }
}

void OwnSignals::willCall(SBProcess& process) {
    for (uint32_t i = 0, count = process.GetNumThreads(); i < count; ++i) {
        SBThread thread = process.GetThreadAtIndex(i);
        if (thread.GetStopReason() != eStopReasonSignal || !isOwnSignal(process, thread)) continue;
        auto signal = static_cast<int>(thread.GetStopReasonDataAtIndex(0));
        repeats_.emplace(thread.GetThreadID(), signal);
        suppress(process, signal); // a thread that is held while another one calls keeps what it was to be sent
    }
}

int OwnSignals::sendAgain(SBProcess& process, SBThread& thread, const std::string& failure) {
    SignalInfo info = signalInfoOf(process, thread);
    auto pid = static_cast<int>(process.GetProcessID());
    const char* name = process.GetUnixSignals().GetSignalAsCString(info.signal);
    bool isHere = name && failure.find(name) != std::string::npos;
    if (!isHere || !info.isSent() || info.sender == pid || info.signal == SIGSTOP) return 0;
    return kill(pid, info.signal) == 0 ? info.signal : 0;
}

void OwnSignals::goOn(SBProcess& process) {
    SBUnixSignals signals = process.GetUnixSignals();
    for (int signal : {SIGTRAP, SIGINT}) signals.SetShouldSuppress(signal, delivered_.count(signal) == 0);
    for (SystemThread thread : std::exchange(sentAgain_, {}))
        syscall(SYS_tgkill, static_cast<int>(process.GetProcessID()), static_cast<int>(thread), SIGTRAP);
    delivered_.clear();
    for (int signal : std::exchange(suppressed_, {})) signals.SetShouldSuppress(signal, false);
    for (auto [id, signal] : std::exchange(repeats_, {})) {
        SBThread thread = process.GetThreadByID(id);
        if (!thread.IsValid()) continue;
        if (signal == SIGABRT && !repeatSystemCall(process, thread.GetFrameAtIndex(0))) continue;
        suppress(process, signal);
    }
}

} // namespace sx::debugger::native
