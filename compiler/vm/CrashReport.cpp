#include "vm/CrashReport.h"

#include "vm/Thread.h"

#include "panic.h"

#include <atomic>
#include <iterator>

namespace sx::vm {

struct sigaction CrashReport::old_[4];

std::string faultText(const Thread& t, int signal, uint64_t address) {
    constexpr uint64_t NullPage = 4096;
    std::string what = signal == SIGFPE    ? "division by zero"
                       : signal == SIGABRT ? "it ended the process by `abort`"
                       : signal == SIGILL  ? "it executed an invalid instruction"
                       : address < NullPage ? "dereferenced a null pointer"
                                            : "accessed memory that is not mapped";
    return t.foreign ? *t.foreign + " crashed: " + what : what;
}

uint64_t faultAddress(const siginfo_t& info) {
    return info.si_code == SI_KERNEL ? UINT64_MAX : reinterpret_cast<uint64_t>(info.si_addr);
}

CrashReport::CrashReport() {
    struct sigaction action {};
    action.sa_sigaction = &CrashReport::handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < std::size(Signals); ++i) sigaction(Signals[i], &action, &old_[i]);
}

CrashReport::~CrashReport() {
    for (size_t i = 0; i < std::size(Signals); ++i) sigaction(Signals[i], &old_[i], nullptr);
}

/// The position was saved before the access, or before the call of the C function.
void CrashReport::handle(int signal, siginfo_t* info, void*) {
    static std::atomic<bool> reporting{false};
    Thread* t = Thread::current();
    bool isFault = info->si_code > 0; // not sent by somebody
    if (t && isFault && !reporting.exchange(true)) {
        sx_frame at = t->place();
        std::string text = faultText(*t, signal, faultAddress(*info));
        sx_panic_print(&at, text.data(), text.size());
        std::signal(signal, SIG_DFL);
    } else {
        for (size_t i = 0; i < std::size(Signals); ++i)
            if (Signals[i] == signal) sigaction(signal, &old_[i], nullptr);
    }
    // A fault happens again as its instruction is repeated; a signal that was sent is sent again.
    if (!isFault) raise(signal);
}

} // namespace sx::vm
