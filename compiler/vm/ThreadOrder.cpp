#include "vm/ThreadOrder.h"

#include "vm/replay/Turns.h"

#include <algorithm>

namespace sx::vm {

std::unique_ptr<sx_trace_state> copyOfTrace() {
    if (sx_trace_chains() == 0) return nullptr;
    auto kept = std::make_unique<sx_trace_state>();
    // There and back: what lies in between is a copy.
    sx_trace_swap(kept.get());
    sx_trace_state copy = *kept;
    sx_trace_swap(kept.get());
    *kept = copy;
    return kept;
}

void setTrace(const sx_trace_state* to) {
    sx_trace_clear();
    if (!to) return;
    sx_trace_state state = *to;
    sx_trace_swap(&state);
}

const ThreadOrder::Member* ThreadOrder::memberOf(const Thread* t) const {
    for (const Member& m : members_)
        if (t && m.thread == t->home) return &m;
    return nullptr;
}

bool ThreadOrder::isThere(const Thread& t) const {
    if (t.side.isGone) return false;
    const Member* m = memberOf(&t);
    return !m || m->isThere;
}

void ThreadOrder::join(Thread& t, uint32_t number, uint64_t count) {
    Member m;
    m.thread = &t;
    m.number = number;
    m.entry = t.standing();
    m.entryCount = count;
    members_.push_back(std::move(m));
    current_ = &t;
}

void ThreadOrder::leaveTurn(Thread* t, uint64_t count) {
    leaving_ = {};
    leaving_.thread = t;
    leaving_.count = count;
    if (!t) return;
    leaving_.standing = t->standing();
    leaving_.trace = copyOfTrace();
}

void ThreadOrder::endTurn(bool forGood) {
    leaving_.turn = turn_++;
    leaving_.forGood = forGood;
    if (leaving_.thread) memberOf(leaving_.thread)->isThere = !forGood;
    ends_.push_back(std::move(leaving_));
    leaving_ = {};
}

void ThreadOrder::forget(const Thread& fiber) {
    std::erase_if(ends_, [&](const TurnEnd& e) { return e.thread == &fiber; });
}

void ThreadOrder::forgetBefore(uint64_t turn) {
    if (ends_.size() < enoughEnds_) return;
    // Of each thread the last one is needed.
    std::vector<const Thread*> found;
    for (size_t i = ends_.size(); i-- > 0;) {
        TurnEnd& e = ends_[i];
        if (e.turn >= turn) continue;
        bool isLast = e.thread && std::find(found.begin(), found.end(), e.thread->home) == found.end();
        if (isLast) found.push_back(e.thread->home);
        e.isNeeded = isLast;
    }
    std::erase_if(ends_, [](const TurnEnd& e) { return !e.isNeeded; });
    enoughEnds_ = 2 * ends_.size() + 1000;
}

void ThreadOrder::goTo(uint64_t turn, Thread& to, const sx_trace_state* trace, uint64_t slices) {
    turn_ = turn;
    current_ = &to;
    while (!ends_.empty() && ends_.back().turn >= turn) ends_.pop_back();
    for (Member& m : members_) {
        if (m.thread != to.home) {
            putBack(m);
            continue;
        }
        m.isThere = true;
        m.thread->runs = &to;
        m.slices = slices;
        m.trace = trace ? std::make_unique<sx_trace_state>(*trace) : nullptr;
    }
}

void ThreadOrder::putBack(Member& m) {
    m.slices = 0;
    m.trace = nullptr;
    m.isThere = false;
    auto end = std::find_if(ends_.rbegin(), ends_.rend(),
                            [&](const TurnEnd& e) { return e.thread && e.thread->home == m.thread; });
    m.thread->runs = end == ends_.rend() ? m.thread : end->thread;
    if (end == ends_.rend()) return m.thread->putBack(m.entry, m.entryCount);
    end->thread->putBack(end->standing, end->count);
    if (end->trace) m.trace = std::make_unique<sx_trace_state>(*end->trace);
    m.isThere = !end->forGood;
}

void ThreadOrder::settle(Thread& t) {
    Member& m = *memberOf(&t);
    m.isThere = true;
    current_ = &t;
    t.foreign = nullptr;
    setTrace(m.trace.get());
    Turns::setOwnSlices(m.slices);
}

} // namespace sx::vm
