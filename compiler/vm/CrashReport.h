// What is said of a program under `sx run --vm` that touches memory which is not there, or whose C function does: where it
// stood. Then it ends by that signal, as the compiled program does.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>

namespace sx::vm {

class Thread;

/// What a signal means: "dereferenced a null pointer", with the C function that was running named.
std::string faultText(const Thread&, int signal, uint64_t address);

/// The address of the access; of one that no address can be, which the system does not tell, the highest.
uint64_t faultAddress(const siginfo_t&);

/// While it lives, faults of interpreted code are reported. A fault of the compiler itself, or a second one, is left to what
/// handled it before.
class CrashReport {
public:
    CrashReport();
    ~CrashReport();
    CrashReport(const CrashReport&) = delete;

private:
    static void handle(int signal, siginfo_t*, void*);
    static constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static struct sigaction old_[4];
};

} // namespace sx::vm
