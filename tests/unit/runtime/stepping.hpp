// Runs an operation once for each of its instructions, with a signal handler's work done there: the processor's trap
// flag stops it at each, what it can change is kept, the handler works and the operation runs to its end; then all of
// that is as it was, and the operation goes on to the next instruction. So the cost grows with the length of the
// operation, and not with its square.
#pragma once
#if defined(__x86_64__)

#include <ucontext.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <vector>

class Stepper {
public:
    using Action = void (*)();

    // `intrude` runs at each instruction and at the one after it: the second time it sees what the first has left
    // behind. `check` runs after each end that was disturbed; false ends it all.
    Stepper(Action intrude, bool (*check)()) : intrude_(intrude), check_(check) { self_ = this; }

    // Memory that operations change. Their stack need not be named.
    template <typename T> void keep(T& object) { memory_.push_back({&object, sizeof object}); }

    // At how many instructions it was stopped, up to the one where `check` failed.
    int run(Action operation);
    bool failed() const { return failed_; }

private:
    struct Span {
        void* start;
        std::size_t size;
    };

    enum class Phase { Walking, Intruded, Disturbed, GoingBack };

    static constexpr greg_t TRAP_FLAG = 0x100;
    static constexpr std::size_t RED_ZONE = 128;
    static constexpr int SAME_INSTRUCTION = 3; // so many steps of one that repeats itself, such as `rep movsb`

    static void handle(int, siginfo_t*, void* context) { self_->step(*static_cast<ucontext_t*>(context)); }

    void step(ucontext_t& context);
    bool isWorthStopping(const ucontext_t& context);
    Span stack(const ucontext_t& context) const;
    static Span vectors(const ucontext_t& context);
    static void copyBytes(void* to, const void* from, std::size_t size);
    void save(const ucontext_t& context);
    void goBack(ucontext_t& context);
    void runStepped(Action operation);

    static inline Stepper* self_ = nullptr;
    Action intrude_;
    bool (*check_)();
    std::vector<Span> memory_;
    volatile Phase phase_ = Phase::Walking;
    volatile bool failed_ = false;
    volatile int steps_ = 0;
    char* stackTop_ = nullptr;
    greg_t lastPlace_ = 0;
    int stepsThere_ = 0;

    gregset_t registers_;
    char saved_[64 * 1024];
};

namespace stepping {

inline void setTrapFlag() {
    __asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; orl $0x100, (%%rsp); popfq; leaq 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

inline void clearTrapFlag() {
    __asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; andl $~0x100, (%%rsp); popfq; leaq 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

} // namespace stepping

// Not a call of memcpy, nor code that the address sanitizer looks at: between variables on the stack is what it guards.
inline void Stepper::copyBytes(void* to, const void* from, std::size_t size) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

inline Stepper::Span Stepper::stack(const ucontext_t& context) const {
    char* from = reinterpret_cast<char*>(context.uc_mcontext.gregs[REG_RSP]) - RED_ZONE;
    return {from, static_cast<std::size_t>(stackTop_ - from)};
}

// The processor's other registers as the kernel has laid them down; how many bytes that are stands in what the
// processor itself does not use.
inline Stepper::Span Stepper::vectors(const ucontext_t& context) {
    constexpr std::size_t LEGACY = 512, MAGIC_AT = 464;
    constexpr uint32_t MAGIC = 0x46505853;
    char* start = reinterpret_cast<char*>(context.uc_mcontext.fpregs);
    if (start == nullptr) return {nullptr, 0};
    uint32_t words[5]; // magic, with the second magic; features (64 bits); the size
    std::memcpy(words, start + MAGIC_AT, sizeof words);
    return {start, words[0] == MAGIC ? words[4] : LEGACY};
}

inline void Stepper::save(const ucontext_t& context) {
    std::memcpy(registers_, context.uc_mcontext.gregs, sizeof registers_);
    char* to = saved_;
    auto copy = [&](Span from) {
        if (to + from.size > saved_ + sizeof saved_) std::abort();
        copyBytes(to, from.start, from.size);
        to += from.size;
    };
    copy(stack(context)), copy(vectors(context));
    for (Span span : memory_) copy(span);
}

inline void Stepper::goBack(ucontext_t& context) {
    std::memcpy(context.uc_mcontext.gregs, registers_, sizeof registers_);
    const char* from = saved_;
    auto bringBack = [&](Span to) {
        copyBytes(to.start, from, to.size);
        from += to.size;
    };
    bringBack(stack(context)), bringBack(vectors(context));
    for (Span span : memory_) bringBack(span);
}

inline bool Stepper::isWorthStopping(const ucontext_t& context) {
    greg_t place = context.uc_mcontext.gregs[REG_RIP];
    stepsThere_ = place == lastPlace_ ? stepsThere_ + 1 : 1;
    lastPlace_ = place;
    return stepsThere_ <= SAME_INSTRUCTION;
}

inline void Stepper::step(ucontext_t& context) {
    switch (phase_) {
    case Phase::Walking:
        if (!isWorthStopping(context)) return;
        save(context);
        steps_ = steps_ + 1;
        phase_ = Phase::Intruded;
        intrude_();
        break;
    case Phase::Intruded:
        phase_ = Phase::Disturbed;
        context.uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
        intrude_();
        break;
    case Phase::Disturbed: break;
    case Phase::GoingBack:
        goBack(context);
        phase_ = Phase::Walking;
        break;
    }
}

// Comes to its end again and again, the last time undisturbed.
[[gnu::noinline]] inline void Stepper::runStepped(Action operation) {
    stackTop_ = static_cast<char*>(__builtin_frame_address(0));
    stepping::setTrapFlag();
    operation();
    stepping::clearTrapFlag();
    if (phase_ == Phase::Walking) return;
    failed_ = !check_();
    if (failed_) return;
    phase_ = Phase::GoingBack;
    __asm__ volatile("int3" ::: "memory");
}

inline int Stepper::run(Action operation) {
    static char handlerStack[256 * 1024];
    stack_t stack = {}, stackBefore;
    stack.ss_sp = handlerStack;
    stack.ss_size = sizeof handlerStack;
    struct sigaction action = {}, before;
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaltstack(&stack, &stackBefore);
    sigaction(SIGTRAP, &action, &before);
    phase_ = Phase::Walking;
    failed_ = false;
    steps_ = stepsThere_ = 0;
    runStepped(operation);
    sigaction(SIGTRAP, &before, nullptr);
    sigaltstack(&stackBefore, nullptr);
    return steps_;
}

#endif
