#include "vm/debug/Signals.h"

#include "vm/Thread.h"
#include "vm/debug/World.h"

#include <cerrno>
#include <initializer_list>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace sx::vm {

using Run = Debugger::ThreadState::Run;

namespace {

/// Of a thread of the system. It alone looks at it, and its handlers.
struct Kept {
    volatile sig_atomic_t isOfProgram = 0;
    volatile sig_atomic_t some = 0;
    sigset_t blocked{}; ///< that the system keeps for the thread: of those each counts, or they are for this thread
    sigset_t single{};  ///< in `singles`, from this thread
};
thread_local Kept kept;

/// A signal for the process that waits: another one of the same number is no more than that.
struct Single {
    enum State : uint8_t { None, Changing, Waiting };
    std::atomic<uint8_t> state{None};
    siginfo_t info{};
};
Single singles[NSIG];

bool isSingle(const siginfo_t& info) { return info.si_signo < SIGRTMIN && info.si_code != SI_TKILL; }

void sendHere(siginfo_t info) {
    const long thread = syscall(SYS_gettid);
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, info.si_signo, &info) != 0)
        syscall(SYS_tgkill, getpid(), thread, info.si_signo);
}

/// What a thread is in where it is in no C function, and runs handlers.
const std::string Taking = "the delivery of a signal";

constexpr std::initializer_list<int> Faults{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT};

/// The code goes on with the same instruction, which would end the process if its signal were blocked.
bool isFaultOfCode(const siginfo_t& info) {
    for (int fault : Faults)
        if (info.si_signo == fault) return info.si_code > 0;
    return false;
}

/// Where C code runs that the program has called: a handler is one more function that C calls.
bool canRunHandler(const Thread& t, const siginfo_t& info) {
    const DebuggedThread* self = t.debugged;
    if (!self || !t.foreign) return false;
    if (self->calls != 0) return info.si_code <= 0 && info.si_code != SI_TIMER && info.si_pid == getpid();
    return self->run == Run::Foreign;
}

} // namespace

bool keepSignal(Debugger& debugger, const siginfo_t& info, ucontext_t& context) {
    Thread* t = Thread::current();
    if (isFaultOfCode(info) || !kept.isOfProgram) return false;
    if (t && canRunHandler(*t, info)) return false;
    const int error = errno;
    if (!kept.some) {
        sigemptyset(&kept.blocked);
        sigemptyset(&kept.single);
    }
    if (isSingle(info)) {
        Single& s = singles[info.si_signo];
        uint8_t none = Single::None;
        if (!s.state.compare_exchange_strong(none, Single::Changing)) return true;
        s.info = info;
        s.state = Single::Waiting;
        sigaddset(&kept.single, info.si_signo);
    } else {
        sendHere(info);
        sigaddset(&context.uc_sigmask, info.si_signo);
        sigaddset(&kept.blocked, info.si_signo);
    }
    errno = error;
    Debugger::State& state = *debugger.state_;
    if (!kept.some) ++state.keepers;
    kept.some = 1;
    state.setAttention(DebugHooks::Signals, true);
    return true;
}

void keepSignals() { kept.isOfProgram = 1; }

void keepSignalsNoMore() {
    kept.isOfProgram = 0;
    if (kept.some) pthread_sigmask(SIG_UNBLOCK, &kept.blocked, nullptr);
    kept.some = 0;
}

bool hasKeptSignals() { return kept.some != 0; }

bool isTakingSignals(const Thread& t) { return t.foreign == &Taking; }

SignalsBlocked::SignalsBlocked() {
    sigset_t most;
    sigfillset(&most);
    for (int fault : Faults) sigdelset(&most, fault);
    pthread_sigmask(SIG_BLOCK, &most, &before_);
}

/// Nothing is kept any more, and everything is blocked. The mask with which what was kept comes.
static sigset_t takeMask(Debugger::State& state) {
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &mask);
    if (!kept.some) return mask;
    for (int s = 1; s <= SIGRTMAX; ++s) {
        if (sigismember(&kept.blocked, s) == 1) sigdelset(&mask, s);
        if (sigismember(&kept.single, s) != 1) continue;
        const siginfo_t info = singles[s].info;
        singles[s].state = Single::None;
        sendHere(info);
    }
    kept.some = 0;
    if (--state.keepers == 0) state.setAttention(DebugHooks::Signals, false);
    if (state.keepers != 0) state.setAttention(DebugHooks::Signals, true); // one has come to another thread
    return mask;
}

void Debugger::State::keepNoMore() {
    kept.isOfProgram = 0;
    if (!kept.some) return;
    const sigset_t mask = takeMask(*this);
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

/// The code of a thread whose history is kept may be gone on with only after a call of C.
void Debugger::State::takeKept(ThreadState& self) {
    Thread& t = *self.thread;
    if (!kept.some || self.calls != 0 || self.isEnding || (t.history && !t.foreign)) return;
    const int error = errno;
    const sigset_t mask = takeMask(*this);
    const Insn *ahead = self.ahead, *looked = self.looked, *afterCall = self.afterCall;
    const uint64_t* lookedIn = self.lookedIn;
    const bool isBeforeNext = self.isBeforeNext;
    uint64_t* top = t.top;
    const std::string* foreign = t.foreign;
    Thread* current = std::exchange(Thread::current(), &t);
    if (!foreign && t.regs) t.top = freeTop(t);
    if (!foreign) t.foreign = &Taking;
    self.run = Run::Foreign;
    pthread_sigmask(SIG_SETMASK, &mask, nullptr); // they come here
    self.run = Run::Running;
    t.foreign = foreign;
    Thread::current() = current;
    t.top = top;
    self.ahead = ahead;
    self.looked = looked;
    self.lookedIn = lookedIn;
    self.afterCall = afterCall;
    self.isBeforeNext = isBeforeNext;
    errno = error;
}

} // namespace sx::vm
