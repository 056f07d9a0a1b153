// A program under lldb, told without lldb's types: the plugin implements it, the executable uses it.
//
// The executable has LLVM linked into itself and liblldb brings another one, so the two meet at this interface only,
// which has nothing but types of the standard library. Addresses are run-time addresses. All functions are called from
// one thread; a thread of the plugin listens to lldb and makes the descriptor readable.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sx::debugger::native {

/// The system's number of a thread.
using SystemThread = uint64_t;

struct LaunchOptions {
    std::string program;
    std::vector<std::string> args;        ///< without the program itself
    std::vector<std::string> environment; ///< `NAME=VALUE`, the whole of it
    std::string cwd;
    /// Descriptors of this process that the program gets as 0, 1, 2, …; -1: it has none of this number.
    std::vector<int> stdio;
};

/// Why one thread stands still.
struct ThreadStop {
    enum class Kind : uint8_t { Breakpoint, SingleStep, Signal, Watchpoint, Other } kind{};
    SystemThread thread = 0;
    uint64_t pc = 0;
    int signal = 0;                       ///< Signal
    bool isSent = false;                  ///< Signal: by `sender`, a process, not by the system; false also: not known
    bool hasOrigin = false;               ///< Signal: it is known whether it was sent
    bool isByThread = false;              ///< Signal: it was sent to this thread alone, as abort() and raise() do
    int sender = 0;                       ///< Signal
    std::string text;                     ///< Signal: what lldb says of it
    std::optional<uint64_t> faultAddress; ///< Signal: of the access
    uint64_t watched = 0;                 ///< Watchpoint: its address
    bool isPast = false;                  ///< it stands at a breakpoint that it does not come to any more
};

/// What the program did.
struct TargetEvent {
    enum class Kind : uint8_t {
        Stopped, ///< all threads; `stops` has those that have a reason of their own
        Exited,  ///< with `status`
        Lost,    ///< the debug server is gone, or let go of the program
        Hit,     ///< a thread is at a filtered breakpoint, and `settle` is waited for
    } kind{};
    std::vector<ThreadStop> stops; ///< Hit: one
    int status = 0;                ///< 128 + N where signal N ended it
    std::string text;
    uint64_t framePointer = 0; ///< Hit: of the thread
    /// Hit: whether the program goes on; else another event tells of the stop. Until then `readMemory` is all that may
    /// be asked. Does nothing where there has been a stop meanwhile.
    std::function<void(bool goesOn)> settle = nullptr;
};

/// A stack that stands still, by a number that no thread of the program has.
struct ParkedStack {
    SystemThread thread = 0;
    std::array<uint64_t, 8> registers{}; ///< r15, r14, r13, r12, rbx, rbp, rsp, rip
};

struct TargetThread {
    SystemThread thread = 0;
    std::string name;
};

/// A frame of a stopped thread; inlined calls have frames of their own.
struct TargetFrame {
    uint64_t pc = 0, cfa = 0, sp = 0, fp = 0;
    std::string name;   ///< of the function, else of the symbol
    std::string symbol; ///< that the pc lies in, with the name that the linker knows
    std::string module; ///< path of the file
    std::string file;
    uint32_t line = 0, column = 0;
    bool inlined = false;
};

/// A name that lldb has made up, for code of which nothing says a name.
inline bool isMadeUp(std::string_view name) { return name.starts_with("___lldb_unnamed_symbol"); }

/// A variable that debug information knows in a frame.
struct TargetVariable {
    std::string name;
    uint32_t line = 0; ///< of its declaration
    bool inScope = false;
    uint64_t address = 0;       ///< where it is in memory; 0: not there
    std::vector<uint8_t> bytes; ///< its value, where it is not in memory
    std::string error;          ///< why there is neither
};

struct TargetInstruction {
    uint64_t address = 0;
    std::vector<uint8_t> bytes;
    std::string mnemonic, operands, symbol, file;
    uint32_t line = 0, column = 0;
};

struct TargetSymbol {
    std::string name;
    uint64_t address = 0, size = 0;
};

/// An argument of a call, or a part of one, or a result.
struct CallValue {
    CallValue(uint64_t bits = 0) : bits(bits) {}

    uint64_t bits;
    uint8_t size = 8; ///< in bytes
    enum class Kind : uint8_t {
        Unsigned,
        Signed,
        Float, ///< whatever travels in a vector register
        Bytes, ///< an argument that lies on the stack in any case: `bytes`
    } kind = Kind::Unsigned;
    std::vector<uint8_t> bytes;
    uint64_t align = 8; ///< Bytes: it begins at a multiple of this
};

/// A part of a result that comes in one register.
struct CallPiece {
    uint64_t offset = 0;   ///< within the result, in bytes
    uint8_t size = 8;      ///< in bytes
    bool isVector = false; ///< the register is a vector register
};

/// A call of a function of C. An argument that takes several registers is several values, which all have one left.
struct ProgramCall {
    std::chrono::milliseconds limit{2000};
    std::function<bool()> isCancelled; ///< asked now and then while the call runs; null: never
    uint64_t address = 0;
    std::vector<CallValue> args;
    size_t named = 0; ///< arguments that parameters have
    bool hasResult = false;
    CallValue result;
    uint64_t resultSize =
        0; ///< of a struct, in bytes, which comes as `pieces`, or where the first argument says; else 0
    std::vector<CallPiece> pieces;
};

/// What `Target::call` says of a call that has ended the program.
constexpr const char* EndedByCall = "ended the program";

struct TargetRegister {
    std::string name, text;
};

struct MemoryRegion {
    std::string name;
    uint64_t start = 0, end = 0;
    bool readable = false, writable = false, executable = false;
};

/// A file of code that the program has loaded.
struct TargetModule {
    std::string path;
    uint64_t slide = 0; ///< is added to addresses of the file
};

/// What a line of lldb's own command language has done.
struct TargetCommand {
    std::string text;  ///< what it wrote
    bool ok = true;    ///< false: it failed, and the text says why
    bool runs = false; ///< the program goes on, or has done so
    bool gone = false; ///< lldb has let go of the program
};

class Target {
public:
    virtual ~Target() = default;

    /// Each returns why it failed, or nothing. After `launch` and `attach` the program stands still; no event tells it.
    virtual std::string launch(const LaunchOptions&) = 0;
    virtual std::string attach(int pid, const std::string& program) = 0;
    virtual std::string openCore(const std::string& core, const std::string& program) = 0;
    /// Shows stacks of a core file on which nobody ran, each as a thread that `threads` and `stops` leave out.
    virtual std::string addStacks(const std::vector<ParkedStack>&) = 0;

    /// Readable while there are events.
    virtual int eventDescriptor() const = 0;
    virtual std::optional<TargetEvent> nextEvent() = 0;

    // ---- running

    /// Threads that are `held` stand still until the program stops. `filtered`: breakpoints that mostly nobody stops
    /// for; hits of those that can be passed over quickly are told as such, until the program stops or breakpoints are
    /// changed.
    virtual std::string resume(const std::vector<SystemThread>& held = {}, const std::set<uint64_t>& filtered = {}) = 0;
    /// One instruction of one thread; the others stand still.
    virtual std::string stepInstruction(SystemThread) = 0;
    /// Asks for a stop without a reason.
    virtual std::string interrupt() = 0;
    /// In force from the next resume on. While the program runs they may be changed too.
    virtual void addBreakpoints(const std::vector<uint64_t>& addresses) = 0;
    virtual void removeBreakpoints(const std::vector<uint64_t>& addresses) = 0;
    /// By the hardware, one at an address. Returns why not, or nothing.
    virtual std::string addWatchpoint(uint64_t address, uint64_t size) = 0;
    virtual void removeWatchpoint(uint64_t address) = 0;
    virtual void kill() = 0;
    virtual std::string detach() = 0;
    virtual int processId() const = 0;

    // ---- while the program stands still

    virtual std::vector<TargetThread> threads() = 0;
    /// Why threads stand still, as the last event said it; of a core file what ended them.
    virtual std::vector<ThreadStop> stops() = 0;
    /// `count` frames from `start` on, the innermost is 0. Fewer: the stack ends there.
    virtual std::vector<TargetFrame> frames(SystemThread, uint32_t start, uint32_t count) = 0;
    /// The parameters and locals of a frame, shadowed and not yet declared ones too.
    /// With the name of a global variable only what the frame calls so, as its thread has it: a local may hide it.
    virtual std::vector<TargetVariable> variables(SystemThread, uint32_t frame, const std::string& global = {}) = 0;
    virtual std::vector<TargetRegister> registers(SystemThread, uint32_t frame) = 0;
    virtual std::optional<uint64_t> readRegister(SystemThread, uint32_t frame, const std::string& name) = 0;
    virtual std::string writeRegister(SystemThread, uint32_t frame, const std::string& name, uint64_t value) = 0;
    /// Writes a variable that is not in memory.
    virtual std::string writeVariable(SystemThread, uint32_t frame, const std::string& name, uint32_t line,
                                      const std::vector<uint8_t>& bytes) = 0;

    /// The number of bytes that were read: fewer where memory cannot be read.
    virtual size_t readMemory(uint64_t address, void* out, size_t size) = 0;
    virtual bool writeMemory(uint64_t address, const void* bytes, size_t size) = 0;
    /// Calls a function on a thread. It is left as it was, too, where the call crashes or reaches a limit.
    /// Returns what happened to the call, as `crashed: …`, or nothing. `result` is its bits, zero-extended; of a struct
    /// the address where it lies, until the program runs again.
    virtual std::string call(SystemThread, const ProgramCall&, uint64_t& result) = 0;
    /// New memory of the program, which can be read and written; 0: there is none.
    virtual uint64_t allocate(size_t size) = 0;
    virtual std::vector<MemoryRegion> regions() = 0;

    // ---- the program's file

    /// The program's file, which comes first, and the libraries that are loaded.
    virtual std::vector<TargetModule> modules() = 0;
    virtual std::optional<TargetSymbol> symbolAt(uint64_t address) = 0;
    /// The address of a symbol of any module, 0 if there is none.
    virtual uint64_t symbolAddress(const std::string& name) = 0;
    /// The same of a function that modules offer each other, as its callers find it.
    virtual uint64_t functionAddress(const std::string& name) = 0;
    virtual std::vector<TargetInstruction> disassemble(uint64_t address, uint32_t count) = 0;

    /// Carries out a line of lldb's own command language while the program stands still.
    virtual TargetCommand command(const std::string& line) = 0;
};

/// Changes with the interface: the executable does not use a plugin of another one.
constexpr uint32_t TargetVersion = 9;

/// What the plugin exports. Made targets are deleted by the caller.
using TargetVersionFunction = uint32_t (*)();
using MakeTargetFunction = Target* (*)();
constexpr const char* TargetVersionSymbol = "sx_native_version";
constexpr const char* MakeTargetSymbol = "sx_native_target";

} // namespace sx::debugger::native
