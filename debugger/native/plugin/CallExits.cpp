#include "debugger/native/plugin/CallExits.h"

#include "debugger/engine/Signals.h"
#include "debugger/native/plugin/CallStack.h"
#include "source/LockedFunctions.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <sys/syscall.h>

namespace sx::debugger::native {

using namespace lldb;

std::set<uint64_t> longJumps(SBTarget target) {
    std::set<uint64_t> all;
    for (const char* name : {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"}) {
        SBSymbolContextList found = target.FindSymbols(name, eSymbolTypeCode);
        for (uint32_t i = 0; i < found.GetSize(); ++i) {
            uint64_t at = found.GetContextAtIndex(i).GetSymbol().GetStartAddress().GetLoadAddress(target);
            if (at != 0 && at != LLDB_INVALID_ADDRESS) all.insert(at);
        }
    }
    return all;
}

/// A jump to another stack is one between coroutines.
JumpTarget jumpTarget(SBProcess& process, SBThread thread, uint64_t sp, uint64_t stackAfter) {
    constexpr uint64_t StackInBuffer = 48, PcInBuffer = 56, GuardOfThread = 0x30; // of glibc
    constexpr int Rotated = 17;
    constexpr uint32_t MostFrames = 1000;
    SBFrame frame = thread.GetFrameAtIndex(0);
    uint64_t buffer = frame.FindRegister("rdi").GetValueAsUnsigned();
    uint64_t base = frame.FindRegister("fs_base").GetValueAsUnsigned();
    SBError error;
    uint64_t guard = process.ReadPointerFromMemory(base + GuardOfThread, error);
    auto saved = [&](uint64_t offset) {
        SBError none;
        uint64_t mangled = process.ReadPointerFromMemory(buffer + offset, none);
        if (none.Fail()) error = none;
        return std::rotr(mangled, Rotated) ^ guard;
    };
    uint64_t to = saved(StackInBuffer), pc = saved(PcInBuffer);
    if (error.Fail()) return JumpTarget::InCall;
    auto pid = static_cast<int>(process.GetProcessID());
    std::optional<WritableMemory> stack = stackFrom(pid, sp), own = stackFrom(pid, frame.GetSP());
    if (stack && to >= sp && to < stack->end) return JumpTarget::InProgram;
    if (!own || to < own->start || to >= own->end) return JumpTarget::InCall;
    if (to <= frame.GetSP()) return JumpTarget::Returned;
    SBTarget target = process.GetTarget();
    SBSymbol at = target.ResolveLoadAddress(pc).GetSymbol();
    for (uint32_t i = 1; i < MostFrames; ++i) {
        SBFrame f = thread.GetFrameAtIndex(i);
        if (!f.IsValid()) break; // what is further out is not known
        if (f.GetSP() >= stackAfter) return JumpTarget::Returned;
        if (to >= f.GetSP() && to < f.GetCFA())
            return at.IsValid() && at != f.GetSymbol() ? JumpTarget::Returned : JumpTarget::InCall;
    }
    return JumpTarget::InCall;
}

namespace {

/// What stands in the system call's way of the thread: its number, or a negative one.
long systemCallOf(const std::string& task) {
    std::string number;
    std::ifstream(task + "/syscall") >> number;
    return number.empty() || number[0] < '0' || number[0] > '9' ? -1 : std::atol(number.c_str());
}

std::string taskOf(uint64_t process, SystemThread thread) {
    return "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread);
}

bool isOfLibc(SBFrame frame) {
    const char* file = frame.GetModule().GetFileSpec().GetFilename();
    std::string_view name = file ? file : "";
    return name.starts_with("libc.so") || name.starts_with("libc-") || name.starts_with("ld-linux");
}

} // namespace

std::optional<LockedFunction> lockedFunction(SBThread thread, uint64_t stackAfter) {
    constexpr uint32_t MostFrames = 64;
    std::optional<LockedFunction> locked, called;
    bool isInnermost = true; // code of the library without a caller of other code in between
    for (uint32_t i = 0; i < MostFrames; ++i) {
        SBFrame frame = thread.GetFrameAtIndex(i), caller = thread.GetFrameAtIndex(i + 1);
        if (!frame.IsValid() || !caller.IsValid() || frame.GetSP() >= stackAfter) break;
        if (frame.IsInlined()) continue;
        SBSymbol symbol = frame.GetSymbol();
        const char* name = symbol.IsValid() ? symbol.GetName() : nullptr;
        if (name && isLockedFunction(name)) locked = {name, caller.GetPC(), caller.GetSP()};
        isInnermost &= isOfLibc(frame);
        if (isInnermost) called = {"", caller.GetPC(), caller.GetSP()};
    }
    bool isWaiting = systemCallOf(taskOf(thread.GetProcess().GetProcessID(), thread.GetThreadID())) >= 0;
    return locked || isWaiting ? locked : called;
}

std::optional<uint64_t> blockedSignals(int process, SystemThread thread) {
    constexpr long WithOwnMask[] = {SYS_rt_sigsuspend, SYS_pselect6, SYS_ppoll, SYS_epoll_pwait, SYS_epoll_pwait2};
    std::string task = taskOf(static_cast<uint64_t>(process), thread);
    if (std::find(std::begin(WithOwnMask), std::end(WithOwnMask), systemCallOf(task)) != std::end(WithOwnMask))
        return std::nullopt;
    std::optional<SignalSets> sets = signalSetsOf(task);
    return sets ? std::optional(sets->blocked) : std::nullopt;
}

} // namespace sx::debugger::native
