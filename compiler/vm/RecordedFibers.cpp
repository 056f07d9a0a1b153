#include "vm/RecordedFibers.h"

#include "vm/Fibers.h"
#include "vm/History.h"

#include <algorithm>
#include <cstddef>
#include <sys/syscall.h>
#include <unistd.h>

namespace sx::vm {

namespace {

/// Of the list; nobody else changes it while a thread of the program has its turn.
uint32_t& createdOfList() { return const_cast<sx_debug_fiber_list*>(sx_debug_fiber_records())->created; }

/// Of the system.
uint32_t ownThreadNumber() {
    static thread_local const auto number = static_cast<uint32_t>(syscall(SYS_gettid));
    return number;
}

} // namespace

RecordedFibers::Quiet::Quiet(bool is) : logs_(is ? sx_debug_fiber_records()->logs : 0) {
    if (logs_ != 0) sx_debug_fiber_log(0);
}

RecordedFibers::Quiet::~Quiet() {
    if (logs_ != 0) sx_debug_fiber_log(logs_);
}

bool RecordedFibers::runsAgain(const Thread& t) { return t.program.options.debugger->runsAgain; }

template <typename T> void RecordedFibers::keep(T& what) {
    history_.log.keep(reinterpret_cast<uint64_t>(&what), sizeof what);
}

/// The list's own fields are not put back: others are linked with them.
void RecordedFibers::keepRecord(const sx_debug_fiber* record) {
    constexpr size_t Links = offsetof(sx_debug_fiber, state);
    history_.log.keep(reinterpret_cast<uint64_t>(record) + Links, sizeof *record - Links);
}

void RecordedFibers::keepOwnRecord() { keepRecord(sx_debug_fiber_own()); }

RecordedFibers::Fiber* RecordedFibers::of(const Thread& t) const {
    auto it = byThread_.find(&t);
    return it == byThread_.end() ? nullptr : it->second;
}

// ---- beginning and end

uint64_t RecordedFibers::create(Thread& t, Callee& entry, uint64_t argument) {
    constexpr size_t LeastStack = 1; // nothing runs on it
    Quiet quiet(runsAgain(t));
    keep(createdOfList());
    auto known = fibers_.find(created_);
    if (known == fibers_.end()) {
        sx_fiber* machine = sx_fiber_create(nullptr, nullptr, LeastStack);
        if (!machine) return 0;
        auto made = std::make_unique<Fiber>();
        made->machine = machine;
        made->record = const_cast<sx_debug_fiber*>(static_cast<const sx_debug_fiber*>(sx_fiber_record(machine)));
        made->isLinked = true;
        byMachine_[reinterpret_cast<uint64_t>(machine)] = made.get();
        known = fibers_.emplace(created_, std::move(made)).first;
        keep(known->second->state);
    } else {
        sx_debug_fiber_next(nullptr, nullptr); // the record has it
        keep(known->second->state);
        keepRecord(known->second->record);
        link(*known->second, /*isAgain=*/false);
    }
    Fiber& f = *known->second;
    f.state = {};
    f.state.entry = &entry;
    f.state.argument = argument;
    f.state.id = f.record->id;
    f.state.isListed = true;
    f.record->state = SX_DEBUG_READY;
    f.record->reason = SX_DEBUG_NO_REASON;
    keep(created_);
    ++created_;
    return reinterpret_cast<uint64_t>(f.machine);
}

/// `isAgain`: as it was in the list, before it was put back.
void RecordedFibers::link(Fiber& f, bool isAgain) {
    const uint32_t created = createdOfList();
    sx_debug_fiber_begin(f.record);
    f.isLinked = true;
    if (!isAgain) return;
    f.record->id = f.state.id;
    createdOfList() = created;
}

void RecordedFibers::unlink(Fiber& f) {
    const uint32_t state = f.record->state;
    sx_debug_fiber_end(f.record);
    f.record->state = state;
    f.isLinked = false;
}

/// It gets its frame in the same place each time.
void RecordedFibers::begin(Thread& from, Fiber& f) {
    if (!f.thread) {
        Program& program = from.program;
        f.thread = std::make_unique<Thread>(program, fiberStackBytes(program.options));
        f.thread->history = std::shared_ptr<History>(std::shared_ptr<History>(), &history_); // it is this one's
        f.thread->side.isGone = true;
        byThread_[f.thread.get()] = &f;
        ++program.foreignThreads;
    }
    Thread& t = *f.thread;
    keep(t.side);
    t.empty();
    t.side = {};
    t.home = from.home;
    t.regs = t.hostFrame(*f.state.entry, f.state.argument);
    t.pc = f.state.entry->entry;
}

void RecordedFibers::release(Thread& t, uint64_t machine) {
    Quiet quiet(runsAgain(t));
    Fiber& f = *byMachine_.at(machine);
    keep(f.state);
    keepRecord(f.record);
    if (f.thread && f.state.isBegun && !f.thread->side.isGone) {
        keep(f.thread->side);
        f.thread->side.isGone = true;
        f.thread->side.isParked = false;
        t.program.options.debugger->onFiber(DebugHooks::FiberEvent::Ended, f.thread.get(), f.state.id);
    }
    f.state.isListed = false;
    f.state.isReleased = true;
    f.releasedAt = history_.now(t).count;
    f.releasedIn = history_.now(t).turn;
    setState(f, SX_DEBUG_DONE);
    unlink(f);
    ++held_;
}

/// Each takes a few mappings of memory, of which a process may have some ten thousands.
bool RecordedFibers::areTooMany() const { return held_ > (history_.recording.isWhole ? 10'000 : 4'000); }

void RecordedFibers::tidy(const Thread& t) {
    if (held_ < nextLook_) return;
    Quiet quiet(true);
    held_ = 0;
    for (auto it = fibers_.begin(); it != fibers_.end();) {
        Fiber& f = *it->second;
        if (f.state.isReleased && history_.isForgotten({f.releasedIn, f.releasedAt, nullptr})) {
            forget(t, f);
            it = fibers_.erase(it);
            continue;
        }
        held_ += f.state.isReleased ? 1 : 0;
        ++it;
    }
    nextLook_ = areTooMany() ? 0 : held_ + LookEvery;
}

void RecordedFibers::forget(const Thread& t, Fiber& f) {
    if (f.thread) {
        history_.order.forget(*f.thread);
        if (f.thread->debugged)
            t.program.options.debugger->onFiber(DebugHooks::FiberEvent::Forgotten, f.thread.get(), f.state.id);
        byThread_.erase(f.thread.get());
    }
    byMachine_.erase(reinterpret_cast<uint64_t>(f.machine));
    link(f, /*isAgain=*/true); // where the runtime takes it from
    sx_fiber_release(f.machine);
}

uint32_t RecordedFibers::number() {
    keep(numbers_);
    return ++numbers_;
}

Thread& RecordedFibers::end(Thread& t) {
    sx_trace_clear(); // errors that the function ignored end with it
    Fiber& f = *of(t);
    keep(t.side);
    Thread& resumer = *t.side.resumer;
    t.side.isGone = true;
    t.side.resumer = nullptr;
    keepRecord(f.record);
    setState(f, SX_DEBUG_DONE);
    t.program.options.debugger->onFiber(DebugHooks::FiberEvent::Ended, &t, f.state.id);
    keep(resumer.side);
    resumer.side.value = 0; // it is over
    return resumer;
}

// ---- switches

void RecordedFibers::setState(Fiber& f, uint32_t state) {
    Quiet quiet(f.thread && runsAgain(*f.thread));
    sx_debug_fiber_set_state(f.record, state);
}

void RecordedFibers::park(Thread& t, const std::string& name) {
    keep(t.side);
    t.foreign = &name;
    t.program.options.debugger->onForeignCall(t);
    t.side.parked = t.standing();
    t.side.parkedCount = t.ownCount();
    t.side.isParked = true;
    t.side.takesValue = false;
    if (sx_trace_chains() == 0) return;
    if (!t.sideTrace) t.sideTrace = std::make_unique<sx_trace_state>();
    keep(*t.sideTrace);
    *t.sideTrace = {};
    sx_trace_swap(t.sideTrace.get());
    t.side.hasTrace = true;
}

void RecordedFibers::resume(Thread& t, uint64_t machine, const std::string& name, bool takesValue) {
    Fiber& f = *byMachine_.at(machine);
    park(t, name);
    t.side.takesValue = takesValue;
    keep(f.state);
    if (!f.state.isBegun) begin(t, f);
    Thread& to = *f.thread;
    keep(to.side);
    to.side.resumer = &t;
    keepRecord(f.record);
    Fiber* outer = of(t);
    f.record->thread = ownThreadNumber();
    f.record->resumer = outer ? outer->record : nullptr;
    f.record->outer_trace = t.side.hasTrace ? t.sideTrace.get() : nullptr;
    f.record->trace = nullptr;
    setState(f, SX_DEBUG_RUNNING);
    t.home->switchesTo = &to;
}

void RecordedFibers::pause(Thread& t, const std::string& name) {
    Fiber& f = *of(t);
    park(t, name);
    Thread& resumer = *t.side.resumer;
    t.side.resumer = nullptr;
    keepRecord(f.record);
    f.record->outer_trace = nullptr;
    f.record->trace = t.side.hasTrace ? t.sideTrace.get() : nullptr;
    setState(f, f.record->reason == SX_DEBUG_NO_REASON ? SX_DEBUG_READY : SX_DEBUG_WAITING);
    keep(resumer.side);
    resumer.side.value = 1; // it paused
    t.home->switchesTo = &resumer;
}

void RecordedFibers::go(Thread& from, Thread& to) {
    DebugHooks& debugger = *to.program.options.debugger;
    Fiber* f = of(to);
    const uint64_t total = history_.now(from).count + 1;
    const uint64_t alarm = from.alarm + 1 + from.side.shift;
    const bool wasParked = to.side.isParked;
    keep(to.side);
    to.side.shift = total - to.ownCount();
    to.side.isParked = false;
    if (wasParked && to.side.hasTrace) {
        keep(*to.sideTrace);
        sx_trace_swap(to.sideTrace.get());
        to.side.hasTrace = false;
    }
    to.home->runs = &to;
    to.landing = from.landing;
    history_.order.switchTo(to);
    Thread::current() = &to;
    sx_fiber_set_running(f ? f->machine : nullptr);
    history_.keepFrame(to);
    history_.setAlarm(to, std::max(alarm, total + 1));
    if (wasParked) {
        if (to.side.takesValue) to.regs[to.pc[1].a] = to.side.value;
        to.pc += 2;
        to.foreign = nullptr;
        to.goesOn = true;
        debugger.onForeignReturn(to);
    } else {
        f->state.isBegun = true; // was kept
        const bool isAgain = to.debugged != nullptr;
        if (isAgain) debugger.onFiber(DebugHooks::FiberEvent::Again, &to, f->state.id);
        if (isAgain) debugger.onForeignReturn(to);
        else debugger.onThreadStart(to);
    }
    debugger.onFiber(DebugHooks::FiberEvent::Switched, &to, f ? f->state.id : 0);
}

// ---- going back

void RecordedFibers::putBack() {
    Quiet quiet(true);
    for (auto& [number, f] : fibers_) {
        if (f->state.isListed && !f->isLinked) link(*f, /*isAgain=*/true);
        else if (!f->state.isListed && f->isLinked) unlink(*f);
        if (!f->thread) continue;
        Thread& t = *f->thread;
        t.goesOn = t.home->goesOn = false;
        if (t.side.isParked) t.putBackParked();
        if (t.home->side.isParked) t.home->putBackParked();
        t.wentBack = true;
    }
}

void RecordedFibers::settle(Thread& home, Thread& runs) {
    for (auto& [number, f] : fibers_)
        if (f->thread && f->thread->home == &home) f->thread->wentBack = false;
    home.wentBack = false;
    home.switchesTo = nullptr;
    runs.wentBack = true;
    runs.landing = home.bottom->landing;
    Thread::current() = &runs;
    Fiber* f = of(runs);
    sx_fiber_set_running(f ? f->machine : nullptr);
}

} // namespace sx::vm
