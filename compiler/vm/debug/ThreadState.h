// What a debugger keeps of a thread of the program.
#pragma once

#include "vm/History.h"
#include "vm/debug/Debugger.h"

#include "llvm/ADT/SmallVector.h"

#include <chrono>
#include <csetjmp>

namespace sx::vm {

/// A part of a thread's stack, up to its end.
struct StackAbove {
    uintptr_t from = 0, end = 0;
    bool contains(uintptr_t at) const { return at >= from && at < end; }
};

/// A step on its way, by breakpoints that count for one frame only: at the statements of the frame, at its returns, and
/// then where its caller goes on.
struct StepPlan {
    bool isOn = false;
    uint64_t number = 0; ///< tells steps apart
    Debugger::Step kind{};
    StepOptions options;
    enum class Phase : uint8_t {
        Within,    ///< in `frame`, up to its next statement or its return
        Returning, ///< `frame` is the caller, which is about to go on
    } phase{};
    uint64_t* frame = nullptr;
    const FunctionCode* code = nullptr; ///< of `frame`
    bool stopsWithin = false;           ///< at statements of `frame`; else only its return counts
    bool hasResult = false;             ///< Returning: what returns gives something back, or is not known
    bool endsHere = false;              ///< in front of where it began, if nothing else stops there
    SourcePos from;                     ///< where it began; invalid: not known
    const Insn* begin = nullptr;        ///< it begins in front of this place, which does not end it; null: behind it
    /// Functions that are being entered: where the step ends in them.
    struct Entry {
        const Insn* at;
        uint64_t* frame;
    };
    llvm::SmallVector<Entry, 2> entries;
    std::vector<const Insn*> marked; ///< instructions that have a breakpoint for this
};

struct DebuggedThread {
    enum class Run : uint8_t {
        Running,
        Standing, ///< it waits for orders
        Foreign,  ///< in a C function: it touches nothing of the interpreter before it has asked
    };

    DebugThreadId id = 0;
    long system = 0;
    uint32_t fiber = 0; ///< its number (fiber.h); 0: it is a thread of the system
    Thread* thread = nullptr;
    std::atomic<Run> run{Run::Running};
    bool standsInForeign = false; ///< Standing, after a C function that has not returned to its caller yet
    bool isTold = false;          ///< the client knows that it is there

    Instant arrived;         ///< where going back has ended last, if in this thread
    bool isRecalled = false; ///< it stands in a call of C that waits: it has taken the turn where all wait, to go back
    bool isInSignal = false; ///< it stands in the handler of a signal that it has sent, inside C
    bool isEnding = false;   ///< it stands at a panic or a fault: the program ends when it goes on

    StepPlan step;
    StepPlan suspended; ///< what was under way when the thread stopped: it goes on if the stop is ignored
    std::optional<StepResult> result;
    /// It stands in front of this instruction and of what stops there; null: behind them.
    const Insn* ahead = nullptr;
    const Insn* looked = nullptr;       ///< where watched memory was looked at last, or it has gone on
    const uint64_t* lookedIn = nullptr; ///< in this frame
    const Insn* afterCall = nullptr;    ///< a step has come back to here from a call that gave something back
    bool isBeforeNext = false;          ///< it stands at `afterCall`, and what stops in front of that is still to come
    const Insn* wrote = nullptr; ///< `afterCall` is behind what ends the body of a loop: here it has written last

    bool isAtWrite = false; ///< what it has written right before was told where it stands

    /// It stands behind what ends the body of a loop, and is shown where it has written last; null: where it stands.
    void showAt(const Insn* at) {
        wrote = at;
        afterCall = at ? thread->pc : nullptr;
    }

    /// What the thread is to do while it stands; null: nothing.
    std::shared_ptr<const std::function<void(Thread&)>> order;

    // ---- a call that the debugger makes: for the thread itself
    unsigned calls = 0;               ///< that are being made, one within another
    std::chrono::milliseconds time{}; ///< that the call may take
    std::chrono::steady_clock::time_point deadline;
    sigjmp_buf* jump = nullptr; ///< where a fault leaves to, and what ends a call
    /// Why the call has to end; others set it, and signal handlers.
    enum class CallEnd : uint8_t {
        None,
        Late,
        Cancelled,
        Signal,
        Jump,     ///< out of it, by `longjmp`
        LateJump, ///< likewise, to a call that is over
    };
    std::atomic<CallEnd> callEnd{CallEnd::None};
    StackAbove callStack; ///< what the program has on the thread's stack outside of the call; empty: not known
    enum class Leaving : uint8_t {
        No,
        Later, ///< when `lockedIn` comes back
        Now,   ///< it does not come back
    };
    std::atomic<Leaving> leaving{Leaving::No}; ///< the C function in which the call has to end
    const char* lockedIn = nullptr;            ///< the function of the C library that holds a lock there
    bool isTellingFault = false;               ///< one is on its way to the client
    int faultSignal = 0;
    uint64_t faultAddress = 0;

    void* signalStack = nullptr;
};

} // namespace sx::vm
