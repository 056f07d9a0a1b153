// Every operation interrupted at each of its instructions, by the processor's trap flag, with a
// handler that has errors of its own: the outcome is that of an undisturbed run, but for frames that
// the handler had to overwrite.
#if defined(__x86_64__)

#include <ucontext.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "intruder.hpp"
#include "support.hpp"
#define SX_TRACE_HOPS_IN_PLACE
#include "sx/trace_calls.h"

namespace {

using Frames = std::vector<uint64_t>;

struct Outline {
    std::vector<sx_trace_chain> chains;
    std::vector<Frames> frames; // of each chain
};

Outline outline() {
    Outline out;
    for (uint32_t i = 0; i < sx_trace_chains(); ++i) {
        out.chains.push_back(chainAt(i));
        out.frames.push_back(framesOfChain(i));
    }
    return out;
}

bool isSuffix(const Frames& part, const Frames& whole) {
    return part.size() <= whole.size() && std::equal(part.rbegin(), part.rend(), whole.rbegin());
}

uint64_t pushedUpTo(const Outline& outline, std::size_t chain) {
    uint64_t pushed = 0;
    for (std::size_t i = 0; i <= chain; ++i) pushed += outline.chains[i].pushed;
    return pushed;
}

// The same chains, down to those that the handler's made merge, with the same frames or less.
bool isSoundAfter(const Outline& undisturbed, const Outline& disturbed) {
    std::size_t merged = undisturbed.chains.size() - disturbed.chains.size();
    if (disturbed.chains.size() > undisturbed.chains.size()) return false;
    if (disturbed.chains.empty()) return undisturbed.chains.empty();
    for (std::size_t i = disturbed.chains.size() - 1; i > 0; --i) {
        const sx_trace_chain &is = disturbed.chains[i], &was = undisturbed.chains[i + merged];
        if (is.origin != was.origin || is.pushed != was.pushed || is.link != was.link) return false;
        if (!isSuffix(disturbed.frames[i], undisturbed.frames[i + merged])) return false;
    }
    return disturbed.chains[0].origin == undisturbed.chains[0].origin &&
           disturbed.chains[0].pushed == pushedUpTo(undisturbed, merged) &&
           isSuffix(disturbed.frames[0], undisturbed.frames[0]);
}

void setTrapFlag() {
    __asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; orl $0x100, (%%rsp); popfq; leaq 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

void clearTrapFlag() {
    __asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; andl $~0x100, (%%rsp); popfq; leaq 128(%%rsp), %%rsp" ::
                         : "memory", "cc");
}

volatile int stepsLeft = 0;

// Has its errors after the last two steps: the second time it sees what the first has left behind.
void handleStep(int signal, siginfo_t*, void* context) {
    stepsLeft = stepsLeft - 1;
    if (stepsLeft < 2) Intruder::handle(signal);
    if (stepsLeft == 0) static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}

class TrapHandler {
public:
    TrapHandler() {
        struct sigaction action = {};
        action.sa_sigaction = handleStep;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGTRAP, &action, &before_);
    }
    ~TrapHandler() { sigaction(SIGTRAP, &before_, nullptr); }

private:
    struct sigaction before_;
};

using Action = void (*)();

sx_trace_snapshot kept;

// Returns false once `operation` ends before its `steps`-th instruction.
bool runInterrupted(Action operation, int steps) {
    stepsLeft = steps + 1;
    setTrapFlag();
    operation();
    clearTrapFlag();
    return stepsLeft <= 0;
}

// The address sanitizer makes the operations some four times longer.
#if defined(__SANITIZE_ADDRESS__)
constexpr int THINNING = 7;
#else
constexpr int THINNING = 1;
#endif

// At each instruction, or at each `stride`-th: a step costs a signal, so a long operation is costly.
void interruptEverywhere(const char* name, Action prepare, Action operation, int stride = 1) {
    sx_trace_clear();
    prepare();
    operation();
    Outline undisturbed = outline();
    TrapHandler handler;
    bool sound = true;
    int steps = 0;
    for (bool interrupted = true; sound && interrupted;) {
        sx_trace_clear();
        prepare();
        interrupted = runInterrupted(operation, steps += stride * THINNING);
        sound = isSoundAfter(undisturbed, outline()) && Intruder::seenWrong == 0;
    }
    INFO(name << " interrupted by " << Intruder::chains << " chains of " << Intruder::frames << " frames after step "
              << steps);
    CHECK(sound);
    CHECK(steps > 5);
}

// ---- What the operations find. Frames that must not be seen are the intruder's numbers. ----

void nothing() {}

void aChain() { raiseChain(1, 5); }

// Above the chain, free slots hold what was dropped there while the chain was shorter.
void aChainWithLeftovers() {
    sx_trace_raise(1);
    raiseChain(Intruder::FRAME, 3);
    sx_trace_raise(Intruder::FRAME);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_absorb();
    for (uint64_t i = 2; i < 10; ++i) sx_trace_push(i);
}

void aFullRing() { raiseChain(1, 40); }

void anOverwrittenChain() {
    raiseChain(1, 10);
    raiseChain(Intruder::FRAME, 100);
    sx_trace_absorb();
}

void twoChains() { raiseChain(1, 3), raiseChain(11, 3); }

void linkedChains() {
    raiseChain(1, 3), raiseChain(11, 3), raiseChain(21, 3);
    sx_trace_link(SX_TRACE_ATTEMPT);
}

void eightChains() {
    for (uint64_t i = 0; i < 8; ++i) raiseChain(10 * i + 1, 2);
}

// `kept` holds a chain that has lost its frames.
void aSnapshotWithLosses() {
    raiseChain(1, 6);
    raiseChain(Intruder::FRAME, 100);
    sx_trace_absorb();
    sx_trace_capture(&kept);
    sx_trace_clear();
    aChainWithLeftovers();
}

void raiseOne() { sx_trace_raise(100); }
void pushOne() { sx_trace_push(100); }
void pushInPlace() { sx_trace_cold_push(100); }
void linkOne() { sx_trace_link(SX_TRACE_CAUSE); }
void absorbOne() { sx_trace_absorb(); }
void clearAll() { sx_trace_clear(); }
void resumeKept() { sx_trace_resume(&kept); }
void restoreKept() { sx_trace_restore(&kept); }

// Three errors, of which one with its cause stands in the middle; with and without losses below.
void aGroupBelow() {
    sx_trace_raise_error(1, 1), sx_trace_push(2);
    sx_trace_raise_error(11, 2), sx_trace_push(12);
    sx_trace_raise_error(21, 3), sx_trace_push(22);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_raise_error(31, 4), sx_trace_push(32);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_note("a note", 6);
}
void anOverwrittenGroupBelow() {
    aGroupBelow();
    for (uint64_t i = 0; i < 29; ++i) sx_trace_push(33 + i);
}
void fullNotes() {
    aChain();
    for (int i = 0; i < 30; ++i) sx_trace_note("twenty bytes of text", 20);
}

void hopBelow() { sx_trace_push_error(23, 3); }
void noteOne() { sx_trace_note("another note", 12); }

sx_trace_handler handled;

void enterOne() { sx_trace_enter(&handled, 100); }
void aHandler() { twoChains(), enterOne(); }
void aHandlerWithAnError() { aHandler(), raiseChain(31, 3); }
void leaveHandler() { sx_trace_leave(&handled); }
void passHandler() { sx_trace_pass(&handled, 101); }

// What a capture took is what counts: it goes in place of what it was taken from.
void captureAll() { sx_trace_capture(&kept); }
void captureAndRestore() { captureAll(), restoreKept(); }
void captureNewestAndResume() { sx_trace_capture_newest(&kept), absorbOne(), resumeKept(); }

} // namespace

TEST_CASE("interrupted at any instruction every operation stays exact") {
    CleanTrace clean;
    int chains = GENERATE(1, 2);
    Intruder::become(chains, chains == 1 ? 40 : 3);
    interruptEverywhere("raise on nothing", nothing, raiseOne);
    interruptEverywhere("raise", aChainWithLeftovers, raiseOne);
    interruptEverywhere("raise that merges", eightChains, raiseOne);
    interruptEverywhere("push on nothing", nothing, pushOne);
    interruptEverywhere("push", aChain, pushOne);
    interruptEverywhere("push in place", aChain, pushInPlace);
    interruptEverywhere("push in place on a full ring", aFullRing, pushInPlace);
    interruptEverywhere("push on a full ring", aFullRing, pushOne);
    interruptEverywhere("push on an overwritten chain", anOverwrittenChain, pushOne);
    interruptEverywhere("a hop that moves a group", aGroupBelow, hopBelow);
    interruptEverywhere("the same with losses", anOverwrittenGroupBelow, hopBelow, 3);
    interruptEverywhere("note", aChain, noteOne);
    interruptEverywhere("note that makes room", fullNotes, noteOne, 19);
    interruptEverywhere("link", twoChains, linkOne);
    interruptEverywhere("absorb", twoChains, absorbOne);
    interruptEverywhere("absorb of linked chains", linkedChains, absorbOne);
    interruptEverywhere("enter", twoChains, enterOne);
    interruptEverywhere("push in a handler", aHandler, pushOne);
    interruptEverywhere("push in place in a handler", aHandler, pushInPlace);
    interruptEverywhere("leave", aHandler, leaveHandler);
    interruptEverywhere("leave with another error", aHandlerWithAnError, leaveHandler);
    interruptEverywhere("pass", aHandlerWithAnError, passHandler);
    interruptEverywhere("absorb what a handler handles", aHandler, absorbOne);
    interruptEverywhere("clear", linkedChains, clearAll);
    interruptEverywhere("resume", aSnapshotWithLosses, resumeKept);
    interruptEverywhere("capture and restore", twoChains, captureAndRestore, 29);
    interruptEverywhere("capture_newest and resume", linkedChains, captureNewestAndResume, 31);
}

#endif
