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
bool leavesCall(SBProcess& process, SBThread thread, uint64_t sp) {
    constexpr uint64_t StackInBuffer = 48, GuardOfThread = 0x30; // of glibc
    constexpr int Rotated = 17;
    SBFrame frame = thread.GetFrameAtIndex(0);
    uint64_t buffer = frame.FindRegister("rdi").GetValueAsUnsigned();
    uint64_t base = frame.FindRegister("fs_base").GetValueAsUnsigned();
    SBError noBuffer, noGuard;
    uint64_t mangled = process.ReadPointerFromMemory(buffer + StackInBuffer, noBuffer);
    uint64_t guard = process.ReadPointerFromMemory(base + GuardOfThread, noGuard);
    if (noBuffer.Fail() || noGuard.Fail()) return false;
    std::optional<WritableMemory> stack = stackFrom(static_cast<int>(process.GetProcessID()), sp);
    uint64_t to = std::rotr(mangled, Rotated) ^ guard;
    return stack && to >= sp && to < stack->end;
}

std::optional<LockedFunction> lockedFunction(SBThread thread, uint64_t stackAfter) {
    constexpr uint32_t MostFrames = 64;
    std::optional<LockedFunction> found;
    for (uint32_t i = 0; i < MostFrames; ++i) {
        SBFrame frame = thread.GetFrameAtIndex(i), caller = thread.GetFrameAtIndex(i + 1);
        if (!frame.IsValid() || !caller.IsValid() || frame.GetSP() >= stackAfter) break;
        SBSymbol symbol = frame.GetSymbol();
        std::string_view name = symbol.IsValid() && symbol.GetName() ? symbol.GetName() : "";
        if (isLockedFunction(name) && !caller.IsInlined()) found = {std::string(name), caller.GetPC(), caller.GetSP()};
    }
    return found;
}

namespace {

/// What stands in the system call's way of the thread: its number, or a negative one.
long systemCallOf(const std::string& task) {
    std::string number;
    std::ifstream(task + "/syscall") >> number;
    return number.empty() || number[0] < '0' || number[0] > '9' ? -1 : std::atol(number.c_str());
}

} // namespace

std::optional<uint64_t> blockedSignals(int process, SystemThread thread) {
    constexpr long WithOwnMask[] = {SYS_rt_sigsuspend, SYS_pselect6, SYS_ppoll, SYS_epoll_pwait, SYS_epoll_pwait2};
    std::string task = "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread);
    if (std::find(std::begin(WithOwnMask), std::end(WithOwnMask), systemCallOf(task)) != std::end(WithOwnMask))
        return std::nullopt;
    std::optional<SignalSets> sets = signalSetsOf(task);
    return sets ? std::optional(sets->blocked) : std::nullopt;
}

} // namespace sx::debugger::native
