// A debugger inside the process of an interpreted program: breakpoints, steps, threads that stop together, the places
// of variables, watched memory, calls.
//
// One thread, which runs no interpreted code, gives the orders; the functions of this class are for it unless they say
// otherwise. What happens is told by the functions in `Events`, on whichever thread it happens. Between a stop and the
// next order to go on every thread of the program stands still, or is inside a C function: then, and only then, frames
// are looked at and memory and registers are read and written, and functions are added to the module.
#pragma once

#include "source/Result.h"
#include "vm/DebugHooks.h"
#include "vm/debug/Stack.h"

#include "llvm/ADT/ArrayRef.h"

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <ucontext.h>

namespace sx::vm {

class Program;
struct DebuggedThread;

/// Why the program has stopped.
struct Stop {
    enum class Reason : uint8_t {
        Breakpoint, ///< `breakpoints`
        Step,
        Pause,
        Entry,     ///< the function given to stopAtEntry
        Raise,     ///< an error was raised: `tag`; so are the next three
        Propagate, ///< a `try` passes it on
        Absorb,    ///< `catch`, `or` or a variable takes it
        Unhandled, ///< it has left `main`
        Panic,     ///< `text`; going on ends the program
        Fault,     ///< a signal in interpreted or C code: `signal`, `address`, `text`; going on ends the program
        Watch,     ///< `watches`, `before`, `after`
        Exit,      ///< `main` has returned `exitCode`: no thread stands still for this
    };
    Reason reason{};
    DebugThreadId thread = 0;
    std::vector<int> breakpoints;
    std::string text;
    uint64_t tag = 0; ///< the id of the error
    int signal = 0;
    uint64_t address = 0;
    int sentBy = 0;                     ///< Fault: the process that has sent the signal; 0: it is the code's own
    std::vector<int> watches;           ///< whose memory has changed
    std::vector<uint8_t> before, after; ///< of the first one
    int exitCode = 0;
    bool passedOutput = false; ///< on the way back the program has come by calls that have written output
};

/// When a breakpoint whose predicate holds stops: counts begin at 1.
struct HitCount {
    enum class Rule : uint8_t { Always, Equal, AtLeast, MoreThan, EachMultiple };
    Rule rule = Rule::Always;
    uint64_t count = 0;
};

struct BreakpointOptions {
    /// Asked on the thread that is there, without locks, before hits are counted; null: true. It may print what a
    /// logpoint has to say, and return false. It may use `callHere`.
    std::function<bool(Thread&, const DebugFrame&)> predicate;
    HitCount hits;
};

struct StepOptions {
    enum class Granularity : uint8_t { Statement, Line, Instruction };
    Granularity granularity = Granularity::Statement;
    bool intoLibrary = false;
    /// Into: the index of the call in the innermost frame's code that is entered; others are stepped over.
    std::optional<uint32_t> call;
    /// Into: the function that is entered, whoever calls it; others are stepped over. None: there is no such wish.
    ir::FuncId function = ir::FuncId::None;
    SourcePos from; ///< Line: where execution is shown; invalid: where its statement begins
};

/// The result of the function that a step has left.
struct StepResult {
    ir::FuncId func{};
    uint64_t word = 0;     ///< of a scalar, in canonical form; else the address of the value
    bool inMemory = false; ///< `word` is an address
};

/// A call that a function may make: for a choice of what to step into.
struct CallSite {
    uint32_t index = 0;                   ///< in the code of the function that calls
    ir::FuncId callee = ir::FuncId::None; ///< None: known only when it is made
    Span span;
};

/// How long a call for a debugger may take.
struct CallLimits {
    std::chrono::milliseconds time{2000};
    std::function<bool()> isCancelled{}; ///< asked now and then by who has it called; null: never
};

class Debugger final : public DebugHooks {
public:
    struct Events {
        /// All threads stand still. It must not wait for an order that the same thread would have to give.
        std::function<void(const Stop&)> stopped;
        std::function<void(DebugThreadId, bool started)> thread;
        /// A watched variable is gone with its frame, and so is the watch.
        std::function<void(int watch)> watchEnded;
        /// The thread is about to run an instruction, where `traceInstructions` is on: without locks, on that thread.
        std::function<void(Thread&)> instruction;
        /// Another process has sent a signal that says of a fault: in its handler, on any thread, so it may do what a
        /// handler may do only. True: it is seen to, and the program does not get it now.
        std::function<bool(const siginfo_t&)> faultFromOutside;
    };
    explicit Debugger(Events);
    ~Debugger() override;

    /// Code that steps stop in; null: everything that the compiler has not made. Set before the program runs.
    std::function<bool(ir::FuncId)> isUserCode;

    // ---- threads
    struct ThreadInfo {
        DebugThreadId id = 0;
        long system = 0;    ///< the system's number
        uint32_t fiber = 0; ///< its number (fiber.h); 0: it is a thread of the system
        bool inForeign = false;
        std::string foreignName; ///< of the C function that runs
    };
    /// Fibers that have not begun are among them: they have no frames.
    std::vector<ThreadInfo> threads() const;
    bool isStopped() const;
    /// The program that runs; null before it starts.
    Program* program() const;

    // ---- going on and stopping
    void resume();
    /// Resumes as if the last stop had not been: a step that was under way goes on.
    void ignoreStop();
    /// Stops all threads; the stop that it tells of is that of the thread given, or of the first one. False: the
    /// program has none yet, or any more.
    bool pause(DebugThreadId = 0);
    enum class Step : uint8_t { Over, Into, Out };
    /// Resumes, and stops where the step ends. It goes on through stops of other threads until its own thread stops.
    Result<void> step(DebugThreadId, Step, const StepOptions& = {});
    /// The function that the user calls the program's main one. Set before the program runs.
    ir::FuncId mainFunction = ir::FuncId::None;

    // ---- breakpoints: while the program runs, too, and before a function has its code
    /// One that has the id is replaced.
    void setBreakpoint(int id, ir::FuncId, uint32_t statement, BreakpointOptions = {});
    void setInstructionBreakpoint(int id, ir::FuncId, uint32_t index, BreakpointOptions = {});
    void removeBreakpoint(int id);
    /// Stops once, with the reason Entry, at the first statement of the function.
    void stopAtEntry(ir::FuncId);

    // ---- errors, panics, faults
    struct ErrorFilter {
        bool enabled = false;
        /// Asked on the thread that is there, with the id of the error; null: every error.
        std::function<bool(Thread&, uint64_t tag)> predicate;
    };
    void setErrorFilter(ir::ErrorEventKind, ErrorFilter);
    void setPanicFilter(bool panics, bool faults);

    // ---- while the program stands still
    /// Innermost first. A C function in between has a frame of its own.
    /// `damage`: is told why the walk ended before its end, at a frame that the program has written over.
    std::vector<DebugFrame> frames(DebugThreadId, size_t start, size_t count, std::string* damage = nullptr) const;
    /// Goes on at a statement of the innermost frame.
    Result<void> goTo(DebugThreadId, uint32_t statement);
    /// Unwinds to the frame's call, and makes it again with the arguments as they are now.
    Result<void> restartFrame(DebugThreadId, size_t frame);

    // ---- watching memory
    /// Stops after a change of the bytes. With a frame, the watch ends when the frame does.
    void watch(int id, uint64_t address, uint64_t size, const DebugFrame* frame = nullptr);
    /// The same for a variable; fails if the frame is one of C.
    Result<void> watchVariable(int id, const DebugFrame&, ir::SlotId);
    void removeWatch(int id);

    // ---- calls
    /// Calls a function on the thread's own OS thread, where it stands. `args` are register words, the address for an
    /// aggregate result last; the result is a register word. Breakpoints, filters and watches are off, and the trace
    /// is one of its own. Fails with what the call ended with: a panic, a fault, the limit.
    Result<uint64_t> callFunction(DebugThreadId, ir::FuncId, llvm::ArrayRef<uint64_t> args, CallLimits = {});
    /// The same, from a predicate that the thread itself asks.
    Result<uint64_t> callHere(Thread&, ir::FuncId, llvm::ArrayRef<uint64_t> args, CallLimits = {});

    /// Calls on the thread's own OS thread, where it stands: for what reads its thread-local state, as its trace.
    /// False: the thread is inside a C function.
    bool runOn(DebugThreadId, const std::function<void(Thread&)>&);

    // ---- DebugHooks
    void onProgramStart(Program&) override;
    void onProgramEnd(int exitCode) override;
    void onProgramGone() override;
    bool onBreak(Thread&) override;
    bool onAttention(Thread&) override;
    bool onCall(Thread&, Callee&, uint64_t* frame) override;
    bool onError(Thread&, ir::ErrorEventKind, uint64_t tag) override;
    bool onWrite(Thread&, bool isAhead) override;
    bool onPanic(Thread&, const std::string& text) override;
    void onTranslated(FunctionCode&) override;
    void onThreadStart(Thread&) override;
    void onThreadEnd(Thread&) override;
    void onTurn(Thread&) override;
    void onFiber(FiberEvent, Thread*, uint32_t number) override;
    void onForeignCall(Thread&) override;
    void onForeignReturn(Thread&) override;

    struct State;
    using ThreadState = DebuggedThread;

private:
    friend class TimeTravel;
    friend void traceInstructions(Debugger&, bool on);
    friend void watchFaults(Debugger&);
    friend void forgetEntry(Debugger&);
    friend std::optional<StepResult> stepResult(const Debugger&, DebugThreadId);
    friend std::string damagedFrame(const Debugger&);
    friend bool standInSignal(Debugger&, const std::function<void(DebugThreadId)>& tell);
    friend bool takeSignalOfCall(Debugger&, const siginfo_t&);
    friend bool keepSignal(Debugger&, const siginfo_t&, ucontext_t&);
    friend size_t frameCount(const Debugger&, DebugThreadId);
    friend size_t framesWithin(const Debugger&, DebugThreadId, ir::FuncId);
    friend DebugThreadId threadOfFiber(const Debugger&, uint32_t number);
    friend DebugThreadId threadWithStackAt(const Debugger&, uint64_t address);
    std::unique_ptr<State> state_;
};

/// In the handler of a signal that the program has sent itself: a thread that is inside a C function stops the program,
/// has `tell` pass the stop on, and stands until the program goes on. False: it is not inside one. `tell` is to do what
/// a handler may do only.
bool standInSignal(Debugger&, const std::function<void(DebugThreadId)>& tell);

/// In a signal's handler: a signal that a call of the debugger has sent to the own process ends that call, and the
/// program never gets it. It does not return then, where the call is this thread's and inside C. False: it is none.
bool takeSignalOfCall(Debugger&, const siginfo_t&);

/// Faults, and signals that say of one, go to the debugger from now on; else that begins with the program.
void watchFaults(Debugger&);
/// The entry that it was to stop at has been passed.
void forgetEntry(Debugger&);

/// Tells of instructions (Events::instruction), or not any more.
void traceInstructions(Debugger&, bool on);

/// Of the step that ended last in this thread, until it runs again.
std::optional<StepResult> stepResult(const Debugger&, DebugThreadId);
/// All calls of the function that the innermost frame is of.
std::vector<CallSite> callsOfFunction(const Debugger&, DebugThreadId);
/// The number of frames of a thread that stands still; else 0.
size_t frameCount(const Debugger&, DebugThreadId);
/// How many of the frames that `frames` gives lie within the outermost calls of `outer`.
size_t framesWithin(const Debugger&, DebugThreadId, ir::FuncId outer);
/// Why a thread cannot go on where a debugger has written over one of its frames; "": all of them can.
std::string damagedFrame(const Debugger&);
/// The thread that a fiber is, by its number (fiber.h); 0: there is none.
DebugThreadId threadOfFiber(const Debugger&, uint32_t number);
/// The thread whose frames lie around an address; 0: it is on no stack of the interpreter.
DebugThreadId threadWithStackAt(const Debugger&, uint64_t address);

} // namespace sx::vm
