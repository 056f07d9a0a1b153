// What signals are called, and what one that ends a call means. Nothing but the standard library: a library that must
// not know LLVM includes it as well.
#pragma once

#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>

namespace sx {

/// As its macro is written: `SIGSEGV`, `SIGRTMIN+2`. Of a number that is none `signal N`.
inline std::string signalName(int signal) {
    if (signal == SIGRTMIN) return "SIGRTMIN";
    if (signal == SIGRTMAX) return "SIGRTMAX";
    if (signal > SIGRTMIN && signal < SIGRTMAX) return "SIGRTMIN+" + std::to_string(signal - SIGRTMIN);
    const char* name = sigabbrev_np(signal);
    return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

/// What a call did that has ended by a signal: "dereferenced a null pointer". `address`: of the access, where it was
/// one; of one that is not known the highest.
inline std::string crashText(int signal, uint64_t address) {
    constexpr uint64_t NullPage = 4096;
    switch (signal) {
    case SIGFPE: return "division by zero";
    case SIGABRT: return "it ended the process by `abort`";
    case SIGILL: return "it executed an invalid instruction";
    case SIGSEGV:
    case SIGBUS: return address < NullPage ? "dereferenced a null pointer" : "accessed memory that is not mapped";
    default: return signalName(signal);
    }
}

} // namespace sx
