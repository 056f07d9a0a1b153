// What a call is in the middle of when it ends otherwise than by returning.
#pragma once

#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <optional>
#include <set>
#include <string>

namespace sx::debugger::native {

/// Where the functions begin by which code goes back to a call that is under way further out, as `longjmp` does.
std::set<uint64_t> longJumps(lldb::SBTarget);
enum class JumpTarget : uint8_t {
    InCall,    ///< in the call that is made, or on another stack
    InProgram, ///< of the program
    Returned,  ///< that is over: nothing of it is there any more
};
/// The thread stands at the beginning of such a function. Returns in what call it goes on. The program's innermost
/// frame had its stack pointer at `sp` when the call was made; frames of the call begin below `stackAfter`.
JumpTarget jumpTarget(lldb::SBProcess&, lldb::SBThread, uint64_t sp, uint64_t stackAfter);

/// A function of the C library that holds a lock while it runs, or may do so.
struct LockedFunction {
    std::string name;                   ///< empty: it is not known to hold one
    uint64_t returnTo = 0, spAfter = 0; ///< where its caller goes on
};
/// The outermost that runs on a thread, of the frames of a call, which begin below `stackAfter`; else the one through
/// which its innermost code of the C library was called, unless that waits in the system.
std::optional<LockedFunction> lockedFunction(lldb::SBThread, uint64_t stackAfter);

/// The signals that a thread blocks, as the system numbers them from bit 0 on; nothing: they are not known, or are
/// those that a system call has for as long as it waits.
std::optional<uint64_t> blockedSignals(int process, SystemThread);

} // namespace sx::debugger::native
