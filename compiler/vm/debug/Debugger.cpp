// The state of a debugger, its orders to stop and go on, and what threads do when they get to something.
#include "vm/debug/World.h"

#include "vm/CallOut.h"
#include "vm/Thread.h"
#include "vm/replay/Tape.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <algorithm>
#include <cerrno>

namespace sx::vm {

Debugger::Debugger(Events events) : state_(std::make_unique<State>(*this, std::move(events))) {}

Debugger::~Debugger() = default;

Program* Debugger::program() const { return state_->program; }

void Debugger::onProgramStart(Program& program) {
    std::scoped_lock lock(state_->programMutex);
    state_->program = &program;
    state_->steps.program = &program;
    state_->watchFaults();
}

void Debugger::onProgramEnd(int exitCode) {
    if (isCopy) return;
    Stop stop;
    stop.reason = Stop::Reason::Exit;
    stop.exitCode = exitCode;
    if (ThreadState* main = state_->find(1)) stop.thread = main->id;
    if (state_->events.stopped) state_->events.stopped(stop);
}

void Debugger::onProgramGone() {
    if (isCopy) return;
    std::scoped_lock program(state_->programMutex);
    std::scoped_lock lock(state_->mutex);
    state_->places.forgetCode();
    state_->order = {};
    state_->program = nullptr;
    state_->steps.program = nullptr;
}

// ---- going on and stopping

bool Debugger::isStopped() const {
    std::scoped_lock lock(state_->mutex);
    return state_->isStopped;
}

void Debugger::resume() {
    std::unique_lock lock(state_->mutex);
    if (state_->isStopped)
        for (const auto& t : state_->threads) state_->steps.drop(*t);
    state_->goOn();
}

void Debugger::ignoreStop() {
    std::unique_lock lock(state_->mutex);
    if (state_->isStopped)
        for (const auto& t : state_->threads) state_->steps.goOn(*t);
    state_->goOn();
}

bool Debugger::pause(DebugThreadId id) {
    std::unique_lock lock(state_->mutex);
    if (state_->threads.empty()) return false;
    if (state_->isStopped) return true;
    state_->halt(lock, nullptr);
    ThreadState* shown = state_->find(id);
    for (const auto& t : state_->threads)
        if (!shown && !isParked(*t->thread)) shown = t.get();
    if (!shown) shown = state_->threads.front().get();
    for (const auto& t : state_->threads) state_->steps.end(*t);
    state_->back.cancel();
    state_->updateAttention();
    Stop stop;
    stop.reason = Stop::Reason::Pause;
    stop.thread = shown->id;
    state_->tellEnded(lock, state_->back.takeEnded());
    lock.unlock();
    if (state_->events.stopped) state_->events.stopped(stop);
    return true;
}

Result<void> Debugger::step(DebugThreadId id, Step kind, const StepOptions& options) {
    std::unique_lock lock(state_->mutex);
    ThreadState* t = state_->find(id);
    if (!t) return Failure{"there is no thread " + std::to_string(id)};
    if (!state_->isStopped) return Failure{"the program is running"};
    const bool endsHere = state_->steps.endsInPlace(*t, kind, options);
    const Places::Breakpoints* there = state_->places.at(t->thread->pc);
    if (endsHere && (!there || there->empty())) {
        state_->steps.end(*t);
        t->result.reset();
        t->afterCall = nullptr;
        t->isBeforeNext = t->isAtWrite = false;
        Stop stop;
        stop.reason = Stop::Reason::Step;
        stop.thread = id;
        lock.unlock();
        if (state_->events.stopped) state_->events.stopped(stop);
        return {};
    }
    Result<void> begun = state_->steps.begin(*t, kind, options);
    if (!begun) return begun;
    t->step.endsHere = endsHere;
    for (const auto& other : state_->threads) state_->steps.drop(*other);
    state_->goOn();
    return begun;
}

std::optional<StepResult> stepResult(const Debugger& debugger, DebugThreadId id) {
    std::scoped_lock lock(debugger.state_->mutex);
    DebuggedThread* t = debugger.state_->find(id);
    return t ? t->result : std::nullopt;
}

// ---- breakpoints

namespace {

std::shared_ptr<Breakpoint> newBreakpoint(int id, ir::FuncId f, uint32_t where, BreakpointOptions options) {
    auto b = std::make_shared<Breakpoint>();
    b->id = id;
    b->func = f;
    b->where = where;
    b->options = std::move(options);
    return b;
}

constexpr int EntryBreakpoint = INT32_MIN;

} // namespace

void Debugger::setBreakpoint(int id, ir::FuncId f, uint32_t statement, BreakpointOptions options) {
    state_->set(newBreakpoint(id, f, statement, std::move(options)));
}

void Debugger::setInstructionBreakpoint(int id, ir::FuncId f, uint32_t index, BreakpointOptions options) {
    std::shared_ptr<Breakpoint> b = newBreakpoint(id, f, index, std::move(options));
    b->isInstruction = true;
    state_->set(std::move(b));
}

void Debugger::removeBreakpoint(int id) { state_->remove(id); }

void Debugger::stopAtEntry(ir::FuncId f) {
    std::shared_ptr<Breakpoint> b = newBreakpoint(EntryBreakpoint, f, Breakpoint::First, {});
    b->isEntry = true;
    state_->set(std::move(b));
}

void forgetEntry(Debugger& debugger) { debugger.state_->remove(EntryBreakpoint); }

/// The thread is at a mark of a step that counts for another frame or thread: what recursion meets most. Its own step
/// changes only while it stands.
static bool passesBy(const DebuggedThread& self) {
    const Thread& t = *self.thread;
    const FunctionCode* code = reinterpret_cast<const Callee*>(t.regs[HeaderCallee])->code;
    if (!Places::isOnlyMarked(*code, code->indexOf(t.pc))) return false;
    return !self.step.isOn || (t.regs != self.step.frame && self.step.entries.empty());
}

/// Stops for a step that is shown at the call before. False: the thread does not come to what stops in front of the
/// next statement.
static bool stopAfterCall(Debugger::State& state, std::unique_lock<std::mutex>& lock, DebuggedThread& self) {
    const Thread& t = *self.thread;
    const Insn* pc = t.pc;
    const uint64_t* regs = t.regs;
    Stop stop;
    stop.reason = Stop::Reason::Step;
    self.isBeforeNext = true;
    bool runs = state.stopHere(lock, self, stop, [&, number = self.step.number] { return self.step.number == number; });
    return std::exchange(self.isBeforeNext, false) && runs && t.pc == pc && t.regs == regs && !t.wentBack;
}

bool Debugger::onBreak(Thread& t) {
    if (isCopy) return true;
    ThreadState& self = *t.debugged;
    if (self.calls != 0) return true;
    State::look(self);
    if (state_->back.isOn()) {
        std::unique_lock lock(state_->mutex);
        bool goesOn = state_->back.onBreak(lock, self);
        state_->landIfPutBack(lock, self);
        return goesOn;
    }
    if (passesBy(self)) return true;
    Stop stop;
    std::unique_lock lock(state_->mutex);
    bool stepEnds = self.step.isOn && state_->steps.reaches(self);
    if (stepEnds && state_->steps.isBeforeNext(self)) {
        if (!stopAfterCall(*state_, lock, self)) return !t.stopped();
        stepEnds = self.step.isOn && std::exchange(self.step.endsHere, false);
    }
    stop.breakpoints = state_->breakpointsHit(lock, self, true);
    auto holds = [&, number = self.step.number] {
        stepEnds &= self.step.number == number; // another stop may have ended it
        std::erase_if(stop.breakpoints, [&](int id) { return id != EntryBreakpoint && !state_->places.has(id); });
        return stepEnds || !stop.breakpoints.empty();
    };
    if (!holds()) return true;
    if (!stop.breakpoints.empty()) self.afterCall = nullptr;
    stop.reason = stop.breakpoints.empty() ? Stop::Reason::Step : Stop::Reason::Breakpoint;
    if (std::erase(stop.breakpoints, EntryBreakpoint) != 0) {
        state_->places.remove(EntryBreakpoint, state_->codeOf());
        if (stop.breakpoints.empty()) stop.reason = Stop::Reason::Entry;
        stepEnds = true;
    }
    return state_->stopHere(lock, self, stop, holds);
}

// ---- what else a thread gets to

/// A thread that waits for its turn stands still, as in a call of C.
static void endSlice(Debugger& debugger, Thread& t) {
    debugger.onForeignCall(t);
    t.program.options.tape->turns.onSlice();
    debugger.onForeignReturn(t);
}

/// The thread's budget of branches, calls and returns is used up: an epoch of its history ends.
static bool onTick(Debugger::State& state, Thread& t) {
    DebuggedThread& self = *t.debugged;
    Tape& tape = *t.program.options.tape;
    if (t.history->isSuspended()) {
        bool takesTurns = Turns::isKnown() && t.history->isIdle() && self.calls == 0;
        t.budget = takesTurns ? Turns::Slice - 1 : INT64_MAX;
        if (takesTurns) endSlice(state.owner, t);
        return self.calls == 0 ? !t.stopped() : state.isInTime(self);
    }
    if (tape.turns.areMany() && t.ownCount() % Turns::Slice == 0) endSlice(state.owner, t);
    {
        std::unique_lock lock(state.mutex);
        if (state.back.isOn()) {
            bool goesOn = state.back.onTick(lock, self);
            state.landIfPutBack(lock, self);
            return goesOn;
        }
    }
    t.history->begin(t);
    return !t.stopped();
}

bool Debugger::onAttention(Thread& t) {
    if (isCopy) t.budget = INT64_MAX;
    if (isCopy) return !t.stopped();
    ThreadState& self = *t.debugged;
    if (t.history && t.budget < 0) return onTick(*state_, t);
    if (self.calls != 0) return state_->isInTime(self);
    state_->takeKept(self);
    std::unique_lock lock(state_->mutex);
    state_->standWhileStopped(lock, self);
    return !t.stopped();
}

bool Debugger::onCall(Thread& t, Callee& callee, uint64_t* frame) {
    if (isCopy) return !t.stopped();
    ThreadState& self = *t.debugged;
    if (self.calls != 0) return state_->isInTime(self);
    const Insn* pc = t.pc;
    uint64_t* regs = t.regs;
    state_->takeKept(self);
    std::unique_lock lock(state_->mutex);
    state_->standWhileStopped(lock, self);
    if (t.pc != pc || t.regs != regs || !state_->steps.leadsInto(self, callee.func)) return !t.stopped();
    lock.unlock(); // whoever translates holds the program's lock first
    if (!callee.code && !translateOnCall(t, callee, frame)) return false;
    lock.lock();
    state_->steps.enter(self, *callee.code, frame);
    return true;
}

bool Debugger::onError(Thread& t, ir::ErrorEventKind kind, uint64_t tag) {
    if (isCopy) return true;
    ThreadState& self = *t.debugged;
    if (self.calls != 0 || tag == 0) return true; // 0: what may be an error is none
    std::unique_lock lock(state_->mutex);
    if (state_->back.isOn()) {
        state_->back.onError(lock, self, kind, tag);
        return true;
    }
    if (t.history && self.arrived == t.history->now(t)) return true; // the stop was for it
    ErrorFilter filter = state_->errorFilters[static_cast<size_t>(kind)];
    lock.unlock();
    if (!filter.enabled || (filter.predicate && !filter.predicate(t, tag))) return true;
    lock.lock();
    Stop stop;
    static_assert(static_cast<int>(ir::ErrorEventKind::Unhandled) == 3);
    stop.reason = static_cast<Stop::Reason>(static_cast<int>(Stop::Reason::Raise) + static_cast<int>(kind));
    stop.tag = tag;
    return state_->stopHere(lock, self, stop, [&] { return state_->errorFilters[static_cast<size_t>(kind)].enabled; });
}

void traceInstructions(Debugger& debugger, bool on) {
    std::scoped_lock lock(debugger.state_->mutex);
    debugger.state_->traces = on;
    debugger.state_->updateAttention();
}

namespace {

/// What comes where a thread has written by the instruction before.
struct AfterWrite {
    bool isWithin = false;       ///< the statement goes on
    const Insn* wrote = nullptr; ///< another round of a loop: it has written here; else null
};

AfterWrite afterWrite(Debugger::State& state, const DebuggedThread& self) {
    const Thread& t = *self.thread;
    const FunctionCode* code = reinterpret_cast<const Callee*>(t.regs[HeaderCallee])->code;
    if (!code || !self.looked || !state.program || !code->contains(t.pc)) return {};
    const Insn* before = t.regs == self.lookedIn ? self.looked : nullptr;
    if (!before && self.looked->opcode() == Opcode::Ret) before = t.pc - 1; // the call, whose result that has written
    if (!before || !code->contains(before)) return {};
    Flow flow(*code, state.program->module.fn(code->func), state.order);
    return {flow.isWithinStatement(before, t.pc), flow.beginsRound(before, t.pc) ? before : nullptr};
}

} // namespace

bool Debugger::onWrite(Thread& t, bool isAhead) {
    if (isCopy) return !t.stopped();
    ThreadState& self = *t.debugged;
    if (self.calls != 0) return true;
    std::unique_lock lock(state_->mutex);
    const AfterWrite after = isAhead ? AfterWrite() : afterWrite(*state_, self);
    State::look(self);
    if (state_->back.isOn()) // threads take turns
        return isAhead || state_->back.onWrite(self, after.isWithin, after.wrote);
    self.ahead = t.pc;
    auto passed = llvm::make_scope_exit([&] { self.ahead = nullptr; });
    if (isAhead) {
        const int error = errno; // is the program's
        state_->beginWrite(lock, self);
        if (!t.wentBack) errno = error;
        return !t.stopped();
    }
    auto written = llvm::make_scope_exit([&] { state_->endWrite(t); });
    if (state_->traces && state_->events.instruction) {
        lock.unlock();
        state_->events.instruction(t);
        lock.lock();
    }
    std::vector<int> ended = state_->watches.takeEnded(self.id, t.regs);
    if (!ended.empty()) {
        state_->updateAttention();
        state_->tellEnded(lock, ended);
    }
    if (!state_->mayHaveChanged(self)) return true;
    if (after.isWithin) {
        written.release();
        state_->holdWrite(self);
        return true;
    }
    return state_->tellWritten(lock, self, after.wrote);
}

bool Debugger::onPanic(Thread& t, const std::string& text) {
    if (isCopy) return true;
    ThreadState& self = *t.debugged;
    state_->endWrite(t);
    if (self.calls != 0) {
        t.fail(text);
        return false;
    }
    std::unique_lock lock(state_->mutex);
    state_->tellWritten(lock, self, nullptr); // in the midst of a statement
    if (t.wentBack) return false;
    if (!state_->stopsAtPanics) return true;
    Stop stop;
    stop.reason = Stop::Reason::Panic;
    stop.text = text;
    self.isEnding = true;
    state_->stopHere(lock, self, stop, [&] { return state_->stopsAtPanics; });
    return !t.wentBack;
}

void Debugger::onTranslated(FunctionCode& code) {
    if (isCopy) return;
    std::scoped_lock lock(state_->mutex);
    state_->places.translated(code);
}

// ---- filters and watches

void Debugger::setErrorFilter(ir::ErrorEventKind kind, ErrorFilter filter) {
    std::scoped_lock lock(state_->mutex);
    uint32_t bit = 1u << static_cast<unsigned>(kind);
    if (filter.enabled) errorKinds |= bit;
    else errorKinds &= ~bit;
    state_->errorFilters[static_cast<size_t>(kind)] = std::move(filter);
}

void Debugger::setPanicFilter(bool panics, bool faults) {
    std::scoped_lock lock(state_->mutex);
    state_->stopsAtPanics = panics;
    state_->stopsAtFaults = faults;
}

void Debugger::watch(int id, uint64_t address, uint64_t size, const DebugFrame* frame) {
    std::unique_lock lock(state_->mutex);
    // Threads that run look for writes from where they have stood.
    const bool isRunning = !state_->isStopped && !state_->threads.empty();
    if (isRunning) state_->halt(lock, nullptr);
    bool onStack = llvm::any_of(state_->threads, [&](const auto& t) { return t->thread->onStack(address, size); });
    state_->watches.add(id, address, size, frame, onStack);
    state_->updateAttention();
    if (isRunning) state_->goOn();
}

Result<void> Debugger::watchVariable(int id, const DebugFrame& frame, ir::SlotId slot) {
    if (!frame.code) return Failure{"a C function has no variables that can be watched"};
    SlotLocation at = slotLocation(frame, slot);
    const ir::Function& fn = state_->program->module.fn(frame.func);
    watch(id, at.address, fn.slots[static_cast<size_t>(slot)].size, &frame); // in a register it is the low bytes
    return {};
}

void Debugger::removeWatch(int id) {
    std::scoped_lock lock(state_->mutex);
    state_->watches.remove(id);
    state_->updateAttention();
}

} // namespace sx::vm
