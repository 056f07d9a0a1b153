// One thread of interpreted execution: its stack and where it stands. Frames are laid out as docs/vm.md says.
#pragma once

#include "vm/Program.h"

#include "sx/trace.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <csetjmp>
#include <memory>

namespace sx::vm {

struct DebuggedThread;
class History;
class CallUndo;

class Thread {
public:
    explicit Thread(Program&);
    /// With stacks of this size, for frames and as much again for large slots.
    Thread(Program&, uint64_t stackBytes);
    ~Thread();
    Thread(const Thread&) = delete;

    enum class Outcome : uint8_t { Returned, Failed, Exited };
    /// Runs a function to its end. `args` are register words, the address for an aggregate result last.
    Outcome call(Callee&, llvm::ArrayRef<uint64_t> args, uint64_t& result);

    // ---- how execution ended
    struct Position {
        ir::FuncId func;
        Span span;
    };
    std::string error;
    Span errorAt;
    std::vector<Position> errorStack; ///< of a failure at compile time: both ends of the frames, innermost first
    uint64_t errorStackOmitted = 0;   ///< frames between its halves
    int exitCode = 0;
    void fail(std::string message); ///< with the position of the current instruction
    void exit(int code);
    bool stopped() const { return outcome_ != Outcome::Returned; }
    Outcome outcome() const { return outcome_; }
    void clearOutcome() { outcome_ = Outcome::Returned; }

    /// Positions of the frames, innermost first: the current instruction, then the calls that lead to it, also through
    /// C.
    std::vector<Position> backtrace(size_t limit = SIZE_MAX) const;

    /// Where execution stands: its file, line and column; empty if that is not known. Needs no frame, takes no lock and
    /// allocates nothing, so a fault may ask.
    sx_frame place() const;
    /// The function in which execution stands, and where that is declared; empty if it is not known.
    sx_frame functionPlace() const;

    // ---- for the interpreter and what it calls out to
    Program& program;
    const Insn* pc = nullptr; ///< saved whenever something outside the dispatch loop runs
    uint64_t* regs = nullptr;
    uint64_t* top = nullptr; ///< first free word: where a nested call begins
    int64_t budget;          ///< steps left at compile time; else branches backwards, calls and returns up to `alarm`
    uint64_t alarm = 0;      ///< so many there have been when the budget is used up

    bool enterFar(uint64_t bytes, uint64_t align, uint64_t& address);
    /// Slots of `bytes` fit where nothing else is on the stack.
    bool hasRoomFor(uint64_t bytes) const { return bytes <= farLimit_; }
    void leaveFar(uint64_t address) { farTop_ = address; }
    /// A frame may begin here: the largest one still fits.
    const uint64_t* frameLimit() const { return frameLimit_; }
    /// A call of the debugger begins, which has some more of the stacks than the program, or has ended.
    void useSpare(bool uses);
    bool onStack(uint64_t address, uint64_t size) const;
    /// It is on one of the stacks, after what the function at `regs` has: what is there belonged to functions that
    /// returned.
    bool isLeft(uint64_t address) const {
        if (address - far_ < farBytes_) return address >= farTop_;
        if (address - reinterpret_cast<uint64_t>(stack_) >= stackBytes_) return false;
        const FunctionCode* code = reinterpret_cast<const Callee*>(regs[HeaderCallee])->code;
        return code && address >= reinterpret_cast<uint64_t>(regs + code->frameWords);
    }
    /// In the frame of the function that the outermost `call` ran: what is left of it, not of those that it called.
    bool inFrameOf(const Callee& outermost, uint64_t address, uint64_t size) const;

    /// The C function that runs; null while interpreted code does. For what is said of a crash.
    const std::string* foreign = nullptr;
    /// Where to go when a failure cannot be returned through the C functions in between; null: nowhere.
    sigjmp_buf* escape = nullptr;

    /// The call at `pc` waits for other threads, and has done its part before that: what it waits for, from 1. 0: it
    /// has done nothing.
    uint64_t ticket = 0;

    /// Where `pthread_exit` leads to in a thread that C has begun, and what it was given; null: nowhere.
    sigjmp_buf* leave = nullptr;
    uint64_t leftWith = 0;

    static Thread*& current(); ///< of this OS thread: what a C function that calls back reaches

    // ---- for debuggers
    DebuggedThread* debugged = nullptr; ///< what a debugger keeps of the thread
    std::shared_ptr<History> history;   ///< null where none is kept
    CallUndo* undo = nullptr;           ///< of the call that the debugger makes on it; null: none, or it stays
    bool wentBack = false;              ///< `pc` and `regs` are of a moment gone back to, where the loop is to go on
    sigjmp_buf* landing = nullptr;      ///< leads to the loop, out of signal handlers and C
    /// Over the frames, innermost first, until `visit` returns false. Without code: C functions, which the call `at` in
    /// the frame `regs` has led to.
    using VisitFrame = llvm::function_ref<bool(const FunctionCode*, const Insn* at, uint64_t* regs)>;
    /// `isChecked`: nothing is believed of frames that the program may have written over. Returns what is wrong with
    /// the frame after the last one; null: nothing.
    const char* walkFrames(VisitFrame, bool isChecked = false) const;
    /// The name, or what else is said, of the C function that the call `at` in the frame `regs` leads to.
    std::string foreignCallee(const Insn* at, const uint64_t* regs) const;

    /// Where execution stands, to come back to after a call in between.
    struct Standing {
        const Insn* pc;
        uint64_t *regs, *top;
        int64_t budget;
        uint64_t farTop;
        unsigned depth;
        const std::string* foreign;
        sigjmp_buf* escape;
        Thread* current;
        uint64_t ticket;
    };
    /// What a switch of fibers changes, in a program that can be gone back in (RecordedFibers.h): kept in the log
    /// before it changes.
    struct Side {
        bool isParked = false;   ///< it is in a switch, `parked`, and had done `parkedCount` by itself
        bool hasTrace = false;   ///< … and has left `sideTrace`
        bool isGone = false;     ///< of a fiber: it has ended, or was not begun yet
        bool takesValue = false; ///< what the switch gives goes to the program
        uint64_t shift = 0;      ///< so many branches, calls and returns have others on the system's thread done before
        uint64_t parkedCount = 0;
        uint64_t value = 0;        ///< what the switch gives
        Thread* resumer = nullptr; ///< of a fiber that runs
        Standing parked{};
    } side;
    std::unique_ptr<sx_trace_state> sideTrace;
    Thread* home = this; ///< that of the system's thread, which is no fiber
    // Of `home`:
    Thread* runs = this;          ///< of its fibers and itself the one that runs
    Thread* bottom = this;        ///< the one whose loop C waits for
    Thread* switchesTo = nullptr; ///< the loop of the one that runs ends for this one
    bool goesOn = false;          ///< the loop begins at `pc`, after a switch
    /// How many branches backwards, calls and returns it has done itself.
    uint64_t ownCount() const { return alarm - static_cast<uint64_t>(budget); }

    Standing standing() const { return {pc, regs, top, budget, farTop_, depth_, foreign, escape, current(), ticket}; }
    /// Whatever ended the call is forgotten.
    void standAt(const Standing&);
    /// Of a moment gone back to, at which so many branches backwards, calls and returns had been. For another thread,
    /// too, which waits.
    void putBack(Standing, uint64_t count);
    /// The same, where it is parked in a switch of fibers.
    void putBackParked() { putBack(side.parked, side.parkedCount + side.shift); }
    /// As it was made, with nothing on its stacks.
    void empty();
    /// Makes the frame of a function that C calls first.
    uint64_t* hostFrame(Callee&, llvm::ArrayRef<uint64_t> args);

private:
    Outcome run(Callee&, uint64_t* frame);
    Outcome runRecorded(Callee&, uint64_t* frame);
    Outcome runInTurns(uint64_t* frame);
    bool leadsToC(const Insn* at, const uint64_t* regs) const;
    void keepStack();
    uint64_t* stack_;
    const uint64_t* frameLimit_;
    uint64_t stackBytes_;
    uint64_t far_, farTop_, farBytes_;
    uint64_t farLimit_; ///< bytes that may be used
    Outcome outcome_ = Outcome::Returned;
    unsigned depth_ = 0; ///< of nested calls through C
};

enum class Mode : uint8_t {
    Plain,
    Checked, ///< accesses through pointers are checked and steps are counted
    Debug,   ///< a debugger is told
    Record,  ///< and what going back needs is kept
    Undo,    ///< as Debug, and what is written can be undone (CallUndo.h)
    Taped,   ///< as Plain, and the thread takes turns with others (replay/Turns.h)
};

/// The dispatch loop. Runs from `pc` until the frame that the host made returns.
template <Mode> Thread::Outcome interpret(Thread&, const Insn* pc, uint64_t* regs);

/// What a panic says: WHAT in `panic: WHAT at …`.
std::string panicText(ir::PanicKind, const uint64_t operands[3]);

} // namespace sx::vm
