#include "vm/debug/Backwards.h"

#include "vm/debug/World.h"
#include "vm/replay/Tape.h"

#include "llvm/ADT/ScopeExit.h"

namespace sx::vm {

namespace {

const FunctionCode* codeAt(const Thread& t) {
    const Callee* callee = t.program.callees.find(t.regs[HeaderCallee]);
    return callee ? callee->code : nullptr;
}

constexpr uint64_t Patience = 1'000'000; ///< branches, calls and returns after a limit that was missed

} // namespace

// ---- marks

void Backwards::mark(const FunctionCode& code, uint32_t index) {
    state_.places.mark(code, index);
    marked_.push_back(&code.words[index]);
}

void Backwards::mark(const Thread& t, const Insn* at) {
    const FunctionCode* code = codeAt(t);
    if (!code || !code->contains(at)) code = t.program.codeAt(at);
    if (code) mark(*code, code->indexOf(at));
}

void Backwards::unmark() {
    for (const Insn* at : marked_) state_.places.unmark(at);
    marked_.clear();
}

void Backwards::markStatements(const FunctionCode& code) {
    for (uint32_t i = 0; i < code.instructionCount; ++i)
        if (code.startsStatement(i)) mark(code, i);
}

/// A step back ends at a statement of the frame, or of the nearest function around that the user has written.
void Backwards::markFrames(ThreadState& self) {
    frame_ = callerFrame_ = nullptr;
    code_ = callerCode_ = nullptr;
    walkFrames(*self.thread, [&](const DebugFrame& f) {
        if (!f.code) return true;
        if (!code_) {
            frame_ = f.regs;
            code_ = f.code;
            return true;
        }
        if (!options_.intoLibrary && !state_.steps.isUserCode(f.func)) return true;
        callerFrame_ = f.regs;
        callerCode_ = f.code;
        return false;
    });
    const FunctionCode* main = state_.codeOf()(state_.owner.mainFunction);
    uint32_t first = main ? firstStatement(*main) : UINT32_MAX;
    first_ = main && first < main->instructionCount ? &main->words[first] : nullptr;
    if (first_) mark(*main, first);
    if (!options_.isStep || !code_) return;
    markStatements(*code_);
    for (uint32_t i = 0; i < code_->instructionCount; ++i)
        if (opcodeAt(*code_, i) != Opcode::Extra && isReturn(*code_, i)) mark(*code_, i);
    if (callerCode_) markStatements(*callerCode_);
    if (!options_.intoCalls) return;
    for (size_t f = 0; f < self.thread->program.module.functions.size(); ++f) {
        const FunctionCode* code = state_.codeOf()(static_cast<ir::FuncId>(f));
        if (code && (options_.intoLibrary || state_.steps.isUserCode(code->func))) markStatements(*code);
    }
}

// ---- running an epoch again

bool Backwards::begin(ThreadState& self, const BackOptions& options, Stop& stop, ThreadState& shown) {
    Lock lock(state_.mutex);
    Thread& t = *self.thread;
    History& h = *t.history;
    stop = {};
    stop.reason = Stop::Reason::Step;
    stop.thread = self.id;
    stop.text = h.isIdle() ? "fibers and threads that C code has begun have no history" : h.beginning();
    if (h.isIdle()) return false;
    if (h.isBroken()) stop.text = "history begins at " + h.breakReason();
    bool areOthers = h.recording.strangers != 0, isAway = h.isAnyAway();
    if (isAway) stop.text = "history begins when the other threads have come back from C";
    if (areOthers) stop.text = "history begins when the fibers and threads that C code has begun have ended";
    if (areOthers || isAway || h.isBroken() || h.recording.isDisturbed) return false;
    Instant from = from_ = h.now(t);
    tapeFrom_ = t.program.options.tape->position();
    isInclusive_ = t.foreign; // it has come by the place of the call
    tellsWriteHere_ = !options.isStep && !self.isAtWrite;
    size_t epoch = h.epochCount(t);
    while (epoch > 0 && (isInclusive_ ? h.epoch(epoch - 1).at > from : h.epoch(epoch - 1).at >= from)) --epoch;
    if (epoch == 0) return false;
    options_ = options;
    isOn_ = state_.owner.runsAgain = true;
    shown_ = &shown;
    markFrames(shown);
    runEpoch(self, epoch - 1, from, Phase::Looking);
    return true;
}

void Backwards::runEpoch(ThreadState& self, size_t epoch, Instant limit, Phase phase) {
    Thread& t = *self.thread;
    Thread& to = t.history->goTo(t, epoch);
    self.isEnding = self.isInSignal = self.isTellingFault = false;
    self.result.reset();
    state_.sortThreads(*t.history);
    state_.watches.settle();
    for (const auto& thread : state_.threads) Debugger::State::look(*thread);
    epoch_ = epoch;
    limit_ = limit;
    phase_ = phase;
    order_ = 0;
    line_ = 0;
    step_ = caller_ = stop_ = start_ = {};
    inFrame_.clear();
    notThere_.clear();
    if (phase == Phase::Looking)
        state_.watches.forFrames([&](DebugThreadId thread, const uint64_t* frame) {
            const ThreadState* owner = state_.find(thread);
            if (!owner || frame > owner->thread->regs) notThere_[frame] = {};
        });
    headForLimit(to);
}

/// The instruction at which the run ends is marked when nothing but straight code leads there.
void Backwards::headForLimit(Thread& t) {
    History& h = *t.history;
    Instant now = h.now(t);
    if (now.turn < limit_.turn) return h.setAlarm(t, now.count + Patience);
    if (now.count < limit_.count) return h.setAlarm(t, limit_.count);
    if (now.count == limit_.count) mark(t, limit_.pc);
    h.setAlarm(t, limit_.count + Patience);
}

bool Backwards::isPastLimit(Instant now) const {
    if (now.turn != limit_.turn) return now.turn > limit_.turn;
    return now.count >= limit_.count + Patience;
}

bool Backwards::onTick(Lock& lock, ThreadState& self) {
    Thread& t = *self.thread;
    if (isPastLimit(t.history->now(t))) return getLost(lock, self);
    headForLimit(t);
    return true;
}

bool Backwards::onTurn(Lock& lock, ThreadState& self) {
    Thread& t = *self.thread;
    Instant now = t.history->now(t);
    if (now != limit_) {
        static_cast<void>(onTick(lock, self));
        return false;
    }
    if (phase_ == Phase::Arriving) {
        static_cast<void>(arrive(lock, self));
        return false;
    }
    // Where it has called C it was before, in its last turn.
    if (isInclusive_ && !t.foreign) look(lock, self, now);
    static_cast<void>(endEpoch(self));
    return true;
}

// ---- what is met on the way

void Backwards::note(Candidate& c, Instant now, Stop stop, const Insn* wrote) {
    c.at = now;
    c.order = ++order_;
    c.stop = std::move(stop);
    c.wrote = wrote;
}

bool Backwards::onBreak(Lock& lock, ThreadState& self) {
    Thread& t = *self.thread;
    Instant now = t.history->now(t);
    if (phase_ == Phase::Arriving) return now != limit_ || arrive(lock, self);
    if (isBeforeLimit(now)) look(lock, self, now);
    return now != limit_ || endEpoch(self);
}

void Backwards::look(Lock& lock, ThreadState& self, Instant now) {
    Thread& t = *self.thread;
    if (const FunctionCode* code = codeAt(t); code && code->contains(t.pc)) {
        if (options_.isStep && !options_.byInstruction && &self == shown_)
            lookForStep(t, *code, code->indexOf(t.pc), now);
        if (t.pc == first_ && start_.order == 0) note(start_, now);
    }
    Stop stop;
    stop.breakpoints = state_.breakpointsHit(lock, self, false);
    std::erase_if(stop.breakpoints, [&](int id) { return !state_.places.has(id); });
    if (stop.breakpoints.empty()) return;
    stop.reason = Stop::Reason::Breakpoint;
    note(stop_, now, std::move(stop));
}

void Backwards::lookForStep(Thread& t, const FunctionCode& code, uint32_t index, Instant now) {
    Stop stop;
    stop.reason = Stop::Reason::Step;
    if (options_.intoCalls) {
        bool isWanted = options_.intoLibrary || state_.steps.isUserCode(code.func);
        if (isWanted && code.startsStatement(index)) note(step_, now, stop);
        return;
    }
    if (t.regs == frame_ && &code == code_) {
        // At a return another call of the function ends, which had its frame in the same place.
        if (isReturn(code, index)) {
            step_ = {};
            line_ = 0;
            return;
        }
        if (!code.startsStatement(index)) return;
        if (options_.byLine) {
            const ir::Statement& s = t.program.module.fn(code.func).statements[code.statementOf[index]];
            uint32_t line = t.program.module.sources.resolve(s.begin).line;
            if (std::exchange(line_, line) == line) return;
        }
        note(step_, now, stop);
    } else if (t.regs == callerFrame_ && &code == callerCode_ && code.startsStatement(index)) {
        note(caller_, now, stop);
    }
}

bool Backwards::onWrite(ThreadState& self, bool isWithin, const Insn* wrote) {
    auto written = llvm::make_scope_exit([&] { state_.endWrite(*self.thread); });
    Thread& t = *self.thread;
    Instant now = t.history->now(t);
    if (phase_ == Phase::Arriving || (!isBeforeLimit(now) && !tellsWriteHere_)) return true;
    Stop stop;
    stop.reason = Stop::Reason::Step;
    if (options_.isStep && options_.byInstruction && &self == shown_) note(step_, now, stop);
    followFrames(self);
    if (!state_.mayHaveChanged(self)) return true;
    if (isWithin) {
        written.release();
        state_.holdWrite(self);
        return true;
    }
    std::optional<Watches::Change> change = state_.watches.findChange(self.id, t.regs);
    if (!change) return true;
    stop.reason = Stop::Reason::Watch;
    stop.watches = std::move(change->ids);
    stop.before = std::move(change->before);
    stop.after = std::move(change->after);
    Stop elsewhere = stop;
    std::erase_if(elsewhere.watches, [&](int id) { return state_.watches.frameOf(id) != nullptr; });
    if (!elsewhere.watches.empty()) note(stop_, now, std::move(elsewhere), wrote);
    // Whether it was the frame that is meant, or another one in its place before, shows later.
    for (int id : stop.watches)
        if (const uint64_t* frame = state_.watches.frameOf(id)) note(inFrame_[frame], now, stop, wrote);
    return true;
}

/// Where a frame that is watched in is not there, what was written in its place before was no variable of it; what it
/// holds when it begins was not written in it.
void Backwards::followFrames(ThreadState& self) {
    const uint64_t* regs = self.thread->regs;
    state_.watches.forFrames([&](DebugThreadId thread, const uint64_t* frame) {
        if (thread != self.id) return;
        if (frame > regs) {
            inFrame_.erase(frame);
            notThere_[frame] = {order_, true};
        } else if (auto at = notThere_.find(frame); at != notThere_.end() && std::exchange(at->second.isNow, false)) {
            state_.watches.settle(frame);
        }
    });
}

/// The thread goes back to where the candidate of this order was noted: frames that begin later are left.
void Backwards::endWatches(unsigned order) {
    for (const auto& [frame, absence] : notThere_) {
        if (order > absence.last) continue;
        std::vector<int> ended = state_.watches.takeFrame(frame);
        ended_.insert(ended_.end(), ended.begin(), ended.end());
    }
    if (!ended_.empty()) state_.updateAttention();
}

void Backwards::onError(Lock& lock, ThreadState& self, ir::ErrorEventKind kind, uint64_t tag) {
    Instant now = self.thread->history->now(*self.thread);
    if (phase_ == Phase::Arriving || !isBeforeLimit(now)) return;
    Debugger::ErrorFilter filter = state_.errorFilters[static_cast<size_t>(kind)];
    lock.unlock();
    bool stops = filter.enabled && (!filter.predicate || filter.predicate(*self.thread, tag));
    lock.lock();
    if (!stops) return;
    Stop stop;
    stop.reason = static_cast<Stop::Reason>(static_cast<int>(Stop::Reason::Raise) + static_cast<int>(kind));
    stop.tag = tag;
    note(stop_, now, std::move(stop));
}

// ---- ends

bool Backwards::endEpoch(ThreadState& self) {
    Candidate best = stop_;
    for (const auto& [frame, candidate] : inFrame_)
        if (candidate.order > best.order) best = candidate;
    if (step_.order > best.order) best = step_;
    else if (step_.order == 0 && caller_.order > best.order) best = caller_;
    endWatches(best.order != 0 ? best.order : epoch_ > 0 ? 0 : start_.order);
    if (best.order != 0) {
        std::erase_if(best.stop.watches, [&](int id) { return !state_.watches.has(id); });
        return goToCandidate(self, std::move(best));
    }
    History& h = *self.thread->history;
    if (epoch_ > 0) {
        Instant limit = h.epoch(epoch_).at;
        isInclusive_ = true;
        runEpoch(self, epoch_ - 1, limit, Phase::Looking);
        return true;
    }
    // The program's own start-up has no place to look at.
    Candidate first = start_;
    if (first.order == 0) note(first, h.reachesStart() ? from_ : h.epoch(0).at);
    first.stop.reason = Stop::Reason::Step;
    first.stop.text = h.beginning();
    return goToCandidate(self, std::move(first));
}

bool Backwards::goToCandidate(ThreadState& self, Candidate c) {
    arrival_ = std::move(c);
    unmark();
    runEpoch(self, epoch_, arrival_.at, Phase::Arriving); // it lands, and may be there
    return true;
}

bool Backwards::arrive(Lock& lock, ThreadState& self) {
    Thread& t = *self.thread;
    cancel();
    for (const auto* list : {&state_.threads, &state_.gone}) // what the others come to now is told
        for (const auto& other : *list) other->arrived = {};
    self.arrived = t.history->now(t);
    t.history->resumeEpoch(t);
    state_.watches.settle();
    self.run = ThreadState::Run::Running; // it may have got its turn while it waits in a call
    state_.tellThreads(lock);
    state_.tellEnded(lock, takeEnded());
    self.showAt(arrival_.wrote);
    Stop stop = std::move(arrival_.stop);
    const Tape& tape = *t.program.options.tape;
    stop.passedOutput = tape.outputs.hasWritten(tape.position(), tapeFrom_);
    return state_.stopHere(lock, self, stop, [] { return true; });
}

/// It has not run as it did: something that it reads was not kept.
bool Backwards::getLost(Lock& lock, ThreadState& self) {
    cancel();
    self.thread->history->restart(*self.thread, "where the program did not run as it had");
    Stop stop;
    stop.reason = Stop::Reason::Step;
    stop.text = self.thread->history->beginning();
    return state_.stopHere(lock, self, stop, [] { return true; });
}

void Backwards::cancel() {
    if (!isOn_) return;
    isOn_ = state_.owner.runsAgain = false;
    unmark();
    state_.updateAttention();
}

} // namespace sx::vm
