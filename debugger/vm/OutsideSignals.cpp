#include "debugger/vm/OutsideSignals.h"

#include "debugger/engine/Signals.h"
#include "debugger/vm/HandledSignals.h"
#include "source/OwnDescriptors.h"
#include "vm/debug/Signals.h"
#include "vm/replay/EndingSignal.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace sx::debugger {

namespace {

// What a signal handler needs.
int pipeOfSeen = -1;
pid_t watchedProcess = 0; // a copy of it that the program makes is not watched

SignalWatcher* told = nullptr;
std::atomic<bool> isWatching{false}; // the process has a debugger

void endAsBefore(int signal) {
    std::signal(signal, SIG_DFL);
    raise(signal); // delivered when the handler returns
}

std::atomic<unsigned> sent{0}, heard{0};

bool send(const SeenSignal& seen) {
    ++sent;
    const bool isSent = write(pipeOfSeen, &seen, sizeof seen) == sizeof seen;
    if (!isSent) --sent;
    return isSent;
}

void onSignal(int signal, siginfo_t* info, void*) {
    int before = errno;
    SeenSignal seen;
    seen.signal = signal;
    bool isSent = info->si_code <= 0 && info->si_code != SI_TIMER;
    seen.sender = !isSent                    ? Stop::Sender::System
                  : info->si_pid == getpid() ? Stop::Sender::Itself
                                             : Stop::Sender::Other;
    bool isWatched = getpid() == watchedProcess, isDone = false;
    if (isWatched && seen.sender == Stop::Sender::Itself && told->taken(*info)) {
        errno = before;
        return;
    }
    if (isWatched && (seen.sender == Stop::Sender::Itself || vm::isRecordedSignal(*info)))
        isDone = told->standing([&](ThreadId thread) {
            seen.thread = thread;
            send(seen);
        });
    if (!isDone && (!isWatched || !send(seen))) endAsBefore(signal);
    errno = before;
}

/// The handler from which a fault was told: without it the signal ends the process. Null: none was.
std::atomic<void (*)(int, siginfo_t*, void*)> faultHandlers[NSIG];

bool isHandledByTeller(int signal) {
    struct sigaction now {};
    auto handler = signal < NSIG ? faultHandlers[signal].load() : nullptr;
    return handler && sigaction(signal, nullptr, &now) == 0 && now.sa_sigaction == handler;
}

bool isHandled(int signal, bool byThis) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0) return false;
    bool hasInfo = (now.sa_flags & SA_SIGINFO) != 0;
    return byThis ? hasInfo && now.sa_sigaction == onSignal : !hasInfo && now.sa_handler == SIG_DFL;
}

/// Of the others that say that the program is broken the runtime tells.
bool isWatched(int signal) {
    return endsFromOutside(signal) || signal == SIGSYS || signal == SIGTRAP || signal == SIGINT;
}

struct sigaction watching() {
    struct sigaction action {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    return action;
}

/// A signal for which the program wants the default is watched, and one that is watched has it.
int setAction(int signal, const struct sigaction* now, struct sigaction* before) {
    const bool wasThis = isHandled(signal, /*byThis=*/true);
    const struct sigaction mine = watching();
    const bool isDefault = now && now->sa_handler == SIG_DFL && isWatching && isWatched(signal);
    int result = setHandledAction(signal, now, before, isDefault ? &mine : nullptr);
    if (result == 0 && before && wasThis) *before = {};
    return result;
}

sighandler_t setHandler(int signal, sighandler_t handler) {
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    struct sigaction now {
    }, before{};
    now.sa_handler = handler;
    if (handler != SIG_DFL) now.sa_flags = SA_RESTART;
    return setAction(signal, &now, &before) == 0 ? before.sa_handler : SIG_ERR;
}

} // namespace

std::vector<std::pair<std::string, void*>> signalFunctions() {
    return {{"signal", reinterpret_cast<void*>(setHandler)},
            {"sigaction", reinterpret_cast<void*>(setAction)},
            // The copy has no debugger, of which only `fork` tells.
            {"vfork", reinterpret_cast<void*>(&fork)},
            {"_Fork", reinterpret_cast<void*>(&fork)}};
}

void watchSignals(SignalWatcher watcher) {
    told = new SignalWatcher(std::move(watcher)); // as long as the process
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    for (int& end : ends) end = keepAway(end);
    pipeOfSeen = ends[1];
    watchedProcess = getpid();
    for (int s = 1; s <= SIGRTMAX; ++s) {
        if (!isWatched(s) || !isHandled(s, /*byThis=*/false)) continue;
        const struct sigaction action = watching();
        sigaction(s, &action, nullptr);
    }
    isWatching = true;
    const vm::SignalsBlocked blocked; // in the thread
    std::thread([from = ends[0]] {
        SeenSignal seen;
        while (true) {
            ssize_t n = read(from, &seen, sizeof seen);
            if (n == sizeof seen) told->seen(seen), ++heard;
            else if (n == 0 || errno != EINTR) return;
        }
    }).detach();
}

bool tellFault(const siginfo_t& info) {
    struct sigaction now {};
    if (!isWatching || getpid() != watchedProcess || sigaction(info.si_signo, nullptr, &now) != 0) return false;
    const int before = errno;
    faultHandlers[info.si_signo] = now.sa_sigaction;
    SeenSignal seen;
    seen.signal = info.si_signo;
    seen.sender = Stop::Sender::Other;
    const bool isSent = send(seen);
    errno = before;
    return isSent;
}

void awaitSeen() {
    constexpr std::chrono::milliseconds Patience{1000}, Pause{1};
    for (auto left = Patience; sent != heard && left.count() > 0; left -= Pause) std::this_thread::sleep_for(Pause);
}

void resetSignal(int signal) {
    const struct sigaction none {};
    setAction(signal, &none, nullptr);
}

void leaveSignals() {
    isWatching = false;
    for (int s = 1; s <= SIGRTMAX; ++s)
        if (isHandled(s, /*byThis=*/true)) std::signal(s, SIG_DFL);
}

void outliveReader() {
    if (isHandled(SIGPIPE, /*byThis=*/false)) std::signal(SIGPIPE, SIG_IGN);
}

void endBySignal(int signal) {
    if (isHandled(signal, /*byThis=*/true) || isHandledByTeller(signal)) std::signal(signal, SIG_DFL);
    kill(getpid(), signal);
}

} // namespace sx::debugger
