#include "debugger/vm/HandledSignals.h"

#include "debugger/vm/OutsideSignals.h"

#include <atomic>
#include <forward_list>
#include <mutex>

namespace sx::debugger {

namespace {

using Action = struct sigaction;

std::function<bool(const siginfo_t&, ucontext_t&)>* isKept = nullptr;

/// What the program has asked for. A handler may read it at any time: what was in use once stays.
std::atomic<const Action*> wanted[NSIG];
std::forward_list<Action> known;
std::mutex changing;

bool isSame(const Action& a, const Action& b) {
    for (int s = 1; s < NSIG; ++s)
        if (sigismember(&a.sa_mask, s) != sigismember(&b.sa_mask, s)) return false;
    return a.sa_flags == b.sa_flags && a.sa_handler == b.sa_handler;
}

void onHandled(int signal, siginfo_t* info, void* context) {
    if ((*isKept)(*info, *static_cast<ucontext_t*>(context))) return;
    const Action& program = *wanted[signal];
    if (program.sa_flags & static_cast<int>(SA_RESETHAND)) resetSignal(signal);
    if (program.sa_flags & SA_SIGINFO) program.sa_sigaction(signal, info, context);
    else program.sa_handler(signal);
}

bool isOurs(const Action& a) { return (a.sa_flags & SA_SIGINFO) && a.sa_sigaction == onHandled; }

/// Signals wait while the lock is held: a handler may set an action as well.
class Changing {
public:
    Changing() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before_);
        changing.lock();
    }
    ~Changing() {
        changing.unlock();
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    sigset_t before_;
};

const Action* keep(const Action& action) {
    for (const Action& a : known)
        if (isSame(a, action)) return &a;
    return &known.emplace_front(action);
}

} // namespace

void keepHandledSignals(std::function<bool(const siginfo_t&, ucontext_t&)> asked) {
    isKept = new std::function(std::move(asked)); // as long as the process
    // What another thread holds a copy of the process would hold for ever.
    pthread_atfork([] { changing.lock(); }, [] { changing.unlock(); }, [] { changing.unlock(); });
}

int setHandledAction(int signal, const Action* now, Action* before, const Action* instead) {
    const Changing lock;
    const bool isHandler = isKept && !instead && now && now->sa_handler != SIG_DFL && now->sa_handler != SIG_IGN;
    Action set{}, was{};
    if (now) set = instead ? *instead : *now;
    if (isHandler) {
        set.sa_sigaction = onHandled;
        set.sa_flags = (now->sa_flags | SA_SIGINFO) & ~static_cast<int>(SA_RESETHAND);
    }
    if (sigaction(signal, nullptr, &was) != 0) return -1;
    const Action* program = isOurs(was) ? wanted[signal].load() : nullptr;
    const Action* next = isHandler ? keep(*now) : nullptr;
    if (next) wanted[signal] = next;
    if (sigaction(signal, now ? &set : nullptr, nullptr) != 0) {
        if (program) wanted[signal] = program;
        return -1;
    }
    if (before) *before = program ? *program : was;
    return 0;
}

} // namespace sx::debugger
