#include "debugger/native/plugin/OwnSignals.h"

#include <csignal>
#include <cstring>
#include <sys/syscall.h>
#include <utility>

namespace sx::debugger::native {

using namespace lldb;

namespace {

/// The program did this to itself, by a fault or by abort(): no signal that somebody sent.
bool isOwnSignal(SBThread& thread) {
    int64_t code = thread.GetSiginfo().GetChildMemberWithName("si_code").GetValueAsSigned();
    return code > 0 || (code == SI_TKILL && thread.GetStopReasonDataAtIndex(0) == SIGABRT);
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

/// A thread has sent itself SIGTRAP. All others are of lldb, which stops and steps by them.
bool anyRaisedTrap(SBProcess& process) {
    for (uint32_t i = 0, count = process.GetNumThreads(); i < count; ++i) {
        SBThread thread = process.GetThreadAtIndex(i);
        if (thread.GetStopReason() != eStopReasonSignal || thread.GetStopReasonDataAtIndex(0) != SIGTRAP) continue;
        if (thread.GetSiginfo().GetChildMemberWithName("si_code").GetValueAsSigned() == SI_TKILL) return true;
    }
    return false;
}

} // namespace

void OwnSignals::suppress(SBProcess& process, int signal) {
    process.GetUnixSignals().SetShouldSuppress(signal, true);
    suppressed_.insert(signal);
}

void OwnSignals::willCall(SBProcess& process) {
    for (uint32_t i = 0, count = process.GetNumThreads(); i < count; ++i) {
        SBThread thread = process.GetThreadAtIndex(i);
        if (thread.GetStopReason() != eStopReasonSignal || !isOwnSignal(thread)) continue;
        auto signal = static_cast<int>(thread.GetStopReasonDataAtIndex(0));
        repeats_.emplace(thread.GetThreadID(), signal);
        suppress(process, signal); // a thread that is held while another one calls keeps what it was to be sent
    }
}

void OwnSignals::goOn(SBProcess& process) {
    SBUnixSignals signals = process.GetUnixSignals();
    signals.SetShouldSuppress(SIGTRAP, !anyRaisedTrap(process));
    for (int signal : std::exchange(suppressed_, {})) signals.SetShouldSuppress(signal, false);
    for (auto [id, signal] : std::exchange(repeats_, {})) {
        SBThread thread = process.GetThreadByID(id);
        if (!thread.IsValid()) continue;
        if (signal == SIGABRT && !repeatSystemCall(process, thread.GetFrameAtIndex(0))) continue;
        suppress(process, signal);
    }
}

} // namespace sx::debugger::native
