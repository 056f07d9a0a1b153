#include "vm/CrashReport.h"

#include "source/Signals.h"
#include "vm/Thread.h"

#include "fault.h"
#include "panic.h"

#include <cstdlib>
#include <unistd.h>

namespace sx::vm {

std::string faultText(const Thread& t, int signal, uint64_t address) {
    std::string what = crashText(signal, address);
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
