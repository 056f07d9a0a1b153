// Calls of C by which threads wait for each other, in a program whose threads take turns and that can be gone back in
// (vm/replay/ThreadCalls.h): they are made again after going back, and the order of turns is what is kept of them.
#include "vm/Foreign.h"
#include "vm/ForeignRecorded.h"
#include "vm/History.h"
#include "vm/replay/Tape.h"
#include "vm/replay/ThreadCalls.h"

#include <cerrno>
#include <thread>

namespace sx::vm {

namespace {

using Moment = std::chrono::steady_clock::time_point;

Moment momentOf(const timespec& at, clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    auto left = std::chrono::seconds(at.tv_sec - now.tv_sec) + std::chrono::nanoseconds(at.tv_nsec - now.tv_nsec);
    return std::chrono::steady_clock::now() + std::chrono::duration_cast<Moment::duration>(left);
}

} // namespace

bool Foreign::callOfThreadsInTurn(Thread& t, Site& site, void* target, uint64_t* args, uint64_t& result) {
    const ThreadCall& call = *site.threadCall;
    const KnownCall& known = site.ofThreads ? *site.ofThreads : *site.known;
    Turns& turns = tape_->turns;
    const bool isStranger = !Turns::isKnown(); // it has no turns, and what it does is not kept
    uint64_t value = 0;
    bool isLate = false;

    auto finish = [&] {
        // What time has ended cannot be had again.
        const bool isKept = !isStranger && (isLate || tape_->hasFile());
        if (isKept && tape_->isReplay()) static_cast<void>(tape_->takeCall(site.symbol));
        else if (isKept) tape_->keepCall(site.symbol, resultOfCall(known, args, value));
        if (site.result.cls != ir::ValueClass::None) result = canonical(site.result, value);
        return !t.stopped();
    };
    keepBeforeCall(t, known, args);
    if (call.kind == ThreadCall::Kind::Nothing) return finish();
    if (call.kind == ThreadCall::Kind::Plain) {
        if (!invoke(t, site, target, args, value)) return false;
        return finish();
    }
    uint32_t joined = 0;
    if (call.kind == ThreadCall::Kind::Join) {
        joined = turns.numberOf(args[0]);
        if (isStranger) return invoke(t, site, target, args, result);
        if (joined == 0) return callOutside(t, site, known, target, args, result);
    }
    ThreadWait wait(call, args, t.ticket);
    if (!wait.prepare(value)) return finish();
    std::optional<Moment> until;
    timespec at{};
    clockid_t clock{};
    if (wait.deadline(at, clock)) until = momentOf(at, clock);
    uint64_t joinedResult = 0;
    auto isReady = [&] { return joined != 0 ? turns.hasEnded(joined, joinedResult) : wait.isReady(isLate); };
    for (;;) {
        keepBeforeCall(t, known, args);
        if (joined != 0 ? isReady() : wait.attempt(isLate, value)) break;
        if (!isStranger && tape_->isReplay() && !turns.isTurnNext()) { // its time was over
            isLate = true;
            continue;
        }
        if (until && std::chrono::steady_clock::now() >= *until && !(tape_->isReplay() && !isStranger)) {
            isLate = true;
            until.reset();
            continue;
        }
        if (isStranger) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        else outside(t, site, args, [&] { turns.block(isReady, until); });
    }
    isLate = wait.wasLate();
    if (joined != 0 && args[1] != 0) {
        if (call.isC11) *reinterpret_cast<int32_t*>(args[1]) = static_cast<int32_t>(joinedResult);
        else *reinterpret_cast<uint64_t*>(args[1]) = joinedResult;
    }
    return finish();
}

} // namespace sx::vm
