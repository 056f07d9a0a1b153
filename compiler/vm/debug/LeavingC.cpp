#include "vm/debug/LeavingC.h"

#include "vm/Thread.h"

#include "source/LockedFunctions.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <string>
#include <unwind.h>

namespace sx::vm {

using CallEnd = DebuggedThread::CallEnd;
using Leaving = DebuggedThread::Leaving;

namespace {

/// Where the functions begin that hold locks, in the order of their names; null: there is none.
void* lockedStarts[std::size(LockedFunctions)];

_Unwind_Reason_Code countNothing(_Unwind_Context*, void*) { return _URC_END_OF_STACK; }

[[noreturn]] void leaveNow(DebuggedThread& self) { siglongjmp(*self.jump, 3); }

} // namespace

void prepareToLeaveC() {
    for (size_t i = 0; i < std::size(LockedFunctions); ++i)
        lockedStarts[i] = dlsym(RTLD_DEFAULT, std::string(LockedFunctions[i]).c_str());
    _Unwind_Backtrace(countNothing, nullptr); // what it needs is loaded
}

#if defined(__x86_64__)

/// Where a function of the C library comes back to in place of its caller.
extern "C" void sxvm_left_library();
extern "C" void sxvm_leave_call() { leaveNow(*Thread::current()->debugged); }
asm(R"(
    .text
    .p2align 4
    .globl sxvm_left_library
    .hidden sxvm_left_library
    .type sxvm_left_library, @function
sxvm_left_library:
    .cfi_startproc
    .cfi_undefined rip
    call sxvm_leave_call
    ud2
    .cfi_endproc
    .size sxvm_left_library, .-sxvm_left_library
)");

namespace {

/// Over the frames of a call, innermost first.
struct Search {
    const DebuggedThread& self;
    const char* name = nullptr;      ///< of the outermost function that holds a lock
    uintptr_t* returnTo = nullptr;   ///< where its frame says where it comes back to
    const char* innerName = nullptr; ///< the frame before the one that is looked at is of this one
    unsigned left = 200;             ///< frames: there may be no end
};

_Unwind_Reason_Code look(_Unwind_Context* frame, void* data) {
    auto& search = *static_cast<Search*>(data);
    const uintptr_t pc = _Unwind_GetIP(frame), sp = _Unwind_GetCFA(frame);
    if (search.innerName) {
        auto* slot = reinterpret_cast<uintptr_t*>(sp - sizeof(uintptr_t));
        if (*slot == pc) {
            search.returnTo = slot;
            search.name = search.innerName;
        }
        search.innerName = nullptr;
    }
    if (search.self.callStack.contains(sp) || --search.left == 0) return _URC_END_OF_STACK;
    const uintptr_t start = _Unwind_GetRegionStart(frame);
    for (size_t i = 0; start != 0 && i < std::size(LockedFunctions); ++i)
        if (reinterpret_cast<uintptr_t>(lockedStarts[i]) == start) search.innerName = LockedFunctions[i].data();
    return _URC_NO_REASON;
}

} // namespace

void leaveC(DebuggedThread& self) {
    if (self.leaving == Leaving::Later) return;
    if (self.leaving == Leaving::Now) leaveNow(self);
    Search search{self};
    if (self.callStack.end != 0) _Unwind_Backtrace(look, &search);
    if (!search.returnTo) leaveNow(self);
    self.lockedIn = search.name;
    self.leaving = Leaving::Later;
    *search.returnTo = reinterpret_cast<uintptr_t>(&sxvm_left_library);
}

#else

void leaveC(DebuggedThread& self) { leaveNow(self); }

#endif

StackAbove stackAbove(const void* from) {
    const auto at = reinterpret_cast<uintptr_t>(from);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long start = 0, end = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx", &start, &end) == 2 && at >= start && at < end) return {at, end};
    }
    return {};
}

namespace {

/// Over the frames of a call, innermost first, for the one that a jump leads to.
struct Landing {
    const StackAbove& outside;
    const LongJump& to;
    uintptr_t sp = 0, start = 0; ///< of the frame before the one that is looked at
    bool isFound = false;        ///< the jump's stack pointer lies in a frame of the call
    bool isThere = false;        ///< that is of the function to which it goes
    unsigned left = 1000;        ///< frames: there may be no end
};

_Unwind_Reason_Code land(_Unwind_Context* frame, void* data) {
    auto& landing = *static_cast<Landing*>(data);
    const uintptr_t sp = _Unwind_GetCFA(frame), to = landing.to.sp;
    landing.isFound = landing.sp != 0 && to >= landing.sp && to < sp;
    if (landing.isFound) {
        void* function = _Unwind_FindEnclosingFunction(reinterpret_cast<void*>(landing.to.pc));
        landing.isThere = !function || landing.start == reinterpret_cast<uintptr_t>(function);
    }
    landing.sp = sp;
    landing.start = _Unwind_GetRegionStart(frame);
    bool isOver = landing.isFound || landing.outside.contains(sp) || --landing.left == 0;
    return isOver ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// Whether the jump goes to a call that is over: below the frames of this one, or to a frame that another function has
/// now. One to another stack is between coroutines.
bool isGone(const StackAbove& outside, const LongJump& to) {
    constexpr uintptr_t StackBytes = 8 << 20; // as far below as the same stack reaches
    const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    if (to.sp < here) return here - to.sp < StackBytes;
    Landing landing{outside, to};
    if (to.sp < outside.from) _Unwind_Backtrace(land, &landing);
    return landing.isFound && !landing.isThere;
}

} // namespace

void refuseLongJump(const LongJump& to) {
    Thread* t = Thread::current();
    DebuggedThread* self = t ? t->debugged : nullptr;
    if (!self || self->calls == 0 || !self->jump || !t->foreign || self->callStack.end == 0) return;
    if (self->callStack.contains(to.sp)) self->callEnd = CallEnd::Jump;
    else if (isGone(self->callStack, to)) self->callEnd = CallEnd::LateJump;
    else return;
    leaveNow(*self);
}

} // namespace sx::vm
