// Out of a C function in whose midst a call of the debugger has to end.
#pragma once

#include "vm/debug/ThreadState.h"

namespace sx::vm {

/// All that `leaveC` needs is there. On a thread that may wait.
void prepareToLeaveC();

/// In a signal's handler, on the thread, which is inside C code that its call has led to: goes to where the call ends,
/// and returns never. Where the C library holds a lock it returns: the thread goes there by itself, as soon as the
/// library's function comes back (DebuggedThread::Leaving).
void leaveC(DebuggedThread&);

/// The stack of the calling thread, from `from` to its end; empty: it is not known.
StackAbove stackAbove(const void* from);

/// Where a `longjmp` goes.
struct LongJump {
    uintptr_t sp = 0, pc = 0;
};
/// The calling thread is about to go there. Where that leads out of a call of the debugger, or to a call that is over,
/// it ends the call, and returns never.
void refuseLongJump(const LongJump&);

} // namespace sx::vm
