#include "debugger/native/engine/WatchTurns.h"

#include "debugger/native/engine/Watches.h"

#include <algorithm>
#include <climits>
#include <sys/timerfd.h>
#include <unistd.h>

namespace sx::debugger::native {

namespace {

constexpr unsigned FewSteps = 64, ManySteps = 1024; ///< between turns of those that are run through
/// Where all threads but those that are held end in a turn, lldb may let the held ones go: others are to leave the
/// program first.
constexpr unsigned LeastForEnding = 4096;
constexpr long TurnNanoseconds = 1'000'000;

bool isInProgram(Native& n, uint64_t pc) { return !n.image.copiesAt(n.toFile(pc)).empty(); }

/// Where a thread that is not in the program's code comes back to it.
uint64_t returnOf(Native& n, SystemThread thread) {
    constexpr uint32_t MostFrames = 100;
    uint64_t sp = n.target->readRegister(thread, 0, "rsp").value_or(0);
    uint64_t called = n.memory.word(sp).value_or(0); // right after a call
    if (called != 0 && isInProgram(n, called - 1)) return called;
    for (uint32_t i = 1; i < MostFrames; ++i) {
        const StackFrame* f = n.stack.frame(thread, i);
        if (!f) break;
        if (isInProgram(n, f->frame.pc - 1)) return f->frame.pc;
    }
    return 0;
}

void look(Native& n, SystemThread thread) {
    auto [at, isNew] = n.turns.threads.try_emplace(thread);
    bool wasInProgram = isNew || at->second.inProgram;
    at->second.inProgram = isInProgram(n, n.target->readRegister(thread, 0, "rip").value_or(0));
    if (at->second.inProgram) at->second.returnTo = 0;
    else if (wasInProgram) {
        at->second.returnTo = returnOf(n, thread);
        at->second.isEnding = !isNew && at->second.returnTo == 0;
    }
}

void setTimer(Native& n, long nanoseconds) {
    itimerspec time{};
    time.it_value.tv_nsec = nanoseconds;
    timerfd_settime(n.turns.timer, 0, &time, nullptr);
}

/// Functions whose address somebody has; without an IR all.
std::set<uint64_t> entriesOf(Native& n) {
    std::set<uint64_t> out;
    auto add = [&](ir::FuncId func) {
        for (uint32_t copy : n.image.copiesOf(func))
            if (n.image.copies()[copy].depth == 0) out.insert(n.toRun(n.image.copies()[copy].entry));
    };
    const ir::Module& module = n.program.module;
    for (size_t f = 0; f < module.functions.size(); ++f) {
        if (module.functions[f]->isExport || n.image.isForeign(ir::FuncId(f))) add(ir::FuncId(f));
        for (const ir::Instr& instr : module.functions[f]->instrs)
            if (instr.op == ir::Op::FuncAddr) add(ir::FuncId(instr.imm));
    }
    for (const ir::Global& global : module.globals)
        for (const ir::Reloc& reloc : global.init.relocs)
            if (reloc.kind == ir::Reloc::Kind::Function) add(ir::FuncId(reloc.id));
    return out;
}

} // namespace

void beginTurns(Native& n) {
    WatchTurns fresh;
    fresh.timer = n.turns.timer;
    fresh.patience = FewSteps;
    n.turns = std::move(fresh);
}

std::string takeTurn(Native& n, SystemThread only) {
    WatchTurns& turns = n.turns;
    std::vector<SystemThread> inProgram;
    unsigned patience = UINT_MAX;
    for (auto& [thread, place] : turns.threads) {
        if (place.inProgram) inProgram.push_back(thread);
        else patience = std::min(patience, place.isEnding ? LeastForEnding : turns.patience);
    }
    turns.isStep = only != 0 || (!inProgram.empty() && turns.steps < patience);
    turns.held.clear();
    if (turns.isStep) {
        ++turns.steps;
        auto next =
            std::find_if(inProgram.begin(), inProgram.end(), [&](auto thread) { return thread > turns.stepped; });
        turns.stepped = only != 0 ? only : next == inProgram.end() ? inProgram.front() : *next;
        return n.target->stepInstruction(turns.stepped);
    }
    turns.steps = 0;
    turns.held = inProgram;
    if (!inProgram.empty()) setTimer(n, TurnNanoseconds);
    return n.target->resume(inProgram);
}

std::vector<ThreadStop> ofTurn(Native& n, const std::vector<ThreadStop>& stops) {
    std::vector<ThreadStop> out;
    const WatchTurns& turns = n.turns;
    std::copy_if(stops.begin(), stops.end(), std::back_inserter(out), [&](const ThreadStop& stop) {
        bool isHeld = std::count(turns.held.begin(), turns.held.end(), stop.thread) != 0;
        return turns.isStep ? stop.thread == turns.stepped : !isHeld;
    });
    return out;
}

std::vector<Stop> endTurn(Native& n, const std::vector<ThreadStop>& stops) {
    WatchTurns& turns = n.turns;
    setTimer(n, 0);
    SystemThread writer = turns.stepped;
    if (!turns.isStep) {
        writer = 0;
        for (auto& [thread, id] : n.threadIds) {
            if (std::count(turns.held.begin(), turns.held.end(), thread) != 0) continue;
            look(n, thread);
            if (writer == 0) writer = thread;
        }
        bool hasReturned = false;
        for (const ThreadStop& stop : stops)
            if (turns.threads[stop.thread].inProgram) hasReturned = true, writer = stop.thread;
        turns.patience = hasReturned ? FewSteps : std::min(2 * turns.patience, ManySteps);
    } else if (n.threadIds.count(writer) != 0) {
        look(n, writer);
    }
    for (const ThreadStop& stop : stops) endWatches(n, stop);
    std::optional<Stop> written = writtenWatch(n, writer);
    return written ? std::vector<Stop>{std::move(*written)} : std::vector<Stop>();
}

void endLongTurn(Native& n) {
    uint64_t count = 0;
    bool isOver = read(n.turns.timer, &count, sizeof count) == sizeof count;
    if (isOver && n.state == RunState::Running && n.stepsForWatches() && !n.turns.isStep) n.target->interrupt();
}

void addTurnPlaces(Native& n, std::set<uint64_t>& addresses) {
    std::erase_if(n.turns.threads, [&](auto& thread) { return n.threadIds.count(thread.first) == 0; });
    bool areOthers = false;
    for (auto& [id, number] : n.threadIds) {
        if (n.turns.threads.count(id) == 0) look(n, id);
        const WatchTurns::Thread& thread = n.turns.threads[id];
        if (thread.returnTo != 0) addresses.insert(thread.returnTo);
        areOthers |= !thread.inProgram;
    }
    if (areOthers && n.turns.entries.empty()) n.turns.entries = entriesOf(n);
    addresses.insert(n.turns.entries.begin(), n.turns.entries.end());
}

} // namespace sx::debugger::native
