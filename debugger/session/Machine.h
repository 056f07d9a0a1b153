// What a client has asked for of the machine's own view: what was negotiated, watches, the instructions that have run.
#pragma once

#include "debugger/engine/MachineView.h"
#include "debugger/inspect/Fibers.h"
#include "debugger/session/Session.h"

namespace sx::debugger {

/// A place whose changes are told.
struct MachineWatch {
    uint32_t id = 0;
    std::string expression;
    uint64_t address = 0, size = 0;
    TypeId type{};
    std::vector<uint8_t> bytes; ///< as last told; empty: they could not be read
    ThreadId thread = 0;        ///< of a local, or a part of one
    ir::FuncId func{};          ///< likewise
    uint64_t frame = 0;         ///< likewise: Frame::address; 0: it is none
    bool ended = false;         ///< the local is gone with its frame
};

struct MachineState {
    // ---- what was negotiated
    int64_t session = 0; ///< its number; 0: none was opened
    std::vector<std::string> features;
    std::string mode = "development";
    uint32_t traceSize = 100;
    bool has(const char* feature) const;
    /// Whether instructions are recorded: `trace`, or what tells of each.
    bool records() const;
    /// Whether each is told by an event.
    bool wantsSteps() const { return has("trace_step") || has("events"); }

    std::vector<MachineWatch> watches;
    uint32_t nextWatch = 1;

    bool wantsTasks() const { return has("task_state") || has("events"); }
    uint64_t toldChanges = 0;              ///< of the states of fibers
    ThreadId paused = 0;                   ///< of which was told that it stands still for the debugger; 0: none
    std::map<ThreadId, FiberState> states; ///< of fibers that are not done, as last told
    bool lacksStates = false;              ///< fibers may be there that `states` does not have

    uint64_t told = 0;                        ///< instructions of which events were sent
    std::shared_ptr<const FiberList> fibers;  ///< as the request that is handled has read them; null: it has not
    std::vector<TracedInstruction> stoppedAt; ///< native: the instructions at which the program has stopped
};

/// There is a program that has not ended.
bool isLive(const Session&);
/// It is machine code, of which no instructions are recorded.
bool isNative(const Session&);

/// Looks at the fields that any of these requests may carry: `version`, `session`, `pid`. A wrong one is rejected.
void checkAddressed(const Session&, Arguments&);
/// The answer of such a request.
Reply answered(llvm::json::Object body);
/// An event with its time and the process.
void machineEvent(Session&, const char* name, llvm::json::Object body);

/// The file and the line of a place in code; null where they are not known.
llvm::json::Value fileOf(const Session&, SourcePos, const std::string& file);
llvm::json::Value lineOf(const Session&, SourcePos, uint32_t line);

/// A program was loaded: what was negotiated before is in force for it.
void beginMachine(Session&);
/// The program has stopped: changes of watched places are told, and the place is noted.
void noteStop(Session&);
void tellWatches(Session&);
/// Where each instruction is told: so are the changes that it makes to watched places.
void traceWatches(Session&);
/// A watched place holds something else: it is told.
void tellWatch(Session&, MachineWatch&, std::vector<uint8_t> now);
/// The program stands still: tells what became of its fibers since, and that the one that runs is paused.
void tellTasks(Session&);
/// Reads the states of all fibers, without telling them.
void noteTasks(Session&);
/// The program goes on.
void tellTaskGoesOn(Session&);
/// The program has ended, and its fibers with it.
void tellTasksEnd(Session&);
/// Sends the events of instructions that have run, where the client wants them.
void tellTracedInstructions(Session&);

} // namespace sx::debugger
