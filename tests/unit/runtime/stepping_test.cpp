// Every operation interrupted at each of its instructions by a handler that has errors of its own: the outcome is that
// of an undisturbed run, but for frames that the handler had to overwrite.
#if defined(__x86_64__)

#include <catch2/catch.hpp>
#include <csignal>

#include "intruder.hpp"
#include "stepping.hpp"
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

using Action = Stepper::Action;

sx_trace_snapshot kept;
sx_trace_handler handled;
sx_trace_state fiber;
uint64_t mark;
Outline undisturbed;

void intrude() { Intruder::handle(SIGTRAP); }

bool isSound() { return isSoundAfter(undisturbed, outline()) && Intruder::seenWrong == 0; }

// Free slots hold frames that must not be seen.
void prepareAnew(Action prepare) {
    sx_trace_clear();
    for (int i = 0; i < SX_TRACE_CHAINS; ++i) raiseChain(Intruder::FRAME, 40);
    sx_trace_clear();
    fiber = {};
    prepare();
}

void interruptEverywhere(const char* name, Action prepare, Action operation) {
    prepareAnew(prepare);
    operation();
    undisturbed = outline();
    prepareAnew(prepare);
    Stepper stepper(intrude, isSound);
    stepper.keep(sx_trace_thread), stepper.keep(kept), stepper.keep(handled), stepper.keep(fiber);
    int steps = stepper.run(operation);
    INFO(name << " interrupted by " << Intruder::chains << " chains of " << Intruder::frames << " frames at step "
              << steps);
    CHECK(!stepper.failed());
    CHECK(isSound()); // the last run, which nothing disturbs
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
void valuesOne() {
    sx_trace_value value = {{"name", 4}, {"text", 4}};
    sx_trace_values(&value, 1);
}
void renameOne() { sx_trace_rename(9); }

void eightChainsWithNotes() {
    for (uint64_t i = 0; i < 8; ++i) raiseChain(10 * i + 1, 2), noteOne();
}

void enterOne() { sx_trace_enter(&handled, 100); }
void aHandler() { twoChains(), enterOne(); }
void aHandlerWithAnError() { aHandler(), raiseChain(31, 3); }
void leaveHandler() { sx_trace_leave(&handled); }
void passHandler() { sx_trace_pass(&handled, 101); }
void unwindHandler() { sx_trace_unwind(&handled); }

void aMarkBelowErrors() {
    twoChains();
    mark = sx_trace_mark();
    enterOne(), raiseChain(31, 3), raiseChain(41, 3);
}
void rewindToMark() { sx_trace_rewind(mark); }

// What a capture took is what counts: it goes in place of what it was taken from.
void captureAll() { sx_trace_capture(&kept); }
void captureAndRestore() { captureAll(), restoreKept(); }
void captureBelowAndResume() { sx_trace_capture_at(1, &kept), resumeKept(); }
void captureNewestAndResume() { sx_trace_capture_newest(&kept), absorbOne(), resumeKept(); }

// Away to an empty fiber, and back.
void swapTwice() { sx_trace_swap(&fiber), sx_trace_swap(&fiber); }

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
    interruptEverywhere("the same with losses", anOverwrittenGroupBelow, hopBelow);
    interruptEverywhere("note", aChain, noteOne);
    interruptEverywhere("note that makes room", fullNotes, noteOne);
    interruptEverywhere("values", aChain, valuesOne);
    interruptEverywhere("values that make room", fullNotes, valuesOne);
    interruptEverywhere("raise that merges chains with notes", eightChainsWithNotes, raiseOne);
    interruptEverywhere("rename", twoChains, renameOne);
    interruptEverywhere("link", twoChains, linkOne);
    interruptEverywhere("absorb", twoChains, absorbOne);
    interruptEverywhere("absorb of linked chains", linkedChains, absorbOne);
    interruptEverywhere("enter", twoChains, enterOne);
    interruptEverywhere("push in a handler", aHandler, pushOne);
    interruptEverywhere("push in place in a handler", aHandler, pushInPlace);
    interruptEverywhere("leave", aHandler, leaveHandler);
    interruptEverywhere("leave with another error", aHandlerWithAnError, leaveHandler);
    interruptEverywhere("pass", aHandlerWithAnError, passHandler);
    interruptEverywhere("unwind", aHandlerWithAnError, unwindHandler);
    interruptEverywhere("rewind", aMarkBelowErrors, rewindToMark);
    interruptEverywhere("absorb what a handler handles", aHandler, absorbOne);
    interruptEverywhere("clear", linkedChains, clearAll);
    interruptEverywhere("resume", aSnapshotWithLosses, resumeKept);
    interruptEverywhere("capture and restore", twoChains, captureAndRestore);
    interruptEverywhere("capture_at and resume", linkedChains, captureBelowAndResume);
    interruptEverywhere("swap", linkedChains, swapTwice);
    interruptEverywhere("capture_newest and resume", linkedChains, captureNewestAndResume);
}

#endif
