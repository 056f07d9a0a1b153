// Calls that a debugger makes on a thread of the program, and the faults of threads.
#include "vm/debug/World.h"

#include "vm/CallUndo.h"
#include "vm/CrashReport.h"
#include "vm/Thread.h"
#include "vm/debug/LeavingC.h"
#include "vm/debug/Signals.h"

#include "fault.h"
#include "fiber.h"

#include <algorithm>
#include <csignal>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace sx::vm {

using Run = Debugger::ThreadState::Run;
using CallEnd = Debugger::ThreadState::CallEnd;
using Leaving = Debugger::ThreadState::Leaving;

uint64_t* freeTop(const Thread& t) {
    const auto* callee = reinterpret_cast<const Callee*>(t.regs[HeaderCallee]);
    if (!callee->code) return t.regs + t.program.module.fn(callee->func).params.size() + 1;
    return t.regs + callee->code->frameWords + HeaderWords + callee->code->outgoingWords;
}

namespace {

/// While it lives, the thread makes a call for the debugger; then it is where it was.
class Borrowed {
public:
    Borrowed(Debugger::State& state, Debugger::ThreadState& self, std::chrono::milliseconds time)
        : state_(state), self_(self), standing_(self.thread->standing()), time_(self.time), deadline_(self.deadline),
          jump_(self.jump) {
        if (sx_trace_chains() != 0) traces_.emplace(self.thread->program.traces);
        self.time = time;
        self.deadline = std::chrono::steady_clock::now() + time;
        self.callEnd = CallEnd::None;
        self.leaving = Leaving::No;
        self.jump = self.thread->escape = &jump;
        wentBack_ = std::exchange(self.thread->wentBack, false);
        if (++self.calls == 1) self.thread->useSpare(true);
        if (self.thread->history) self.thread->history->suspend(*self.thread);
        if (!self.thread->foreign && self.thread->regs) self.thread->top = freeTop(*self.thread);
        limit(1);
    }
    ~Borrowed() {
        if (!traces_) sx_trace_clear();
        limit(-1);
        if (--self_.calls == 0) self_.thread->useSpare(false);
        self_.jump = jump_;
        self_.deadline = deadline_;
        self_.time = time_;
        self_.thread->standAt(standing_);
        self_.thread->wentBack = wentBack_;
        if (self_.thread->history) self_.thread->history->resume(*self_.thread);
    }

    sigjmp_buf jump;

private:
    void limit(int change) {
        std::scoped_lock lock(state_.mutex);
        state_.limitedCalls += static_cast<unsigned>(change);
        state_.caller = state_.limitedCalls != 0 ? syscall(SYS_gettid) : 0;
        if (state_.isStopped) state_.hasCalled = true;
        state_.setAttention(DebugHooks::Limit, state_.limitedCalls != 0);
    }

    Debugger::State& state_;
    Debugger::ThreadState& self_;
    const Thread::Standing standing_;
    const std::chrono::milliseconds time_;
    const std::chrono::steady_clock::time_point deadline_;
    sigjmp_buf* const jump_;
    bool wentBack_ = false;            ///< the thread has not gone on yet from where it was put back to
    std::optional<TraceScope> traces_; ///< where an error is in flight, which stays out of sight
};

} // namespace

/// What a call says that had to end.
static std::string endText(const DebuggedThread& self) {
    switch (self.callEnd) {
    case CallEnd::Signal: return faultText(*self.thread, self.faultSignal, self.faultAddress);
    case CallEnd::Cancelled: return "cancelled";
    case CallEnd::Jump:
        return *self.thread->foreign +
               " goes back to a call of the program's by `longjmp`, and cannot be called from here";
    case CallEnd::LateJump: return *self.thread->foreign + " goes back by `longjmp` to a call that has returned";
    default: break;
    }
    std::string text = "it did not end within " + std::to_string(self.time.count()) + " ms";
    if (self.leaving == Leaving::Now) text += ", and keeps what " + code(self.lockedIn) + " has locked";
    return text;
}

bool Debugger::State::isInTime(ThreadState& self) {
    if (self.callEnd == CallEnd::None && std::chrono::steady_clock::now() < self.deadline) return true;
    self.thread->fail(endText(self));
    return false;
}

Result<uint64_t> Debugger::callHere(Thread& t, ir::FuncId f, llvm::ArrayRef<uint64_t> args, CallLimits limits) {
    ThreadState& self = *t.debugged;
    Callee* callee;
    {
        std::scoped_lock lock(t.program.lock);
        callee = &t.program.callees.at(f);
    }
    Borrowed borrowed(*state_, self, limits.time);
    uint64_t result = 0;
    // What a jump leaves behind are frames of the interpreter and of C.
    switch (sigsetjmp(borrowed.jump, 0)) {
    case 0:
        t.call(*callee, args, result);
        if (t.undo && !t.stopped()) t.undo->finish(t);
        break;
    case 1: break; // the thread knows why
    case 2: t.fail(faultText(t, self.faultSignal, self.faultAddress)); break;
    default: t.fail(endText(self)); break;
    }
    if (isCopy) _exit(0); // there is nobody to return to
    if (!t.stopped() && self.callEnd == CallEnd::Signal) return Failure{endText(self)};
    if (!t.stopped()) return result;
    return Failure{t.outcome() == Thread::Outcome::Exited ? "the call ended the program" : t.error};
}

namespace {

/// Of what the system ignores: it does no harm where it comes late.
constexpr int Interrupt = SIGURG;

/// Out of a C function that a call of the debugger has led to, where that has to end.
void leaveCall(int) {
    Thread* t = Thread::current();
    DebuggedThread* self = t ? t->debugged : nullptr;
    bool isInC = self && self->calls != 0 && self->jump && t->foreign;
    if (isInC && self->callEnd != CallEnd::None) leaveC(*self);
}

/// While it lives, `Interrupt` leads out of C.
class Interrupting {
public:
    Interrupting() {
        prepareToLeaveC();
        struct sigaction action {};
        action.sa_handler = leaveCall;
        action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
        sigaction(Interrupt, &action, &before_);
    }
    ~Interrupting() { sigaction(Interrupt, &before_, nullptr); }

private:
    struct sigaction before_ {};
};

} // namespace

Result<void> Debugger::State::callOn(DebugThreadId id, std::function<void(Thread&)> order, const CallLimits& limits) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds Slice{20}, Patience{1000}; // for a C function to be left
    constexpr std::chrono::milliseconds PatienceWithLibrary{500};  // … by itself, where the C library holds a lock
    Lock lock(mutex);
    Result<Order> given = give(id, std::move(order));
    if (!given) return given.failure();
    ThreadState* t = find(id);
    Clock::time_point end = Clock::now() + limits.time;
    std::optional<Interrupting> interrupting;
    while (!changed.wait_for(lock, Slice, [&] { return t->order != *given; })) {
        if (!interrupting) {
            lock.unlock();
            const bool isCancelled = limits.isCancelled && limits.isCancelled();
            lock.lock();
            if (t->order != *given) break;
            if (!isCancelled && Clock::now() < end) continue;
            t->callEnd = isCancelled ? CallEnd::Cancelled : CallEnd::Late;
            end = Clock::now() + Patience;
            lock.unlock();
            interrupting.emplace();
            lock.lock();
            continue; // interpreted code, and what it calls for a moment, ends by itself
        } else if (Clock::now() >= end - Patience + PatienceWithLibrary && t->leaving == Leaving::Later) {
            t->leaving = Leaving::Now;
        } else if (Clock::now() >= end) {
            return Failure{endText(*t) + ": the thread stays inside a C function, which lets nothing interrupt it"};
        }
        if (caller != 0) syscall(SYS_tgkill, getpid(), caller.load(), Interrupt);
    }
    return {};
}

Result<uint64_t> Debugger::callFunction(DebugThreadId id, ir::FuncId f, llvm::ArrayRef<uint64_t> args,
                                        CallLimits limits) {
    auto result = std::make_shared<Result<uint64_t>>(Failure{"the call was not made"});
    auto order = [this, f, words = args.vec(), time = limits.time, result](Thread& t) {
        t.debugged->callStack = stackAbove(__builtin_frame_address(0));
        CallUndo undo(t);
        *result = callHere(t, f, words, {time, {}});
        if (!*result) undo.fail();
        t.debugged->callStack = {};
    };
    if (Result<void> made = state_->callOn(id, order, limits); !made) return made.failure();
    return *result;
}

bool Debugger::runOn(DebugThreadId id, const std::function<void(Thread&)>& order) {
    return static_cast<bool>(state_->runOn(id, order));
}

// ---- threads

namespace {
constexpr size_t SignalStackBytes = size_t{1} << 20; // calls of the debugger run on it after a fault

/// A fiber has that of its thread.
void giveSignalStack(DebuggedThread& self) {
    if (self.fiber != 0) return;
    void* stack = mmap(nullptr, SignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return;
    self.signalStack = stack;
    stack_t signals{stack, 0, SignalStackBytes};
    sigaltstack(&signals, nullptr);
}
} // namespace

void Debugger::onThreadStart(Thread& t) {
    if (isCopy) return;
    auto made = std::make_unique<ThreadState>();
    ThreadState& self = *made;
    self.thread = &t;
    self.system = syscall(SYS_gettid);
    self.fiber = sx_fiber_number();
    self.run = Run::Foreign;
    self.isTold = true;
    giveSignalStack(self);
    if (self.fiber == 0) keepSignals();
    t.debugged = &self;
    {
        std::scoped_lock lock(state_->mutex);
        state_->seeFibers();
        self.id = self.fiber != 0 ? state_->fiberIds.of(self.fiber) : ++state_->lastThread;
        state_->add(std::move(made));
    }
    state_->tell(self, true);
    onForeignReturn(t);
}

/// It waits, where it may be put back.
static void leave(Debugger::State& state, DebuggedThread& self) {
    std::unique_lock lock(state.mutex);
    state.standWhileStopped(lock, self);
    self.run = Run::Foreign;
    state.steps.end(self);
    state.sortThreads(*self.thread->history);
    state.updateAttention();
    state.changed.notify_all();
    if (!state.back.isOn()) state.tellThreads(lock);
}

void Debugger::onThreadEnd(Thread& t) {
    if (isCopy) return;
    ThreadState& self = *t.debugged;
    state_->endWrite(t);
    if (t.history && !t.history->order.isThere(t)) return leave(*state_, self);
    state_->takeKept(self);
    if (self.signalStack) {
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        sigaltstack(&none, nullptr);
        munmap(self.signalStack, SignalStackBytes);
    }
    std::unique_ptr<ThreadState> ended;
    {
        std::unique_lock lock(state_->mutex);
        state_->standWhileStopped(lock, self);
        ended = state_->remove(self);
    }
    t.debugged = nullptr;
    if (ended->fiber == 0) state_->keepNoMore();
    state_->tell(*ended, false);
}

void Debugger::onTurn(Thread& t) {
    if (isCopy) return;
    ThreadState& self = *t.debugged;
    std::unique_lock lock(state_->mutex);
    state_->sortThreads(*t.history);
    if (!state_->back.isOn()) return state_->tellThreads(lock);
    if (state_->back.onTurn(lock, self)) state_->landIfPutBack(lock, self);
}

void Debugger::State::loseFiber(uint32_t number) {
    if (ThreadState* lost = find(fiberIds.of(number))) remove(*lost);
}

void Debugger::State::endFiber(Lock& lock, ThreadState& self) {
    self.run = Run::Foreign;
    const bool hadStep = self.step.isOn;
    steps.end(self);
    move(lock, self, /*isThere=*/false);
    if (hadStep) updateAttention();
    changed.notify_all();
}

void Debugger::onFiber(FiberEvent event, Thread* t, uint32_t number) {
    if (isCopy) return;
    if (event == FiberEvent::Ended) state_->endWrite(*t);
    std::unique_lock lock(state_->mutex);
    switch (event) {
    case FiberEvent::Lost: return state_->loseFiber(number);
    case FiberEvent::Again: return state_->move(lock, *t->debugged, /*isThere=*/true);
    case FiberEvent::Ended: return state_->endFiber(lock, *t->debugged);
    case FiberEvent::Switched:
        if (!state_->back.isOn()) return;
        static_cast<void>(state_->back.onTick(lock, *t->debugged));
        return state_->landIfPutBack(lock, *t->debugged);
    case FiberEvent::Forgotten:
        std::erase_if(state_->gone, [&](const auto& other) { return other.get() == t->debugged; });
        t->debugged = nullptr;
    }
}

void Debugger::onForeignCall(Thread& t) {
    if (isCopy || t.debugged->calls != 0) return;
    state_->endWrite(t);
    t.debugged->run = Run::Foreign;
}

void Debugger::onForeignReturn(Thread& t) {
    if (isCopy) return;
    ThreadState& self = *t.debugged;
    if (self.calls != 0) return;
    self.run = Run::Running; // whoever stops the threads asks after it has set `attention`
    if (!(attention & (Halt | Signals))) return;
    state_->takeKept(self);
    std::unique_lock lock(state_->mutex);
    state_->standWhileStopped(lock, self);
}

// ---- signals and faults

bool standInSignal(Debugger& debugger, const std::function<void(DebugThreadId)>& tell) {
    if (debugger.isCopy) return false;
    Thread* t = Thread::current();
    DebuggedThread* self = t ? t->debugged : nullptr;
    if (!self || self->calls != 0 || !t->foreign || self->run != Run::Foreign) return false;
    Debugger::State& state = *debugger.state_;
    std::unique_lock lock(state.mutex);
    while (state.isStopped) state.standWhileStopped(lock, *self);
    state.halt(lock, self);
    for (const auto& other : state.threads) state.steps.suspend(*other);
    state.updateAttention();
    self->run = Run::Standing;
    self->isInSignal = true;
    tell(self->id);
    state.standWhileStopped(lock, *self);
    self->isInSignal = false;
    self->run = Run::Foreign;
    return true;
}

/// The process that has sent the signal; 0: it is a fault, or `abort`.
static int senderOf(const siginfo_t& info) {
    bool isAbort = info.si_signo == SIGABRT && info.si_code == SI_TKILL && info.si_pid == getpid();
    return info.si_code > 0 || isAbort ? 0 : info.si_pid;
}

static void unblock(int signal) {
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, signal);
    pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
}

bool takeSignalOfCall(Debugger& debugger, const siginfo_t& info) {
    Debugger::State& state = *debugger.state_;
    if (debugger.isCopy || info.si_code == SI_TIMER || senderOf(info) != getpid()) return false;
    Thread* t = Thread::current();
    DebuggedThread* self = t ? t->debugged : nullptr;
    if (self && self->calls != 0 && self->jump) {
        self->faultSignal = info.si_signo;
        self->faultAddress = UINT64_MAX;
        self->callEnd = CallEnd::Signal;
        unblock(info.si_signo);
        if (t->foreign) siglongjmp(*self->jump, 3);
        return true;
    }
    // One for the whole process goes to any thread, and may come when the call has ended.
    const bool isForThread = info.si_code == SI_TKILL;
    if (isForThread || !state.hasCalled || (self && self->run != Run::Standing)) return false;
    siginfo_t same = info;
    if (long caller = state.caller; caller != 0) syscall(SYS_rt_tgsigqueueinfo, getpid(), caller, info.si_signo, &same);
    return true;
}

namespace {

std::atomic<Debugger::State*> watched{nullptr}; ///< of the debugger that is told of faults

/// In the signal's handler, on a stack that is large enough for more. True: the program is not to get the signal.
bool seeFault(const siginfo_t* info, bool isOverflow) {
    Thread* t = Thread::current();
    Debugger::ThreadState* self = t ? t->debugged : nullptr;
    Debugger::State* state = watched;
    if (state && state->owner.isCopy) return false;
    if (state && takeSignalOfCall(state->owner, *info)) return true;
    const int sentBy = senderOf(*info);
    const bool isFromOutside = sentBy != 0 && sentBy != getpid() && info->si_code != SI_TIMER;
    if (isFromOutside && state && state->events.faultFromOutside && state->events.faultFromOutside(*info)) return true;
    if (!self) return false; // a fault of the compiler
    if (self->jump) {
        if (sentBy != 0) return false;
        self->faultSignal = info->si_signo;
        self->faultAddress = faultAddress(*info);
        siglongjmp(*self->jump, 2);
    }
    // Damaged memory may not do for telling: then the process ends as it would without a debugger.
    if (std::exchange(self->isTellingFault, true)) {
        std::signal(info->si_signo, SIG_DFL);
        unblock(info->si_signo);
        std::raise(info->si_signo);
    }
    uint64_t address = sentBy != 0 ? UINT64_MAX : faultAddress(*info);
    if (state) state->onFault(*self, info->si_signo, address, sentBy, isOverflow);
    return false;
}

} // namespace

bool Debugger::State::mayHaveChanged(ThreadState& self) {
    sigjmp_buf gone;
    volatile bool mayHave = true;
    self.jump = &gone;
    if (sigsetjmp(gone, 0) == 0) mayHave = watches.mayHaveChanged();
    self.jump = nullptr;
    return mayHave;
}

void Debugger::State::watchFaults() {
    watched = this;
    sx_fault_set_witness(&seeFault);
}

void watchFaults(Debugger& debugger) {
    debugger.state_->watchFaults();
    sx_fault_watch();
}

Debugger::State::~State() {
    if (watched != this) return;
    sx_fault_set_witness(nullptr);
    watched = nullptr;
}

void Debugger::State::onFault(ThreadState& self, int signal, uint64_t address, int sentBy, bool isOverflow) {
    endWrite(*self.thread);
    Lock lock(mutex);
    const bool& isWanted = isOverflow ? stopsAtPanics : stopsAtFaults;
    if (!isWanted) {
        self.isTellingFault = false;
        return;
    }
    Stop stop;
    if (isOverflow) {
        stop.reason = Stop::Reason::Panic;
        stop.text = "stack overflow";
    } else {
        stop.reason = Stop::Reason::Fault;
        stop.signal = signal;
        stop.address = address;
        stop.sentBy = sentBy;
        stop.text = faultText(*self.thread, signal, address);
    }
    tellWritten(lock, self, nullptr); // in the midst of a statement
    self.isEnding = true;
    if (!self.thread->wentBack) stopHere(lock, self, stop, [&] { return isWanted; });
    lock.unlock();
    self.isTellingFault = false;
    if (self.thread->wentBack && self.thread->landing) siglongjmp(*self.thread->landing, 1);
}

} // namespace sx::vm
