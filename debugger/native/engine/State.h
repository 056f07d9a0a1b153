// What the engine for machine code knows of its program while it runs.
#pragma once

#include "debugger/native/engine/Addresses.h"
#include "debugger/native/engine/Fibers.h"
#include "debugger/native/engine/PageCache.h"
#include "debugger/native/engine/Stack.h"
#include "ir/Dominators.h"

#include <deque>
#include <functional>
#include <set>

namespace sx::debugger::native {

/// A step that is under way.
struct StepPlan {
    StepRequest request;
    SystemThread thread = 0;
    uint32_t fiber = 0;         ///< the number of the fiber that is stepped; 0: the thread itself
    uint64_t cfa = 0;           ///< of the frame in which the step may end
    uint32_t copy = UINT32_MAX; ///< that it began in
    bool isOfC = false;         ///< it began in C code, of which other functions are the user's then, too
    SourcePos from;             ///< where it began; invalid: a step by lines ends at any statement
    uint32_t callsBefore = 0;   ///< of the function that is wanted, from the place where the wanted call begins, too
    std::set<uint64_t> starts;  ///< statements of the frame
    std::set<uint64_t> entries; ///< functions that the step may enter
    uint64_t returnTo = 0, returnCfa = 0;    ///< where it goes on if the frame returns, and in which frame; 0: nowhere
    ir::FuncId returning = ir::FuncId::None; ///< the function whose result is there then
    bool isInterrupted = false;              ///< it returns as a signal's handler, to where the signal has come
    uint64_t backTo = 0; ///< in a call that has come back to the same code: where the frame goes on; 0: in none
};

/// What code calls, by its instructions.
struct CalledCode {
    std::set<uint64_t> targets; ///< addresses
    bool isIndirect = false;    ///< there are calls whose target is not known
};

/// A watched piece of memory.
struct Watch {
    uint32_t id = 0;
    uint64_t address = 0, size = 0;
    uint64_t frameCfa = 0;                         ///< it ends with this frame; 0: never
    uint64_t stackLow = 0, stackHigh = UINT64_MAX; ///< the frame lies in between; else nothing is said of it
    SystemThread thread = 0;
    std::vector<uint8_t> bytes;
    uint64_t returnTo = 0; ///< by the hardware: where the frame's caller goes on; 0: it has no frame
};

/// Single steps for watched memory (WatchTurns.h).
struct WatchTurns {
    struct Thread {
        bool inProgram = false; ///< it stands in code of the program; else it is run through
        uint64_t returnTo = 0;  ///< where it comes back to the program then; 0: that is not known
        bool isEnding = false;  ///< it was there and does not come back
    };
    std::map<SystemThread, Thread> threads;
    SystemThread stepped = 0; ///< that makes a step, or was the last to do so
    bool isStep = false;      ///< the turn is a step of that one; else of all but those that are held
    std::vector<SystemThread> held;
    unsigned steps = 0, patience = 0; ///< since others have run; how many there may be
    std::set<uint64_t> entries;       ///< of functions that code outside of the program may call
    int timer = -1;                   ///< ends a turn of others
};

/// An event that has happened when a call is over.
struct PendingError {
    ErrorPlace place;
    SystemThread thread = 0;
    uint64_t address = 0, cfa = 0;
};

/// A write in code that the program does not know, as in `memcpy`: it is told where the program goes on.
struct PendingWrite {
    Stop stop;
    SystemThread thread = 0;
    uint64_t address = 0, cfa = 0;
};

/// What watched memory held, by the ids of watches.
using WatchedBytes = std::map<uint32_t, std::vector<uint8_t>>;

/// Where a signal that the program handles has come to a thread at a breakpoint that was seen to: it comes to that once
/// more when the handler is done.
struct InterruptedPlace {
    SystemThread thread = 0;
    uint64_t pc = 0, cfa = 0;
};

/// What comes where a thread stands that has written.
enum class AfterWrite : uint8_t {
    Within,    ///< the statement goes on to the next one, or to a call, before anything else can happen
    Elsewhere, ///< another round of a loop, or the end of the function
    Over,      ///< the next statement, a call, or what is not known
};

/// A thread has written, and makes single steps to the end of its statement before that is told (HeldWrites.h).
struct HeldWrite {
    SystemThread thread = 0;
    uint64_t writer = 0; ///< an address of the file in the instruction that has written
    uint32_t steps = 0;
};

/// An object file in the program's memory that it has announced (AnnouncedCode.h).
struct AnnouncedObject {
    uint64_t entry = 0; ///< in the program's list
    uint64_t address = 0, size = 0;
    auto operator<=>(const AnnouncedObject&) const = default;
};

/// A stop that is not told yet, and where threads stand when it is.
struct WaitingStop {
    WaitingStop(Stop stop) : stop(std::move(stop)) {}
    WaitingStop(Stop stop, const Stack::Place& place) : stop(std::move(stop)), place(place) {}

    Stop stop;
    std::optional<Stack::Place> place; ///< nothing: as for the stop before
};

/// A breakpoint whose hits are decided before lldb hears of them (FilteredHits.h).
struct FilteredPlace {
    Frame frame; ///< that a thread has there, but for its address
    uint32_t copy = UINT32_MAX;
};

/// A thread is at one.
struct FilteredHit {
    const FilteredPlace* place = nullptr; ///< null: none is
    uint64_t framePointer = 0;
    std::function<void(bool goesOn)> settle;
};

/// An instruction that leads elsewhere; addresses of the file.
struct CodeJump {
    uint64_t from = 0, to = 0;
};

enum class RunState : uint8_t { None, Loaded, Running, Stopped, Ended };

/// The state of one engine. Functions over it stand in a header for each idea: Running, Events, Errors, Step, Watches.
struct Native {
    explicit Native(NativeProgram about)
        : program(std::move(about)),
          heldImage(program.image ? program.image : std::make_shared<ProgramImage>(program.module, program.pathOf)),
          image(*heldImage), slots(program.module, image), stack(program, image, slots) {}

    uint64_t toRun(uint64_t fileAddress) const { return fileAddress + slide; }
    uint64_t toFile(uint64_t address) const { return address - slide; }
    /// Watched memory is compared after single steps.
    bool stepsForWatches() const { return !watches.empty() && !watchesByHardware; }

    NativeProgram program;
    std::shared_ptr<ProgramImage> heldImage;
    ProgramImage& image;
    BlockSlots slots;
    std::unique_ptr<Target> target;
    PageCache memory{target};
    Stack stack;
    uint64_t slide = 0; ///< what is added to addresses of the file
    NativeAddresses addresses{*this};

    int descriptor = -1, ownEvents = -1;
    std::vector<Event> events;
    RunState state = RunState::None;
    std::optional<TargetEvent> earlyEnd; ///< it ended while it was loaded, as when a library is not there
    bool isTraced = true;                ///< its code keeps traces of errors
    bool loadsCode = false;              ///< it may load code itself, and is stopped where it does
    bool isUnloading = false;            ///< the dynamic linker is about to unload files
    /// Files of code that are loaded, by paths and slides: which copies of functions were read of them, from one to
    /// before another.
    std::map<std::pair<std::string, uint64_t>, std::pair<uint32_t, uint32_t>> modules;
    std::map<AnnouncedObject, std::pair<uint32_t, uint32_t>> announced; ///< the same of code that the program has made
    uint64_t announcement = 0; ///< the function by which it announces that; 0: there is none
    bool stopsAtEntry = false, isAttached = false, pauseWanted = false, isCore = false, isTerminating = false;
    std::function<void()> whenStill;            ///< is called once, when the program stands still
    std::deque<WaitingStop> waiting;            ///< stops to be told when the user goes on
    std::map<SystemThread, ThreadId> threadIds; ///< of threads that live
    ThreadId lastThreadId = 0;
    NativeFibers fibers;

    std::map<uint32_t, BreakpointRequest> breakpoints;
    std::map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> places; ///< address: ids and statements
    bool hasChanges = false;  ///< of breakpoints or filters, that lldb does not know yet
    std::set<uint64_t> armed; ///< breakpoints that lldb has
    std::vector<ErrorFilter> filters;
    std::map<uint64_t, ErrorPlace> errorPlaces; ///< that filters want, by address
    std::map<uint64_t, std::string> panics;     ///< functions that panic, by address
    uint64_t unhandled = 0; ///< the function that reports an error that has left `main`; 0: no filter wants it
    std::vector<PendingError> pendingErrors;
    std::map<SystemThread, uint64_t> lastBreaks; ///< where a breakpoint was the last that a thread has stopped for
    std::vector<InterruptedPlace> interrupted;
    SystemThread endingThread = 0; ///< on which a signal is to end the program, when it goes on; 0: on none
    std::set<int> endingSignals;   ///< those by which the program ends itself after a stop that said so

    Stop lastStop;                              ///< that was told
    std::map<uint64_t, FilteredPlace> filtered; ///< by address
    FilteredHit hit;

    std::optional<StepPlan> step, ignoredStep;
    bool stepsInstruction = false;
    bool runsByCommand = false; ///< of lldb's own, which says where it ends
    std::vector<Watch> watches;
    std::vector<PendingWrite> pendingWrites;
    std::optional<HeldWrite> held;
    ir::StatementOrder order;
    /// Of threads that have written at an address of the file and stand at a run-time address.
    std::map<std::pair<uint64_t, uint64_t>, AfterWrite> afterWrites;
    bool watchesByHardware = false;      ///< those that there are
    std::map<uint64_t, uint64_t> pieces; ///< by the hardware: addresses of its watchpoints, and their sizes
    WatchTurns turns;
    std::optional<Engine::Returned> returned;
    SystemThread returnedThread = 0;
    std::map<std::pair<SystemThread, uint32_t>, std::vector<TargetVariable>> variables;
    std::map<uint32_t, std::vector<CodeJump>> jumps; ///< of optimized functions, by copy, as far as they were asked for
    std::map<uint32_t, CalledCode> calls; ///< of foreign code: what each copy calls, as far as it was asked for
};

/// Where a variable is declared, as debug information tells it apart: its line, 1-based; 0: nowhere.
inline uint32_t lineOf(const Native& n, const ir::Slot& slot) {
    return slot.span.isValid() ? n.program.module.sources.resolve(slot.span.begin).line : 0;
}

} // namespace sx::debugger::native
