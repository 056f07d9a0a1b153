#include "vm/debug/World.h"

#include "vm/Thread.h"
#include "vm/debug/Signals.h"

#include "llvm/ADT/ScopeExit.h"

#include <algorithm>
#include <cerrno>

namespace sx::vm {

using Run = Debugger::ThreadState::Run;

Debugger::State::State(Debugger& debugger, Events told)
    : owner(debugger), events(std::move(told)), steps(places, debugger), back(*this) {}

/// Where it is, or where it belongs.
template <typename Threads> static auto placeOf(Threads& threads, DebugThreadId id) {
    return std::lower_bound(threads.begin(), threads.end(), id,
                            [](const auto& t, DebugThreadId id) { return t->id < id; });
}

Debugger::ThreadState* Debugger::State::find(DebugThreadId id) const {
    auto it = placeOf(threads, id);
    return it == threads.end() || (*it)->id != id ? nullptr : it->get();
}

void Debugger::State::add(std::unique_ptr<ThreadState> t) {
    auto place = placeOf(threads, t->id);
    threads.insert(place, std::move(t));
}

/// Thousands of fibers come and go: nothing here looks at all that there are.
std::unique_ptr<DebuggedThread> Debugger::State::remove(ThreadState& t) {
    const bool hadStep = t.step.isOn;
    steps.end(t);
    auto place = placeOf(threads, t.id);
    std::unique_ptr<ThreadState> removed = std::move(*place);
    threads.erase(place);
    if (hadStep) updateAttention();
    changed.notify_all();
    return removed;
}

/// Of fibers, which are many, stops tell.
void Debugger::State::tell(const ThreadState& t, bool isThere) const {
    if (t.fiber == 0 && events.thread) events.thread(t.id, isThere);
}

void Debugger::State::move(Lock& lock, ThreadState& t, bool isThere) {
    auto& from = isThere ? gone : threads;
    auto& to = isThere ? threads : gone;
    auto it = std::find_if(from.begin(), from.end(), [&](const auto& other) { return other.get() == &t; });
    if (it != from.end()) {
        std::unique_ptr<ThreadState> moved = std::move(*it);
        from.erase(it);
        to.insert(placeOf(to, moved->id), std::move(moved));
    }
    if (back.isOn() || std::exchange(t.isTold, isThere) == isThere) return;
    lock.unlock();
    tell(t, isThere);
    lock.lock();
}

Result<Debugger::ThreadState*> Debugger::State::standing(DebugThreadId id) const {
    ThreadState* t = find(id);
    if (!t) return Failure{"there is no thread " + std::to_string(id)};
    if (!isStopped) return Failure{"the program is running"};
    if (t->run == Run::Foreign || t->thread->foreign) return Failure{"the thread is inside a C function"};
    return t;
}

// ---- stopping

/// A thread that enters a C function tells nobody.
static constexpr std::chrono::microseconds Glance{100};

void Debugger::State::halt(Lock& lock, const ThreadState* self) {
    isStopped = true;
    setAttention(Halt, true);
    auto areStanding = [&] {
        return std::all_of(threads.begin(), threads.end(),
                           [&](const auto& t) { return t.get() == self || t->run != Run::Running; });
    };
    while (!areStanding()) changed.wait_for(lock, Glance);
}

bool Debugger::State::stopHere(Lock& lock, ThreadState& self, Stop& stop, llvm::function_ref<bool()> holds) {
    Thread& t = *self.thread;
    const Insn* pc = t.pc;
    const uint64_t* regs = t.regs;
    const int error = errno; // is the program's
    auto restored = llvm::make_scope_exit([&] {
        if (!t.wentBack) errno = error;
    });
    while (isStopped) stand(lock, self);
    if (t.pc != pc || t.regs != regs || !holds()) return !t.stopped();
    halt(lock, &self);
    for (const auto& thread : threads) steps.suspend(*thread);
    updateAttention();
    stop.thread = self.id;
    self.run = Run::Standing;
    self.isAtWrite = stop.reason == Stop::Reason::Watch;
    lock.unlock();
    if (events.stopped) events.stopped(stop);
    lock.lock();
    stand(lock, self);
    return !t.stopped();
}

bool Debugger::State::tellWritten(Lock& lock, ThreadState& self, const Insn* wrote) {
    if (back.isOn()) return true;
    std::optional<Watches::Change> change = watches.findChange(self.id, self.thread->regs);
    if (!change) return true;
    Stop stop;
    stop.reason = Stop::Reason::Watch;
    stop.watches = std::move(change->ids);
    stop.before = std::move(change->before);
    stop.after = std::move(change->after);
    self.showAt(wrote);
    return stopHere(lock, self, stop, [] { return true; });
}

void Debugger::State::beginWrite(Lock& lock, ThreadState& self) {
    for (;;) {
        if (isStopped && owner.writer != self.thread) stand(lock, self); // who is within a statement ends it first
        if (threads.size() < 2 || watches.effects() == 0) return;
        const Thread* nobody = nullptr;
        if (owner.writer.compare_exchange_strong(nobody, self.thread) || nobody == self.thread) return;
        changed.wait_for(lock, Glance);
    }
}

void Debugger::State::standWhileStopped(Lock& lock, ThreadState& self) {
    if (isStopped) stand(lock, self);
}

void Debugger::State::stand(Lock& lock, ThreadState& self) {
    self.run = Run::Standing;
    changed.notify_all();
    while (isStopped || self.order) {
        if (!self.order) {
            changed.wait(lock);
            continue;
        }
        std::shared_ptr<const std::function<void(Thread&)>> order = self.order;
        lock.unlock();
        (*order)(*self.thread);
        lock.lock();
        self.order = nullptr;
        changed.notify_all();
    }
    self.isRecalled = false;
    self.run = Run::Running;
    look(self);
    landIfPutBack(lock, self);
    if (!hasKeptSignals()) return;
    lock.unlock();
    takeKept(self);
    lock.lock();
    if (isStopped) stand(lock, self);
}

void Debugger::State::landIfPutBack(Lock& lock, ThreadState& self) {
    Thread& t = *self.thread;
    if (!t.wentBack || !t.history) return;
    self.run = Run::Foreign; // it waits for its turn
    lock.unlock();
    t.history->land(t);
}

void Debugger::State::sortThreads(const History& history) {
    auto move = [](auto& from, auto& to, auto isWanted) {
        for (auto& t : from)
            if (isWanted(*t)) to.push_back(std::move(t));
        std::erase(from, nullptr);
    };
    move(threads, gone, [&](const ThreadState& t) { return !history.order.isThere(*t.thread); });
    move(gone, threads, [&](const ThreadState& t) { return history.order.isThere(*t.thread); });
    std::sort(threads.begin(), threads.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
}

void Debugger::State::tellThreads(Lock& lock) {
    std::vector<std::pair<DebugThreadId, bool>> news;
    for (bool isThere : {true, false})
        for (const auto& t : isThere ? threads : gone)
            if (std::exchange(t->isTold, isThere) != isThere && t->fiber == 0) news.emplace_back(t->id, isThere);
    if (news.empty() || !events.thread) return;
    lock.unlock();
    for (auto [id, isThere] : news) events.thread(id, isThere);
    lock.lock();
}

void Debugger::State::tellEnded(Lock& lock, const std::vector<int>& ended) {
    if (ended.empty() || !events.watchEnded) return;
    lock.unlock();
    for (int id : ended) events.watchEnded(id);
    lock.lock();
}

void Debugger::State::goOn() {
    if (!isStopped) return;
    isStopped = false;
    hasCalled = false;
    watches.settle();
    for (const auto& t : threads) {
        if (!t->step.isOn) t->result.reset();
        t->afterCall = nullptr;
        t->isAtWrite = false;
    }
    setAttention(Halt, false);
    updateAttention();
    changed.notify_all();
}

void Debugger::State::updateAttention() {
    bool looksForCalls = std::any_of(threads.begin(), threads.end(), [](const auto& t) {
        return t->step.isOn && t->step.kind == Debugger::Step::Into;
    });
    setAttention(Calls, looksForCalls);
    setAttention(Limit, limitedCalls != 0);
    owner.watching = watches.effects() | (back.looksAtAll() || traces ? uint32_t{DebugHooks::Any} : 0u);
    if (watches.effects() == 0) owner.writer = nullptr;
}

void Debugger::State::endWrite(const Thread& t) {
    const Thread* writer = &t;
    if (owner.writer.compare_exchange_strong(writer, nullptr)) changed.notify_all();
}

void Debugger::State::holdWrite(const ThreadState& self) { owner.writer = self.thread; }

void Debugger::State::look(ThreadState& self) {
    self.looked = self.thread->pc;
    self.lookedIn = self.thread->regs;
}

void Debugger::State::setAttention(uint32_t bit, bool on) {
    if (on) owner.attention.fetch_or(bit);
    else owner.attention.fetch_and(~bit);
}

Result<Debugger::State::Order> Debugger::State::give(DebugThreadId id, std::function<void(Thread&)> order) {
    ThreadState* t = find(id);
    if (!t) return Failure{"there is no thread " + std::to_string(id)};
    if (!isStopped) return Failure{"the program is running"};
    if (t->order) return Failure{"the thread is still inside a C function that an evaluation has called"};
    if (t->run != Run::Standing) return Failure{"the thread is inside a C function"};
    t->order = std::make_shared<const std::function<void(Thread&)>>(std::move(order));
    changed.notify_all();
    return t->order;
}

Result<void> Debugger::State::runOn(DebugThreadId id, std::function<void(Thread&)> order) {
    Lock lock(mutex);
    Result<Order> given = give(id, std::move(order));
    if (!given) return given.failure();
    const ThreadState* t = find(id);
    changed.wait(lock, [&] { return t->order != *given; });
    return {};
}

// ---- breakpoints

std::function<const FunctionCode*(ir::FuncId)> Debugger::State::codeOf() const {
    if (!program) return [](ir::FuncId) { return nullptr; };
    const Callee* records = program->callees.base();
    return [records](ir::FuncId f) { return records[static_cast<uint32_t>(f)].code; };
}

/// What is translated at the same time finds the breakpoint, or has its code here.
void Debugger::State::set(std::shared_ptr<Breakpoint> b) {
    std::scoped_lock keep(programMutex);
    std::unique_lock<std::recursive_mutex> translation;
    if (program) translation = std::unique_lock(program->lock);
    std::scoped_lock lock(mutex);
    places.add(std::move(b), codeOf());
}

void Debugger::State::remove(int id) {
    std::scoped_lock keep(programMutex);
    std::unique_lock<std::recursive_mutex> translation;
    if (program) translation = std::unique_lock(program->lock);
    std::scoped_lock lock(mutex);
    places.remove(id, codeOf());
}

std::vector<int> Debugger::State::breakpointsHit(Lock& lock, ThreadState& self, bool counts) {
    const Places::Breakpoints* there = places.at(self.thread->pc);
    if (!there || there->empty()) return {};
    Places::Breakpoints asked = *there;
    lock.unlock();
    std::vector<int> hit;
    std::optional<DebugFrame> frame;
    for (const std::shared_ptr<Breakpoint>& b : asked) {
        if (b->options.predicate) {
            if (!frame) frame = innermostFrame(*self.thread);
            frame->thread = self.id;
            if (!b->options.predicate(*self.thread, *frame)) continue;
        }
        if (b->isEntry ? counts : !counts || b->countHit()) hit.push_back(b->id);
    }
    lock.lock();
    return hit;
}

} // namespace sx::vm
