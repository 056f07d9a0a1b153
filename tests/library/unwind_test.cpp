// A stack can be unwound at every instruction of the failing path, as profilers, crash handlers and debuggers need it:
// each instruction is trapped, and the frames found must lead back to the caller.
#include "sx/trace.hpp"

#include "check.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include <csignal>
#include <ucontext.h>
#include <unwind.h>

namespace {

void* volatile wanted = nullptr; // an address in the caller of what is trapped
volatile sig_atomic_t steps = 0, lost = 0, insideLibrary = 0, finished = 0;

// From the signal handler: the handler, the signal's frame, the function, its caller.
constexpr int directFrames = 4;

struct Search {
    bool found = false;
    int frames = 0;
};

_Unwind_Reason_Code lookAt(_Unwind_Context* context, void* argument) {
    Search* search = static_cast<Search*>(argument);
    ++search->frames;
    if (_Unwind_GetIP(context) == reinterpret_cast<uintptr_t>(wanted)) search->found = true;
    return search->found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void trapped(int, siginfo_t*, void* context) {
    if (finished) {
        static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
        return;
    }
    Search search;
    _Unwind_Backtrace(lookAt, &search);
    steps = steps + 1;
    if (search.frames > directFrames) insideLibrary = insideLibrary + 1;
    if (!search.found) lost = lost + 1;
}

// Sets the processor's trap flag. The first instruction that is trapped is the one that restores the stack pointer.
inline __attribute__((always_inline)) void trapFromHere() {
    finished = 0;
    asm volatile("leaq -128(%%rsp), %%rsp; pushfq; orl $0x100, (%%rsp); popfq; leaq 128(%%rsp), %%rsp"
                 :
                 :
                 : "memory", "cc");
}

} // namespace

// Not in an unnamed namespace, and called through pointers, so that they stay functions of their own.
__attribute__((noinline)) long leaf(long n) {
    long values[8];
    for (long i = 0; i < 8; ++i) values[i] = n * i;
    asm volatile("" : : "r"(values) : "memory");
    wanted = __builtin_return_address(0);
    trapFromHere();
    SX_TRACE_RAISE();
    SX_TRACE_HOP();
    finished = 1;
    return values[n & 7];
}

__attribute__((noinline)) long withFrame(long n) {
    char* space = static_cast<char*>(__builtin_alloca(static_cast<size_t>(n) * 16)); // needs a frame pointer
    asm volatile("" : : "r"(space) : "memory");
    wanted = __builtin_return_address(0);
    trapFromHere();
    SX_TRACE_RAISE();
    { SX_CATCH(handling); }
    finished = 1;
    return space[0];
}

// The handler lies below the stack pointer, where the return address of its calls would be.
__attribute__((noinline)) long leafHandler(long n) {
    wanted = __builtin_return_address(0);
    trapFromHere();
    SX_TRACE_RAISE();
    { SX_CATCH(handling); }
    finished = 1;
    return n;
}

int main() {
    struct sigaction action = {};
    action.sa_sigaction = trapped;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, nullptr);
    long (*volatile functions[])(long) = {leaf, withFrame, leafHandler};
    for (auto& function : functions) {
        steps = 0;
        lost = 0;
        insideLibrary = 0;
        long result = function(3);
        asm volatile("" : : "r"(result));
        CHECK(steps > 40);
        CHECK(insideLibrary > 20);
        CHECK(lost == 0);
    }
    return failures == 0 ? 0 : 1;
}

#else
int main() {}
#endif
