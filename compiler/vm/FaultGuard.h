// Keeps the compiler alive when compile-time code touches memory that is not there: a wild pointer, or a bad argument
// to a C function. While a guard is armed, such a signal in this OS thread leaves for where the guard stands.
#pragma once

#include <csetjmp>
#include <csignal>
#include <cstdint>

namespace sx::vm {

class FaultGuard {
public:
    FaultGuard();
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;

    /// For `sigsetjmp(guard.jump, 1)`: 0 at first, 1 after an abandoned C function, 2 after a signal.
    sigjmp_buf jump;
    int signal = 0;
    uint64_t address = 0; ///< of the access

    /// While it lives, the compiler itself is at work: its faults are its own, and end it.
    class Suspend {
    public:
        Suspend() : guard_(current()) { current() = nullptr; }
        ~Suspend() { current() = guard_; }
        Suspend(const Suspend&) = delete;

    private:
        FaultGuard* guard_;
    };

private:
    static void handle(int signal, siginfo_t*, void*);
    static FaultGuard*& current();
    static constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

    FaultGuard* outer_;
    struct sigaction old_[5];
};

} // namespace sx::vm
