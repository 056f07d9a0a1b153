#include "debugger/vm/OutsideSignals.h"

#include "debugger/engine/Signals.h"
#include "source/OwnDescriptors.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace sx::debugger {

namespace {

// What a signal handler needs.
int pipeOfSeen = -1;
pid_t watchedProcess = 0; // a copy of it that the program makes is not watched

void onSignal(int signal) {
    int before = errno;
    auto number = static_cast<unsigned char>(signal);
    if (getpid() != watchedProcess || write(pipeOfSeen, &number, 1) != 1) {
        std::signal(signal, SIG_DFL);
        raise(signal); // delivered when this returns
    }
    errno = before;
}

bool isHandledBy(int signal, void (*handler)(int)) {
    struct sigaction now {};
    return sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == handler;
}

} // namespace

void watchSignals(std::function<void(int signal)> seen) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    for (int& end : ends) end = keepAway(end);
    pipeOfSeen = ends[1];
    watchedProcess = getpid();
    for (int s : EndingSignals) {
        if (!isHandledBy(s, SIG_DFL)) continue;
        struct sigaction action {};
        action.sa_handler = onSignal;
        action.sa_flags = SA_RESTART;
        sigaction(s, &action, nullptr);
    }
    std::thread([seen = std::move(seen), from = ends[0]] {
        unsigned char number = 0;
        while (true) {
            ssize_t n = read(from, &number, 1);
            if (n == 1) seen(number);
            else if (n == 0 || errno != EINTR) return;
        }
    }).detach();
}

void leaveSignals() {
    for (int s : EndingSignals)
        if (isHandledBy(s, onSignal)) std::signal(s, SIG_DFL);
}

void outliveReader() {
    if (isHandledBy(SIGPIPE, SIG_DFL)) std::signal(SIGPIPE, SIG_IGN);
}

void endBySignal(int signal) {
    if (isHandledBy(signal, onSignal)) std::signal(signal, SIG_DFL);
    kill(getpid(), signal);
}

} // namespace sx::debugger
