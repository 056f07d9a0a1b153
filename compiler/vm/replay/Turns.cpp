#include "vm/replay/Turns.h"

#include "vm/replay/Tape.h"

#include <algorithm>

namespace sx::vm {

namespace {

/// The calling thread.
struct Self {
    Turns::Identity id;  ///< number 0: it is not known
    uint64_t slices = 0; ///< since its last event
};
Self& self() {
    static thread_local Self here;
    return here;
}

} // namespace

bool Turns::isKnown() { return self().id.number != 0; }

void Turns::onEvent() { self().slices = 0; }

void Turns::beginFirst() { self() = {{1, 0}, 0}; }

uint32_t Turns::ownNumber() { return self().id.number; }

void Turns::setOwnSlices(uint64_t slices) { self().slices = slices; }

// ---- which threads there are

Turns::Identity Turns::announce(bool isThere) {
    Lock lock(mutex_);
    uint32_t number = ++count_;
    uint32_t& incarnation = incarnations_[number];
    if (!isThere) ++incarnation;
    return {number, incarnation};
}

bool Turns::isMine() const {
    if (holder_ != self().id.number) return false;
    auto it = incarnations_.find(holder_);
    return it == incarnations_.end() || it->second == self().id.incarnation;
}

bool Turns::haveAllEnded() {
    Lock lock(mutex_);
    return ended_.size() == count_;
}

void Turns::noteHandle(uint32_t number, uint64_t handle) {
    Lock lock(mutex_);
    handles_[handle] = number;
}

uint32_t Turns::numberOf(uint64_t handle) {
    Lock lock(mutex_);
    auto it = handles_.find(handle);
    return it == handles_.end() ? 0 : it->second;
}

bool Turns::hasEnded(uint32_t number, uint64_t& result) {
    if (std::find(ended_.begin(), ended_.end(), number) == ended_.end()) return false;
    result = results_[number];
    return true;
}

// ---- going back

Turns::Mark Turns::mark() const { return {count_, ended_.size(), self().slices}; }

bool Turns::isAnyAway() {
    Lock lock(mutex_);
    return !away_.empty();
}

bool Turns::recall() {
    Lock lock(mutex_);
    if (holder_ != Nobody || !away_.empty() || blocked_.empty()) return false;
    bool waits = std::any_of(blocked_.begin(), blocked_.end(), [&](const Blocked& b) { return b.number == last_; });
    recalled_ = waits ? last_ : blocked_.front().number;
    changed_.notify_all();
    return true;
}

void Turns::noteFurthest() {
    if (tape_.isReplay()) return;
    furthestSlices_ = isPutBack_ ? std::max(furthestSlices_, self().slices) : self().slices;
}

void Turns::putBack(const Mark& to, uint32_t holder) {
    Lock lock(mutex_);
    count_ = to.count;
    ended_.resize(to.ended);
    holder_ = last_ = holder;
    leftForGood_ = false;
    waiting_.clear();
    blocked_.clear();
    isPutBack_ = true;
    changed_.notify_all();
}

void Turns::awaitPutBack() {
    Lock lock(mutex_);
    changed_.wait(lock, [&] { return isMine(); });
}

bool Turns::hasBegun(uint32_t number) const {
    auto incarnation = incarnations_.find(number);
    if (incarnation == incarnations_.end()) return true; // the first one
    auto begun = begun_.find(number);
    return begun != begun_.end() && begun->second == incarnation->second;
}

/// The program has come to where it had been furthest: all threads may go on. Those that have not begun will wait in
/// their time.
void Turns::lookAround() {
    if (!std::exchange(isPutBack_, false)) return;
    furthestSlices_ = 0;
    for (uint32_t n = 1; n <= count_; ++n)
        if (n != holder_ && hasBegun(n) && std::count(ended_.begin(), ended_.end(), n) == 0) waiting_.push_back(n);
}

// ---- turns

void Turns::handOver(uint32_t to, bool forGood) {
    if (keeper_) {
        keeper_->onLeave();
        keeper_->onTurnEnd(forGood);
    }
    self().slices = 0;
    holder_ = last_ = to;
    changed_.notify_all();
}

void Turns::queueReady() {
    for (const Blocked& b : blocked_)
        if (b.isReady()) waiting_.push_back(b.number);
    std::erase_if(blocked_,
                  [&](const Blocked& b) { return std::count(waiting_.begin(), waiting_.end(), b.number) != 0; });
}

/// Of a recording: to the one that has waited longest. Where none waits, the turn is free.
void Turns::giveUp(bool forGood) {
    lookAround();
    queueReady();
    if (!waiting_.empty()) {
        uint32_t next = waiting_.front();
        waiting_.pop_front();
        tape_.keepTurn(next, 0);
        return handOver(next, forGood);
    }
    if (keeper_) keeper_->onLeave();
    leftForGood_ = forGood;
    holder_ = Nobody;
    changed_.notify_all();
}

void Turns::beginTurn(Lock& lock) {
    self().slices = 0;
    if (!keeper_) return;
    lock.unlock(); // it may wait for others, or jump
    keeper_->onTurn();
    lock.lock();
}

void Turns::await(Lock& lock) {
    changed_.wait(lock, [&] { return isMine(); });
    beginTurn(lock);
}

/// Of a recording: the turn, which is free.
void Turns::seize(Lock& lock) {
    uint32_t me = self().id.number;
    const bool isOther = last_ != me;
    if (isOther) tape_.keepTurn(me, 0);
    if (isOther && keeper_) keeper_->onTurnEnd(std::exchange(leftForGood_, false));
    holder_ = last_ = me;
    if (isOther) beginTurn(lock);
}

/// Of a recording: the turn, when it is free.
void Turns::take(Lock& lock) {
    if (holder_ == Nobody) return seize(lock);
    waiting_.push_back(self().id.number);
    await(lock);
}

void Turns::begin(Identity id) {
    self() = {id, 0};
    if (tape_.isForsaken()) return;
    Lock lock(mutex_);
    if (incarnations_[id.number] == id.incarnation) begun_[id.number] = id.incarnation;
    const bool isPast = id.number > count_ || !hasBegun(id.number); // it was gone back to before it was started
    if (tape_.isReplay() || isPutBack_ || isPast) await(lock);
    else take(lock);
}

void Turns::leave() {
    if (!areMany() || tape_.isForsaken()) return;
    Lock lock(mutex_);
    away_.push_back(self().id.number);
    giveUp(/*forGood=*/false);
}

void Turns::comeBack() {
    if (!areMany() || tape_.isForsaken()) return;
    Lock lock(mutex_);
    if (holder_ != self().id.number) take(lock); // it may have been the only one when it left
    std::erase(away_, self().id.number);
}

void Turns::end(uint64_t result) {
    if (tape_.isForsaken()) return;
    Lock lock(mutex_);
    ended_.push_back(self().id.number);
    results_[self().id.number] = result;
    if (ended_.size() == count_) return;
    if (!tape_.isReplay()) return giveUp(/*forGood=*/true);
    const RecordingEvent* e = tape_.peekTurn();
    if (endingSignal(tape_) != 0) { // it came while all others waited in C: one of them ends the process
        uint32_t waiting = 1;
        while (std::count(ended_.begin(), ended_.end(), waiting) != 0) ++waiting;
        return handOver(waiting, /*forGood=*/true);
    }
    if (!e || e->slices != 0) tape_.leaveInEnd();
    uint32_t next = e->thread;
    tape_.takeTurn();
    handOver(next, /*forGood=*/true);
}

void Turns::block(llvm::function_ref<bool()> isReady, std::optional<std::chrono::steady_clock::time_point> until) {
    constexpr std::chrono::milliseconds Glance{20}; // threads that are none of these may change what it waits for
    using Clock = std::chrono::steady_clock;
    const uint32_t me = self().id.number;
    Lock lock(mutex_);
    if (tape_.isReplay()) {
        const RecordingEvent* e = tape_.peekTurn();
        if (!e || e->slices != 0) return;
        uint32_t next = e->thread;
        tape_.takeTurn();
        handOver(next);
        return await(lock);
    }
    blocked_.push_back({me, isReady});
    giveUp(/*forGood=*/false);
    while (!isMine()) {
        auto mine = std::find_if(blocked_.begin(), blocked_.end(), [&](const Blocked& b) { return b.number == me; });
        if (mine == blocked_.end()) break; // it will get its turn
        const bool isFree = holder_ == Nobody;
        if ((until && Clock::now() >= *until) || (isFree && (recalled_ == me || isReady()))) {
            recalled_ = Nobody;
            blocked_.erase(mine);
            return take(lock);
        }
        Clock::time_point next = isFree ? Clock::now() + Glance : Clock::time_point::max();
        if (until) next = std::min(next, *until);
        if (next == Clock::time_point::max()) changed_.wait(lock);
        else changed_.wait_until(lock, next);
    }
    await(lock);
}

bool Turns::isTurnNext() const {
    const RecordingEvent* e = tape_.peekTurn();
    return e && e->slices == 0;
}

void Turns::awaitEvent() {
    Lock lock(mutex_);
    for (const RecordingEvent* e; (e = tape_.peekTurn()) && e->slices == 0; await(lock)) {
        uint32_t next = e->thread;
        tape_.takeTurn();
        if (next == 0 || next > count_ || std::count(ended_.begin(), ended_.end(), next) != 0) tape_.leaveInEnd();
        handOver(next);
    }
}

void Turns::onSlice() {
    Self& me = self();
    ++me.slices;
    if (tape_.isForsaken()) return;
    Lock lock(mutex_);
    if (!tape_.isReplay()) {
        if (isPutBack_ && me.slices <= furthestSlices_) return; // it has been here
        lookAround();
        queueReady();
        if (waiting_.empty()) return;
        uint32_t next = waiting_.front();
        waiting_.pop_front();
        tape_.keepTurn(next, me.slices);
        handOver(next);
        waiting_.push_back(me.id.number);
        return await(lock);
    }
    const RecordingEvent* e = tape_.peekTurn();
    if (!e || e->slices != me.slices) return;
    uint32_t next = e->thread;
    tape_.takeTurn();
    handOver(next);
    await(lock);
}

} // namespace sx::vm
