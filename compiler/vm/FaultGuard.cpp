#include "vm/FaultGuard.h"

#include "vm/CrashReport.h"

#include <iterator>

namespace sx::vm {

FaultGuard*& FaultGuard::current() {
    static thread_local FaultGuard* guard = nullptr;
    return guard;
}

FaultGuard::FaultGuard() : outer_(current()) {
    current() = this;
    struct sigaction action {};
    action.sa_sigaction = &FaultGuard::handle;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    for (size_t i = 0; i < std::size(Signals); ++i) sigaction(Signals[i], &action, &old_[i]);
}

FaultGuard::~FaultGuard() {
    for (size_t i = 0; i < std::size(Signals); ++i) sigaction(Signals[i], &old_[i], nullptr);
    current() = outer_;
}

/// Without a guard in this thread the fault is not an evaluation's: the default action takes it.
void FaultGuard::handle(int signal, siginfo_t* info, void*) {
    FaultGuard* guard = current();
    if (!guard) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    guard->signal = signal;
    guard->address = faultAddress(*info);
    siglongjmp(guard->jump, 2);
}

} // namespace sx::vm
