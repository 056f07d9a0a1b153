#include "vm/History.h"

#include "vm/Fibers.h"
#include "vm/replay/Tape.h"

#include <algorithm>

namespace sx::vm {

namespace {

constexpr const char* GivenUp = "what `historyBytes` has room for";

/// The first word after what a frame has, its outgoing area included.
uint64_t* endOfFrame(const Thread& t) {
    const Callee* callee = t.program.callees.find(t.regs[HeaderCallee]);
    if (!callee) return t.regs; // a debugger has written over it
    if (!callee->code) return t.regs + t.program.module.fn(callee->func).params.size() + 1;
    return t.regs + callee->code->frameWords + HeaderWords + callee->code->outgoingWords;
}

} // namespace

void History::keepFrame(Thread& t) {
    lowest = t.regs;
    uint64_t* begin = t.regs - HeaderWords;
    log.keep(reinterpret_cast<uint64_t>(begin), static_cast<uint64_t>(endOfFrame(t) - begin) * sizeof(uint64_t));
}

History::History(Recording& r, bool isIdle, Turns* turns)
    : log(*new WriteLog(r.historyBytes, r.isWhole)), recording(r), ownLog_(&log), isIdle_(isIdle), turns_(turns) {
    if (isIdle_) log.suspend();
    if (turns_) turns_->setKeeper(this);
}

std::shared_ptr<History> History::forThread(Recording& r, Turns* turns) {
    auto make = [&](bool isIdle, Turns* common) { return std::shared_ptr<History>(new History(r, isIdle, common)); };
    if (!r.isWhole || !turns) return make(r.isTaken.exchange(true), nullptr);
    if (isInFiber()) return make(true, nullptr);
    if (!r.isTaken.exchange(true)) r.common = make(false, turns);
    return r.common;
}

// ---- epochs

Epoch History::here(Thread& t) {
    Epoch e;
    e.at = now(t);
    e.standing = t.standing();
    e.mark = log.mark();
    e.results = nextResult_;
    e.trace = copyOfTrace();
    if (!isCommon()) return e;
    e.thread = &t;
    e.turns = turns_->mark();
    e.tapeAt = t.program.options.tape->position();
    return e;
}

void History::begin(Thread& t) {
    uint64_t count = now(t).count;
    bool returnsToHost = t.pc->opcode() == Opcode::Halt; // there is no frame of the program
    if (!isSuspended() && !returnsToHost) {
        if (log.lostBytes() != 0) return restartAfterBreak(t);
        if (recording.isDisturbed.exchange(false)) return restart(t, "the end of another thread");
        dropOld();
        if (epochs_.empty() || epochs_.back().at != now(t)) epochs_.push_back(here(t));
        keepFrame(t);
    }
    setAlarm(t, count + Period);
}

void History::restart(Thread& t, std::string why) {
    // What was called after this moment will be called anew.
    uint64_t ahead = firstResult_ + results_.size() - nextResult_;
    if (t.program.options.tape && ahead > 0) t.program.options.tape->goBack(ahead);
    if (isCommon()) t.program.options.tape->goOnFromHere();
    beginning_ = std::move(why);
    broken_.clear();
    log.clear();
    log.forgetLoss();
    epochs_.clear();
    results_.clear();
    firstResult_ = nextResult_;
    resultBytes_ = 0;
    begin(t);
}

std::string History::breakReason() const {
    if (!broken_.empty()) return broken_;
    if (log.lostBytes() != 0) return "the end of a write of " + std::to_string(log.lostBytes()) + " bytes";
    return beginning_.empty() ? ProgramStart : "a call by a C function";
}

void History::restartAfterBreak(Thread& t) { restart(t, breakReason()); }

size_t History::epochCount() {
    dropOld();
    return epochs_.size();
}

/// Those to which there is no way any more, because the log has given up its oldest entries.
void History::dropOld() {
    bool dropped = false;
    while (!epochs_.empty() &&
           ((epochs_.size() >= MostEpochs && !recording.isWhole) || !log.reaches(epochs_.front().mark))) {
        epochs_.pop_front();
        dropped = true;
    }
    if (!dropped) return;
    beginning_ = GivenUp;
    forgetResults();
}

/// Those that came before the first epoch.
void History::forgetResults() {
    uint64_t needed = epochs_.empty() ? nextResult_ : epochs_.front().results;
    for (; firstResult_ < needed && !results_.empty(); ++firstResult_) {
        resultBytes_ -= sizeof(CallResult) + results_.front().memory.size();
        results_.pop_front();
    }
}

Thread& History::goTo(Thread& t, size_t index) {
    epochs_.erase(epochs_.begin() + static_cast<ptrdiff_t>(index) + 1, epochs_.end());
    const Epoch& e = epochs_.back();
    Thread& to = isCommon() ? *e.thread : t;
    log.undo(e.mark);
    to.putBack(e.standing, e.at.count);
    if (isCommon()) {
        order.goTo(e.at.turn, to, e.trace.get(), e.turns.slices);
        t.program.options.tape->goTo(e.tapeAt);
        turns_->putBack(e.turns, order.numberOf(to));
    } else {
        nextResult_ = e.results;
        setTrace(e.trace.get());
    }
    keepFrame(to);
    return to;
}

void History::setAlarm(Thread& t, uint64_t count) {
    uint64_t at = now(t).count;
    // Slices of threads that take turns end at the same counts in any mode.
    constexpr uint64_t Slice = Turns::Slice;
    if (const Tape* tape = t.program.options.tape; tape && tape->turns.areMany())
        count = std::min(count, (at / Slice + 1) * Slice);
    t.alarm = count - 1; // the budget is below 0 then
    t.budget = static_cast<int64_t>(t.alarm - at);
}

void History::resumeEpoch(Thread& t) {
    uint64_t began = epochs_.empty() ? 0 : epochs_.back().at.count;
    setAlarm(t, std::max(began + Period, now(t).count + 1));
}

// ---- threads that take turns

void History::join(Thread& t) {
    bool isFirst = !order.current();
    order.join(t, Turns::ownNumber(), now(t).count);
    if (isFirst) restart(t, ProgramStart);
    else begin(t);
}

void History::leaveForGood(Thread& t) {
    order.leave(t);
    t.program.options.debugger->onThreadEnd(t);
    turns_->end();
    land(t);
}

void History::land(Thread& t) {
    turns_->awaitPutBack();
    siglongjmp(*t.landing, 1);
}

void History::onTurnEnd(bool forGood) {
    Thread* t = Thread::current();
    bool isMember = t && order.has(*t);
    order.endTurn(isMember ? t : nullptr, isMember ? now(*t).count : 0, forGood);
}

void History::onTurn() {
    Thread* t = Thread::current();
    if (!t) return; // a thread that has not begun: it will join
    if (!order.has(*t)) {
        recording.isDisturbed = true;
        return;
    }
    if (t->wentBack) siglongjmp(*t->landing, 1);
    order.beginTurn(*t);
    begin(*t);
    t->program.options.debugger->onTurn(*t);
}

// ---- what is no part of the run

void History::suspend(Thread& t) {
    if (!isSuspended()) {
        suspendedAlarm_ = t.alarm;
        suspendedBudget_ = t.budget;
        suspendedLowest_ = lowest;
        lowest = nullptr;
        t.budget = INT64_MAX;
    }
    log.suspend();
}

void History::resume(Thread& t) {
    log.resume();
    if (isSuspended()) return;
    t.alarm = suspendedAlarm_;
    t.budget = suspendedBudget_;
    lowest = suspendedLowest_;
}

// ---- C

const CallResult* History::takeResult() {
    if (isCommon()) return nullptr; // the recording has it
    if (nextResult_ == firstResult_ + results_.size()) return nullptr;
    return &results_[nextResult_++ - firstResult_];
}

void History::keepResult(CallResult r) {
    if (isCommon()) return;
    resultBytes_ += sizeof r + r.memory.size();
    results_.push_back(std::move(r));
    ++nextResult_;
    while (!recording.isWhole && resultBytes_ > recording.historyBytes && epochs_.size() > 1) {
        epochs_.pop_front();
        beginning_ = GivenUp;
        forgetResults();
    }
}

} // namespace sx::vm
