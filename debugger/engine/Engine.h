// What a session asks of whoever runs the program. Both engines implement this; neither knows the protocol.
//
// All calls come from the session's thread and return at once; what happens in the program is told by events. Frames,
// slots and memory may be asked for while the program is stopped only.
#pragma once

#include "debugger/inspect/CValue.h"
#include "debugger/inspect/CallLimits.h"
#include "debugger/inspect/Datum.h"
#include "ir/Ir.h"
#include "source/Result.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sx::vm {
class RecordingReader;
}

namespace sx::debugger {

/// The answer to a request that was cancelled, and why what it had begun has failed.
inline constexpr const char* Cancelled = "cancelled";

/// From 1, in order of appearance; the main thread is 1.
using ThreadId = uint32_t;

/// A place where a statement begins: both engines agree on it.
struct CodePoint {
    ir::FuncId func = ir::FuncId::None;
    uint32_t statement = 0; ///< index into ir::Function::statements
    friend bool operator==(const CodePoint&, const CodePoint&) = default;
    friend auto operator<=>(const CodePoint&, const CodePoint&) = default;
};

struct ThreadInfo {
    ThreadId id = 0;
    std::string name;
    uint32_t fiber = 0;  ///< it is a fiber: its number (inspect/Fibers.h); 0: a thread of the system
    uint64_t system = 0; ///< the system's number of a thread
};

/// What an error does when a stop at it is wanted.
enum class ErrorEvent : uint8_t { Raise, Propagate, Absorb, Unhandled, Panic };

/// Why the program stopped. Loaded: there is code now in which breakpoints may find their places; nobody stops for
/// that.
struct Stop {
    enum class Reason : uint8_t { Entry, Breakpoint, Step, Pause, Error, Signal, Watch, Goto, Loaded } reason{};
    ThreadId thread = 0;
    std::vector<uint32_t> breakpoints; ///< ids that were hit
    ErrorEvent event{};                ///< Error
    uint64_t tag = 0;                  ///< Error but for Panic: the tag's number
    std::string text;                  ///< Panic: what it says; Signal: its name and what is known; else a remark or ""
    int signal = 0;                    ///< Signal
    /// Signal, of those that are sent: whether the program itself, another process or the system has sent it.
    enum class Sender : uint8_t { None, Itself, Other, System } sender{};
    uint64_t address = 0;               ///< Watch: what was written
    std::vector<uint8_t> before, after; ///< Watch: its bytes
    bool passedOutput = false;          ///< on the way back there were calls that have written output
};

struct Event {
    enum class Kind : uint8_t {
        Stopped,       ///< `stop`; all threads stand still
        ThreadStarted, ///< `thread`
        ThreadEnded,   ///< `thread`
        Exited,        ///< `code`: the exit status, 128 + N for signal N. The last event
        WatchEnded,    ///< `id`: its variable is gone
        Resolved,      ///< `id`: the breakpoint has code now
        Continued,     ///< the program goes on, as a command of the engine's own command line has it
        Note,          ///< `text` is for the user
        Hit,           ///< `stop`, at breakpoints with conditions: `settle` is waited for
    } kind{};
    Stop stop;
    ThreadId thread = 0;
    uint32_t id = 0;
    int code = 0;
    std::string text;
    /// Hit: false for `goesOn` where a Stopped event is to come of it. Of the program the innermost frame, its
    /// variables and memory can be asked for until then, as far as they are found.
    std::function<void(bool goesOn)> settle = nullptr;
};

/// One frame of a stopped thread.
struct Frame {
    std::string name;                   ///< as traces spell it; of C code its symbol
    ir::FuncId func = ir::FuncId::None; ///< None: no function of the program
    /// Of the innermost statement where it begins, if execution stands at its beginning; else of the call or the
    /// instruction. Invalid where the code is not the program's.
    SourcePos at;
    uint32_t statement = UINT32_MAX; ///< that the instruction belongs to; UINT32_MAX: none
    bool atStatement = false;        ///< execution stands where `statement` begins
    bool isLeft = false;             ///< an error has left it; `at`, if it is valid, is one of the places that it left
    ir::ScopeId scope = 0;           ///< of the instruction
    std::string file;                ///< of C code with debug information
    uint32_t line = 0, column = 0;   ///< 1-based, bytes; 0: not known
    uint64_t pc = 0;                 ///< address of the instruction
    uint64_t address = 0;            ///< tells frames apart while the thread is stopped or runs on
    bool inlined = false;
};
struct Frames {
    std::vector<Frame> frames;
    std::optional<uint32_t> total; ///< if the whole stack was walked
};

/// Where a variable is.
struct SlotPlace {
    enum class Kind : uint8_t { Memory, Register, Unavailable } kind = Kind::Unavailable;
    uint64_t address = 0;       ///< Memory; Register: of what holds it, where that is memory as well; 0: nowhere
    std::vector<uint8_t> bytes; ///< Register: its value in the layout of memory
    std::string why;            ///< Unavailable: `optimized out`, `not set`
    /// Memory, in C code: of an array, how many elements it has in each dimension, the outermost first; empty: its type
    /// says that.
    std::vector<uint64_t> counts{};
    /// Register: those of the bytes that the optimizer has left nowhere.
    std::vector<ByteRange> missing{};
};

/// Stops where a condition on errors holds.
struct ErrorFilter {
    ErrorEvent event{};
    /// Tags that stop; empty: all.
    std::vector<uint64_t> tags;
};

struct FilterScope {
    std::string problem; ///< why such stops cannot be had, in a program without traces; empty: they can
    std::string limit;   ///< which are left out; empty: none
};

/// A call to step into.
struct StepTarget {
    ir::FuncId callee = ir::FuncId::None; ///< None: known only when it is made
    Span span;                            ///< of the call; invalid: there is no target, any call will do
    bool isGiven = false;                 ///< `callee` is a lambda that a call is given: it is entered whoever calls it
};

struct StepRequest {
    enum class Kind : uint8_t { Over, Into, Out, Instruction, Back, Reverse } kind{};
    ThreadId thread = 1;
    bool byLine = false;        ///< to the next line instead of the next statement
    bool byInstruction = false; ///< Back: to the instruction before
    bool intoCalls = false;     ///< Back: to the statement before, also of a function that was called and has returned
    bool intoLibrary = false;   ///< Into: library code counts as the user's
    StepTarget target;          ///< Into: only this call of the innermost frame
};

struct BreakpointRequest {
    uint32_t id = 0;
    std::vector<CodePoint> points;
    std::vector<uint64_t> addresses; ///< instruction breakpoints
    CodePoint within;                ///< of these: where the names of the texts are looked up
    /// Seen to by the engine if it `evaluatesConditions`; checked before. Log messages are told by notes.
    std::string condition, hitCondition, logMessage;
};

struct Instruction {
    uint64_t address = 0;
    std::vector<uint8_t> bytes;
    std::string mnemonic, operands, symbol;
    ir::FuncId func = ir::FuncId::None; ///< the program's function that it is of; None: another's code
    SourcePos at;
    std::string file;
    uint32_t line = 0, column = 0;
};

struct RegisterValue {
    std::string name, text;
};

/// How a program is started. File descriptors are the session's; an engine copies what it needs.
struct StartRequest {
    std::string program;           ///< executable; of the vm engine the .sx file
    std::vector<std::string> args; ///< without the program itself
    std::string cwd;
    std::vector<std::pair<std::string, std::optional<std::string>>> environment; ///< to set, or to remove
    std::vector<int> stdio; ///< descriptors for 0, 1, 2, …; -1: closed
    bool stopOnEntry = false;
    std::optional<bool> trackHeap;               ///< what `environment` has for it, too: a replay has another one
    bool record = false;                         ///< keeps what going back needs
    uint64_t historyBytes = uint64_t{256} << 20; ///< of that
    std::string recordingFile; ///< what enters the program from outside is written there; empty: nowhere
    std::string recordSpec;    ///< a description of further functions of C, as text
    std::string replayFile;    ///< runs what was recorded there again; empty: it runs as any program
    std::shared_ptr<vm::RecordingReader> replay; ///< what that file has
    int process = 0;  ///< a process of the program that runs already, instead of a new one; 0: none
    std::string core; ///< a core file of one, instead
    /// `program` is a compiler that makes machine code of the program in its own memory, and runs it there.
    bool inMemory = false;
    /// Asked now and then while the program makes its code or loads its libraries: false ends that. Null: never.
    std::function<bool()> goesOn{};
    bool isUntraced = false; ///< with `inMemory`: the code that it makes keeps no traces of errors
};

/// The error return trace of a thread, and how frames of it are told.
struct TraceSource {
    std::vector<uint8_t> state; ///< an sx_trace_state; empty: it cannot be had
    bool packedFrames = false;  ///< frames are packed (function, offset) pairs; else addresses of sx_frame
};

class MachineView;

/// Calls functions of C in a stopped program.
class Caller {
public:
    virtual ~Caller() = default;
    /// On a thread that stands still. `address`: of the function; 0: that of its symbol. Addresses in the arguments are
    /// of the program. Fails where it takes or gives what cannot be passed, crashes, or reaches a limit.
    virtual Result<CValue> call(ThreadId, const ir::Function&, uint64_t address, llvm::ArrayRef<CValue> args,
                                const CallLimits&) = 0;
    /// A fiber runs on the system's thread on which this one is called.
    virtual bool isInFiber(ThreadId) = 0;
};

class Engine {
public:
    virtual ~Engine() = default;

    /// Becomes readable when `poll` has something.
    virtual int eventDescriptor() const = 0;
    virtual std::vector<Event> poll() = 0;

    /// Loads the program and stops before its first statement; breakpoints may be set from here on. No event is sent.
    virtual Result<void> start(const StartRequest&) = 0;
    /// Lets the loaded program run. With `stopOnEntry`, here or before, an Entry stop follows.
    virtual Result<void> run(bool stopOnEntry) = 0;

    virtual void setBreakpoint(const BreakpointRequest&) = 0; ///< adds or replaces the one of this id
    virtual void removeBreakpoint(uint32_t id) = 0;
    virtual void setErrorFilters(const std::vector<ErrorFilter>&) = 0;
    /// After changes of breakpoints and filters while the program runs: from here on they are in force.
    virtual void applyChanges() {}
    /// What a filter of an event can do in this program.
    virtual FilterScope filterScope(ErrorEvent) const { return {}; }
    virtual Result<void> setWatch(uint32_t id, uint64_t address, uint64_t size) = 0;
    virtual Result<void> setWatchSlot(uint32_t id, ThreadId, uint32_t frame, ir::SlotId) = 0;
    virtual void removeWatch(uint32_t id) = 0;

    virtual Result<void> resume() = 0;
    /// Goes on as if the last stop had not been: a step that was under way goes on.
    virtual Result<void> ignoreStop() = 0;
    virtual Result<void> step(const StepRequest&) = 0;
    virtual Result<void> pause() = 0;
    virtual Result<void> goTo(ThreadId, CodePoint) = 0;
    virtual Result<void> restartFrame(ThreadId, uint32_t frame) = 0;

    virtual std::vector<ThreadInfo> threads() = 0;
    /// `count` frames from `start` on, the innermost is 0. Frames of start-up and of the runtime are left out.
    virtual Frames frames(ThreadId, uint32_t start, uint32_t count) = 0;
    virtual SlotPlace slot(ThreadId, uint32_t frame, ir::SlotId) = 0;
    /// A global variable of which each thread has its own: that of a frame's thread. Nothing: it is none such.
    virtual std::optional<SlotPlace> threadLocal(ThreadId, uint32_t /*frame*/, ir::GlobalId) { return std::nullopt; }
    /// Writes a variable that is in a register.
    virtual Result<void> writeSlot(ThreadId, uint32_t frame, ir::SlotId, const std::vector<uint8_t>&) = 0;
    virtual std::vector<RegisterValue> registers(ThreadId, uint32_t frame) = 0;
    virtual TraceSource trace(ThreadId) = 0;
    /// After a step out: the function that returned and its result; nothing otherwise.
    struct Returned {
        ir::FuncId func = ir::FuncId::None;
        SlotPlace place;
    };
    virtual std::optional<Returned> returned(ThreadId) = 0;

    virtual Memory& memory() = 0;
    /// New memory of the program, which is zero and stays: for values that were made outside. The program may give it
    /// back to the allocator of C. 0: there is none.
    virtual uint64_t allocate(uint64_t bytes) = 0;
    virtual Addresses& addresses() = 0;
    /// The machine's own view of the program.
    virtual MachineView& machine() = 0;

    /// A value that the program holds.
    struct ProgramValue {
        TypeId type{};
        uint64_t address = 0;
        bool isResult = false; ///< of a call that may fail
    };
    struct Reading;
    /// A variable of the debugger's own: memory of the program that an expression has a name for.
    struct GivenPlace {
        std::string name;
        TypeId type{};
        uint64_t address = 0;
        bool isInnermost = false; ///< it hides what the program calls so; else the program's names hide it
        bool isConstant = false;  ///< no expression writes it
        std::shared_ptr<const Reading> reading{}; ///< that has made the type; null: it is not known
    };
    /// An expression as it was read at a place of the program. The program may lack its type: whoever reads it again
    /// has a type of the same layout.
    struct Reading {
        std::string text;
        ir::FuncId func = ir::FuncId::None;
        SourcePos at;
        ir::ScopeId scope = 0;
        std::vector<GivenPlace> given;
    };
    /// What is run by the program: text, what it may name beyond the program, and the type that its value has in the
    /// session; None: it does not compile there.
    struct ProgramText {
        std::string text;
        std::vector<GivenPlace> given;
        TypeId type{};
    };
    /// Runs an expression by the program itself, on a thread of it, whatever it does. The value stays; one that could
    /// not be shown is refused before anything runs. `isCancelled` is asked now and then: the run ends where it says
    /// so.
    virtual Result<ProgramValue> runInProgram(ThreadId, uint32_t /*frame*/, const ProgramText&,
                                              const std::function<bool()>& /*isCancelled*/) {
        return Failure{"this engine makes no calls in the program"};
    }
    /// Null: functions of C are called by `runInProgram` only.
    virtual Caller* caller() { return nullptr; }
    /// A command of the engine's own command line.
    virtual Result<std::string> command(const std::string&) { return Failure{"this engine has no command line"}; }

    /// Sends a signal for an orderly end; a second time the program is killed.
    virtual void terminate() = 0;
    virtual void kill() = 0;
    /// Lets go of the program, which runs on.
    virtual void detach() = 0;

    /// It decides by itself whether a breakpoint stops: all that it tells of do.
    virtual bool evaluatesConditions() const = 0;
    /// What this engine can do beyond the others, as the protocol names it.
    virtual llvm::json::Object capabilities() const { return {}; }
    /// The system's number of the program's process; 0: it is not known.
    virtual int processId() const = 0;
};

} // namespace sx::debugger
