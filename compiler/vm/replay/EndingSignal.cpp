#include "vm/replay/EndingSignal.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace sx::vm {

namespace {

constexpr char RecordedMark = 0;

void unblock(int signal) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

} // namespace

void dieBy(int signal) {
    unblock(signal);
    std::signal(signal, SIG_DFL);
    kill(getpid(), signal);
    for (;;) pause();
}

bool giveToHandler(int signal, SignalFor whom) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0) return false;
    const bool hasInfo = (now.sa_flags & SA_SIGINFO) != 0;
    if (!hasInfo && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)) return false;
    siginfo_t info{};
    info.si_signo = signal;
    info.si_code = SI_QUEUE;
    if (whom == SignalFor::Process) return syscall(SYS_rt_sigqueueinfo, getpid(), signal, &info) == 0;
    unblock(signal);
    if (whom == SignalFor::Itself) return raise(signal) == 0;
    info.si_value.sival_ptr = const_cast<char*>(&RecordedMark);
    return syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, &info) == 0;
}

bool isRecordedSignal(const siginfo_t& info) {
    return info.si_code == SI_QUEUE && info.si_value.sival_ptr == &RecordedMark;
}

} // namespace sx::vm
