#include "vm/History.h"

#include "vm/Fibers.h"
#include "vm/replay/Tape.h"

#include <algorithm>
#include <cstdlib>

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

History::History(Recording& r, bool isIdle, Turns& turns)
    : log(*new WriteLog(r.historyBytes, r.isWhole)), recording(r), ownLog_(&log), isIdle_(isIdle), turns_(turns) {
    if (isIdle_) log.suspend();
    else turns_.setKeeper(this);
}

std::shared_ptr<History> History::forThread(Recording& r, Turns& turns) {
    auto make = [&](bool isIdle) { return std::shared_ptr<History>(new History(r, isIdle, turns)); };
    if (isInFiber() || !Turns::isKnown()) return make(true);
    if (!r.common) r.common = make(false);
    return r.common;
}

// ---- epochs

Epoch History::here(Thread& t) {
    Epoch e;
    e.at = now(t);
    e.standing = t.standing();
    e.mark = log.mark();
    e.trace = copyOfTrace();
    e.thread = &t;
    e.turns = turns_.mark();
    e.tapeAt = t.program.options.tape->position();
    return e;
}

void History::begin(Thread& t) {
    uint64_t count = now(t).count;
    bool returnsToHost = t.pc->opcode() == Opcode::Halt; // there is no frame of the program
    if (!isSuspended() && !returnsToHost) {
        if (log.lostBytes() != 0) return restartAfterBreak(t);
        if (recording.isDisturbed.exchange(false)) return restart(t, "the end of another thread");
        dropOld(t);
        if (epochs_.empty() || epochs_.back().at != now(t)) epochs_.push_back(here(t));
        keepFrame(t);
    }
    setAlarm(t, count + Period);
}

void History::restart(Thread& t, std::string why) {
    // What was called after this moment will be called anew.
    Tape& tape = *t.program.options.tape;
    tape.goOnFromHere();
    tape.forgetBefore(tape.position());
    beginning_ = std::move(why);
    broken_.clear();
    log.clear();
    log.forgetLoss();
    epochs_.clear();
    begin(t);
}

std::string History::breakReason() const {
    if (!broken_.empty()) return broken_;
    if (log.lostBytes() != 0) return "the end of a write of " + std::to_string(log.lostBytes()) + " bytes";
    return beginning_.empty() ? ProgramStart : "a call by a C function";
}

void History::restartAfterBreak(Thread& t) { restart(t, breakReason()); }

size_t History::epochCount(const Thread& t) {
    dropOld(t);
    return epochs_.size();
}

/// Those to which there is no way any more, because the log has given up its oldest entries, or what C gave takes too
/// much room.
void History::dropOld(const Thread& t) {
    Tape& tape = *t.program.options.tape;
    bool dropped = false;
    auto isTooMuch = [&] {
        return !recording.isWhole && epochs_.size() > 1 &&
               (epochs_.size() >= MostEpochs || tape.heldBytes() > recording.historyBytes);
    };
    while (!epochs_.empty() && (isTooMuch() || !log.reaches(epochs_.front().mark))) {
        epochs_.pop_front();
        dropped = true;
        if (!epochs_.empty()) tape.forgetBefore(epochs_.front().tapeAt);
    }
    if (!dropped) return;
    beginning_ = GivenUp;
    if (!epochs_.empty()) order.forgetBefore(epochs_.front().at.turn);
}

Thread& History::goTo(Thread& t, size_t index) {
    epochs_.erase(epochs_.begin() + static_cast<ptrdiff_t>(index) + 1, epochs_.end());
    const Epoch& e = epochs_.back();
    Thread& to = *e.thread;
    turns_.noteFurthest();
    log.undo(e.mark);
    fibers.putBack();
    to.putBack(e.standing, e.at.count);
    order.goTo(e.at.turn, to, e.trace.get(), e.turns.slices);
    t.program.options.tape->goTo(e.tapeAt);
    turns_.putBack(e.turns, order.numberOf(to));
    keepFrame(to);
    return to;
}

void History::setAlarm(Thread& t, uint64_t count) {
    // Slices of threads that take turns end at the same counts in any mode, which are those of a fiber alone.
    constexpr uint64_t Slice = Turns::Slice;
    uint64_t at = t.ownCount();
    count -= t.side.shift;
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
    turns_.end(t.leftWith);
    if (turns_.haveAllEnded()) std::exit(0); // the first one by `pthread_exit`
    land(t);
}

void History::land(Thread& t) {
    turns_.awaitPutBack();
    siglongjmp(*t.landing, 1);
}

void History::settle(Thread& t) {
    Tape::isInCall() = false; // it may have been put back out of one
    Thread& runs = *t.runs;
    order.settle(runs);
    fibers.settle(t, runs);
    begin(runs);
    t.program.options.debugger->onForeignReturn(runs);
    t.program.options.debugger->onTurn(runs);
}

Thread::Outcome History::run(Thread& bottom) {
    Thread& home = *bottom.home;
    home.bottom = &bottom;
    for (;;) {
        Thread& t = *home.runs;
        Thread::current() = &t;
        Thread::Outcome outcome = interpret<Mode::Record>(t, t.pc, t.regs);
        Thread* to = std::exchange(home.switchesTo, nullptr);
        if (!to && &t == &bottom) return outcome;
        if (outcome != Thread::Outcome::Returned) { // there is nobody to return it to
            if (t.program.options.report) t.program.options.report(t.error);
            std::_Exit(outcome == Thread::Outcome::Exited ? t.exitCode : 1);
        }
        fibers.go(t, to ? *to : fibers.end(t));
    }
}

void History::onLeave() {
    Thread* t = Thread::current();
    bool isMember = t && order.has(*t);
    order.leaveTurn(isMember ? t : nullptr, isMember ? now(*t).count : 0);
}

void History::onTurnEnd(bool forGood) { order.endTurn(forGood); }

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

} // namespace sx::vm
