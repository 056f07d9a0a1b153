// Fibers as threads: which one runs, and the stacks of those that stand still.
//
// lldb knows the threads of the system only. To see the stack of a fiber that stands still, one of these is given the
// fiber's registers for a while: everything that lldb can do with a stack, at any level of optimization, it then does
// with that of the fiber. Before the program goes on, the thread gets its own registers back.
#pragma once

#include "debugger/inspect/Fibers.h"
#include "debugger/native/engine/Stack.h"
#include "source/SharedCount.h"

#include <array>
#include <map>

namespace sx::debugger::native {

struct Native;

/// A thread that has the registers of another stack.
struct BorrowedThread {
    static constexpr std::array<const char*, 8> Names = {"r15", "r14", "r13", "r12", "rbx", "rbp", "rsp", "rip"};
    SystemThread thread = 0;
    ThreadId shows = 0; ///< whose stack it is
    std::array<uint64_t, Names.size()> registers{};
    Stack::Place place; ///< of the thread itself
};

struct NativeFibers {
    SharedCount ids; ///< of threads for fibers
    FiberList list;
    bool isRead = false; ///< `list` is as things are now
    std::optional<BorrowedThread> borrowed;
    std::map<ThreadId, SystemThread> ofCore; ///< threads that the target has for stacks of a core file
};

/// The fibers of a program that stands still.
const FiberList& fibersNow(Native&);
/// The program has run.
void forgetFibers(Native&);
/// The fiber that runs in a thread of the system; null: none does.
const FiberRecord* runningFiber(Native&, SystemThread);
/// The number of the fiber on whose stack an address lies; 0: it is a thread's.
uint32_t fiberAt(Native&, uint64_t stackAddress);
/// The fiber that a thread of the debugger is; null: it is one of the system.
const FiberRecord* fiberOfThread(Native&, ThreadId);
/// It has a stack that is not the one of a thread of the system at the moment.
bool isParked(Native&, ThreadId);

/// A thread of the system that shows the stack of a thread or fiber, until another one is asked for.
Result<SystemThread> systemThread(Native&, ThreadId);
/// Of a core file: the target has a thread for each stack that nobody ran on.
void showParkedStacks(Native&);
/// The thread that was borrowed has its own registers again.
void giveBack(Native&);

} // namespace sx::debugger::native
