#include "vm/CrashReport.h"

#include "vm/Thread.h"

#include "fault.h"
#include "panic.h"

#include <cstdlib>
#include <unistd.h>

namespace sx::vm {

/// As its macro is written.
static std::string signalName(int signal) {
    if (const char* name = sigabbrev_np(signal)) return std::string("SIG") + name;
    if (signal == SIGRTMIN) return "SIGRTMIN";
    return "signal " + std::to_string(signal);
}

std::string faultText(const Thread& t, int signal, uint64_t address) {
    constexpr uint64_t NullPage = 4096;
    std::string what = signal == SIGFPE                        ? "division by zero"
                       : signal == SIGABRT                     ? "it ended the process by `abort`"
                       : signal == SIGILL                      ? "it executed an invalid instruction"
                       : signal != SIGSEGV && signal != SIGBUS ? signalName(signal)
                       : address < NullPage                    ? "dereferenced a null pointer"
                                                               : "accessed memory that is not mapped";
    return t.foreign ? *t.foreign + " crashed: " + what : what;
}

uint64_t faultAddress(const siginfo_t& info) {
    return info.si_code == SI_KERNEL ? UINT64_MAX : reinterpret_cast<uint64_t>(info.si_addr);
}

CrashReport::CrashReport() {
    sx_fault_set_reporter(&CrashReport::report);
    sx_fault_watch();
}

CrashReport::~CrashReport() { sx_fault_set_reporter(nullptr); }

/// The position was saved before the access, or before the call of the C function. Frames of the trace become text
/// here, which may wait for a lock of the thread that failed: the alarm ends that.
void CrashReport::report(const siginfo_t* info, const void* context) {
    constexpr unsigned PatienceSeconds = 5;
    Thread* t = Thread::current();
    if (!t) {
        std::signal(info->si_signo, SIG_DFL);
        std::raise(info->si_signo);
        return;
    }
    std::signal(SIGALRM, [](int) {
        std::signal(SIGABRT, SIG_DFL);
        std::abort();
    });
    alarm(PatienceSeconds);
    char text[SX_FAULT_TEXT + 256];
    size_t length = sx_fault_text(info, context, text);
    if (t->foreign && info->si_signo != SIGABRT) { // whoever calls abort() says enough
        std::string_view in = " in ", callee = *t->foreign;
        callee = callee.substr(0, sizeof text - SX_FAULT_TEXT - in.size());
        length += in.copy(text + length, in.size());
        length += callee.copy(text + length, callee.size());
    }
    sx_frame at = t->place();
    sx_panic_message(&at, text, length);
}

} // namespace sx::vm
