// What is said of a program under `sx run --vm` that touches memory which is not there, or whose C function does: where
// it stood. It ends as a compiled program does.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>

namespace sx::vm {

class Thread;

/// What a signal means to an evaluation: "dereferenced a null pointer", with the C function that was running named.
std::string faultText(const Thread&, int signal, uint64_t address);

/// The address of the access; of one that no address can be, which the system does not tell, the highest.
uint64_t faultAddress(const siginfo_t&);

/// While it lives, faults of interpreted code are reported. A fault of the compiler itself is left to the system.
class CrashReport {
public:
    CrashReport();
    ~CrashReport();
    CrashReport(const CrashReport&) = delete;

private:
    static void report(const siginfo_t*, const void* context);
};

} // namespace sx::vm
