#include "vm/replay/Turns.h"

#include "vm/replay/Tape.h"

#include <algorithm>

namespace sx::vm {

namespace {

/// The calling thread.
struct Self {
    uint32_t number = 0; ///< 0: it is not known
    uint64_t slices = 0; ///< since its last event
};
Self& self() {
    static thread_local Self here;
    return here;
}

} // namespace

bool Turns::isKnown() { return self().number != 0; }

void Turns::onEvent() { self().slices = 0; }

void Turns::beginFirst() { self() = {1, 0}; }

uint32_t Turns::ownNumber() { return self().number; }

void Turns::setOwnSlices(uint64_t slices) { self().slices = slices; }

Turns::Mark Turns::mark() const { return {count_, ended_.size(), self().slices}; }

void Turns::putBack(const Mark& to, uint32_t holder) {
    Lock lock(mutex_);
    count_ = to.count;
    ended_.resize(to.ended);
    holder_ = last_ = holder;
    changed_.notify_all();
}

void Turns::awaitPutBack() {
    Lock lock(mutex_);
    changed_.wait(lock, [&] { return holder_ == self().number; });
}

void Turns::handOver(uint32_t to, bool forGood) {
    if (keeper_) keeper_->onTurnEnd(forGood);
    self().slices = 0;
    holder_ = last_ = to;
    changed_.notify_all();
}

void Turns::await(Lock& lock) {
    changed_.wait(lock, [&] { return holder_ == self().number; });
    if (!keeper_) return;
    lock.unlock(); // it may wait for others, or jump
    keeper_->onTurn();
    lock.lock();
}

/// Of a recording: the turn, when it is free.
void Turns::take(Lock& lock) {
    uint32_t me = self().number;
    if (holder_ != Nobody) {
        waiting_.push_back(me);
        return await(lock);
    }
    if (last_ != me) tape_.keepTurn(me, 0);
    holder_ = last_ = me;
}

void Turns::begin(uint32_t number) {
    self() = {number, 0};
    if (tape_.isForsaken()) return;
    Lock lock(mutex_);
    if (tape_.isReplay()) await(lock);
    else take(lock);
}

void Turns::leave() {
    if (!areMany() || tape_.isForsaken()) return;
    Lock lock(mutex_);
    if (waiting_.empty()) {
        holder_ = Nobody;
        return;
    }
    uint32_t next = waiting_.front();
    waiting_.pop_front();
    tape_.keepTurn(next, 0);
    handOver(next);
}

void Turns::comeBack() {
    if (!areMany() || tape_.isForsaken()) return;
    Lock lock(mutex_);
    if (holder_ != self().number) take(lock); // it may have been the only one when it left
}

void Turns::end() {
    if (!tape_.isReplay()) return leave();
    Lock lock(mutex_);
    ended_.push_back(self().number);
    const RecordingEvent* e = tape_.peekTurn();
    if (!e || e->slices != 0) tape_.leaveInEnd();
    uint32_t next = e->thread;
    tape_.takeTurn();
    handOver(next, /*forGood=*/true);
}

void Turns::awaitEvent() {
    Lock lock(mutex_);
    for (const RecordingEvent* e; (e = tape_.peekTurn()) && e->slices == 0; await(lock)) {
        tape_.takeTurn();
        if (e->thread == 0 || e->thread > count_ || std::count(ended_.begin(), ended_.end(), e->thread) != 0)
            tape_.leaveInEnd();
        handOver(e->thread);
    }
}

void Turns::onSlice() {
    Self& me = self();
    ++me.slices;
    if (tape_.isForsaken()) return;
    Lock lock(mutex_);
    if (!tape_.isReplay()) {
        if (waiting_.empty()) return;
        uint32_t next = waiting_.front();
        waiting_.pop_front();
        tape_.keepTurn(next, me.slices);
        handOver(next);
        waiting_.push_back(me.number);
        return await(lock);
    }
    const RecordingEvent* e = tape_.peekTurn();
    if (!e || e->slices != me.slices) return;
    tape_.takeTurn();
    handOver(e->thread);
    await(lock);
}

} // namespace sx::vm
