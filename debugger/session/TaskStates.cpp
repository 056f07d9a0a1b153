// What clients are told of the states of fibers: events `task_state`.
#include "debugger/session/Evaluation.h"
#include "debugger/session/Machine.h"

namespace sx::debugger {

using llvm::json::Object;
using llvm::json::Value;

namespace {

void tell(Session& s, ThreadId id, const char* from, const char* to, const char* reason) {
    machineEvent(
        s, "task_state",
        Object{
            {"id", id}, {"prev_state", from}, {"new_state", to}, {"reason", *reason ? Value(reason) : Value(nullptr)}});
}

} // namespace

void noteTasks(Session& s) {
    MachineState& m = *s.machine;
    Addresses& addresses = s.engine->addresses();
    m.states.clear();
    for (const FiberRecord& r : readFibers(memoryOf(s), addresses.fiberRecords()).records)
        if (r.number != 0 && r.state != FiberState::Done) m.states[addresses.threadOfFiber(r.number)] = r.state;
}

void tellTasks(Session& s) {
    MachineState& m = *s.machine;
    if (!m.wantsTasks()) return;
    Addresses& addresses = s.engine->addresses();
    FiberChanges changes = readFiberChanges(memoryOf(s), addresses.fiberRecords(), m.toldChanges);
    // Of fibers that had their states before changes were logged, or whose changes were forgotten, the end is told too.
    bool areLost = changes.total - m.toldChanges > changes.last.size();
    if (std::exchange(m.lacksStates, false) || areLost) noteTasks(s);
    m.toldChanges = changes.total;
    for (const FiberChange& c : changes.last) {
        if (c.number == 0) continue;
        bool isDone = c.to == FiberState::Done;
        ThreadId id = addresses.threadOfFiber(c.number);
        if (isDone) m.states.erase(id);
        else m.states[id] = c.to;
        const char* reason = isDone ? "finished" : c.to == FiberState::Waiting ? reasonWord(c.reason) : "";
        tell(s, id, stateWord(c.from), stateWord(c.to), reason);
    }
    m.paused = s.stop.thread;
    bool isByUser = s.stop.reason == Stop::Reason::Pause;
    tell(s, m.paused, "running", "paused", isByUser ? "user_pause" : "debug_break");
}

void tellTaskGoesOn(Session& s) {
    MachineState& m = *s.machine;
    if (!s.engine || m.paused == 0) return;
    tell(s, std::exchange(m.paused, 0), "paused", "running", "");
}

void tellTasksEnd(Session& s) {
    MachineState& m = *s.machine;
    if (!m.wantsTasks()) return;
    tellTaskGoesOn(s);
    for (auto [id, state] : m.states) tell(s, id, stateWord(state), "done", "finished");
    m.states.clear();
}

} // namespace sx::debugger
