// What the dispatch loop and the calls to C tell a debugger. A program without one never gets here.
//
// The loop of a program under a debugger asks `attention` where it could run for ever: at branches backwards, at calls,
// and after calls of C. Everything else reaches the debugger by instructions that stand in the code for it.
#pragma once

#include "vm/code/Bytecode.h"

#include <atomic>
#include <string>

namespace sx::vm {

class Program;
class Thread;
struct Callee;

class DebugHooks {
public:
    virtual ~DebugHooks() = default;

    /// What the loop looks at, in `attention`.
    enum Attention : uint32_t {
        Halt = 1,    ///< all threads are to stop
        Limit = 2,   ///< a call that the debugger makes has a limit of time
        Calls = 4,   ///< a step looks for the function that it leads into
        Signals = 8, ///< a thread has kept signals, whose handlers are to run
        Pauses = Halt | Limit | Signals,
    };
    std::atomic<uint32_t> attention{0};
    /// One bit for each ir::ErrorEventKind that is asked for.
    std::atomic<uint32_t> errorKinds{0};
    /// What instructions do that may change what is watched, in `watching`.
    enum Effect : uint32_t {
        WritesMemory = 1,
        WritesFrame = 2,
        Frames = 4, ///< they begin or end one
        Any = 8,    ///< whatever they do
    };
    std::atomic<uint32_t> watching{0};
    /// Of several threads the one whose instruction may change what is watched, until that was looked at.
    std::atomic<const Thread*> writer{nullptr};

    /// What runs has run before: nobody is to be told of it.
    std::atomic<bool> runsAgain{false};
    /// The process is a copy of the program's, which has no debugger: all hooks do nothing.
    std::atomic<bool> isCopy{false};

    // The thread has saved where it stands. These return false where it has to leave the loop, and may have changed
    // where it goes on.

    /// At an instruction with a breakpoint, before it runs.
    virtual bool onBreak(Thread&) = 0;
    /// `attention` asks for something other than calls; or the budget of a thread with a history is used up.
    virtual bool onAttention(Thread&) = 0;
    /// A function is about to be entered; its frame, with the arguments, is `frame`.
    virtual bool onCall(Thread&, Callee&, uint64_t* frame) = 0;
    virtual bool onError(Thread&, ir::ErrorEventKind, uint64_t tag) = 0;
    /// The instruction before the current one may have changed what is watched. `isAhead`: the current one may do so:
    /// waits until the thread may be `writer`.
    virtual bool onWrite(Thread&, bool isAhead) = 0;
    /// The program is about to end with this panic. False: only the call that the debugger makes ends.
    virtual bool onPanic(Thread&, const std::string& text) = 0;

    virtual void onProgramStart(Program&) = 0;
    /// `main` has returned.
    virtual void onProgramEnd(int exitCode) = 0;
    /// Its code and its frames are about to go.
    virtual void onProgramGone() = 0;
    /// A function has its code, which no thread runs yet.
    virtual void onTranslated(FunctionCode&) = 0;
    /// A thread begins to run interpreted code, and has left it for good. In a replay it may be put back.
    virtual void onThreadStart(Thread&) = 0;
    virtual void onThreadEnd(Thread&) = 0;
    /// Of threads that take turns in a replay: it has its turn after it had been put back, or another one had its own.
    virtual void onTurn(Thread&) = 0;
    enum class FiberEvent : uint8_t {
        Lost,      ///< its stack is about to go, before its thread has left the interpreted code
        Again,     ///< of a program that can be gone back in: it begins, and had begun before it was put back
        Ended,     ///< … and may be put back
        Switched,  ///< … it, or who has resumed it, goes on
        Forgotten, ///< … it will not be put back any more, and is about to go
    };
    /// `number` is the fiber's (fiber.h). Null: only that is known.
    virtual void onFiber(FiberEvent, Thread*, uint32_t number) = 0;
    /// Around a call of C. What C calls back is interpreted code again: from onEnter to onLeave.
    virtual void onForeignCall(Thread&) = 0;
    virtual void onForeignReturn(Thread&) = 0;
};

} // namespace sx::vm
