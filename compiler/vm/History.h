// The way back in a program that a debugger runs: where execution stood now and then (epochs), what memory held since
// (WriteLog), and what C functions gave it. To get to an instant, the memory of the epoch before it is put back, and
// the program runs on from there as it did; docs/time.md explains the choice.
//
// All threads of a program have one in common: they take turns, so there is one order of all that they do. An epoch
// begins with each turn, so that it is of one thread, or of its fibers (RecordedFibers.h). Threads that C code
// starts by itself have none.
#pragma once

#include "vm/RecordedFibers.h"
#include "vm/Thread.h"
#include "vm/ThreadOrder.h"
#include "vm/replay/Turns.h"
#include "vm/time/KnownCalls.h"
#include "vm/time/ProgramHeap.h"
#include "vm/time/WriteLog.h"

#include "sx/trace.h"

#include <deque>
#include <memory>

namespace sx::vm {

class History;

/// A moment between two instructions: how many branches backwards, calls and returns came before in the thread, and the
/// instruction that comes next. Between two of these, code only goes forward, so this tells all moments of a run apart.
/// Of threads that take turns, the turn comes first, counted from 0.
struct Instant {
    uint64_t turn = 0;
    uint64_t count = 0;
    const Insn* pc = nullptr;
    friend bool operator==(const Instant&, const Instant&) = default;
    friend auto operator<=>(const Instant&, const Instant&) = default;
};

/// A moment that can be gone back to.
struct Epoch {
    Instant at;
    Thread::Standing standing;
    WriteLog::Mark mark;
    std::unique_ptr<sx_trace_state> trace; ///< null: nothing in flight
    Thread* thread = nullptr;              ///< whose it is
    Turns::Mark turns;
    size_t tapeAt = 0; ///< Tape::position
};

/// What the threads of a program share that has a history, or a tape, or both.
struct Recording {
    explicit Recording(uint64_t bytes, bool isWhole = false) : historyBytes(bytes), isWhole(isWhole) {
        unlogged.suspend();
    }
    const uint64_t historyBytes;
    const bool isWhole; ///< the history reaches to the start: what there is no room for goes to a file
    KnownCalls known;
    WriteLog unlogged{1 << 16}; ///< keeps nothing: for threads without a history
    std::mutex heapMutex;
    ProgramHeap heap;
    std::atomic<bool> isDisturbed{false}; ///< another thread has run, whose writes are not kept
    std::atomic<unsigned> strangers{0};   ///< threads and fibers that run now, whose writes are not kept
    std::shared_ptr<History> common;      ///< of all threads that take turns
};

class History : public TurnKeeper {
public:
    /// That of a thread that is about to begin: threads that take turns have one in common, others keep nothing.
    static std::shared_ptr<History> forThread(Recording&, Turns&);
    /// It is one of those that keep nothing.
    bool isIdle() const { return isIdle_; }

    // ---- for the loop
    WriteLog& log;
    uint64_t* lowest = nullptr; ///< the frames from here up are kept, or did not exist when the epoch began
    /// Keeps the frame at `t.regs`, which execution returns to.
    void keepFrame(Thread& t);

    // ---- epochs
    /// Of the thread that runs.
    Instant now(const Thread& t) const { return {order.turn(), t.ownCount() + t.side.shift, t.pc}; }
    /// A new one where the thread stands.
    void begin(Thread&);
    /// History begins where the thread stands. `why` completes `history begins at …`.
    void restart(Thread&, std::string why);
    /// What the C function `name` did cannot be undone: `restart` has to follow as soon as it has returned.
    void breakAt(std::string why) { broken_ = std::move(why); }
    bool isBroken() const { return !broken_.empty() || log.lostBytes() != 0; }
    /// Why a history begins that has to begin now.
    std::string breakReason() const;
    /// Restarts where a break asks for it.
    void restartAfterBreak(Thread&);

    /// Nobody can go back to this moment, or before.
    bool isForgotten(const Instant& at) const { return epochs_.empty() || at < epochs_.front().at; }
    size_t epochCount(const Thread&);
    const Epoch& epoch(size_t i) const { return epochs_[i]; }
    /// Everything is as it was when the epoch began; later ones are forgotten. Gives the thread whose epoch it is. With
    /// a common history it has its turn then; every thread has to `land`, where it goes on.
    Thread& goTo(Thread&, size_t epoch);
    /// DebugHooks::onAttention is called when this many branches, calls and returns have been.
    void setAlarm(Thread&, uint64_t count);
    /// The epoch goes on as if it had not been interrupted.
    void resumeEpoch(Thread&);
    /// Where the first epoch begins, as a sentence.
    std::string beginning() const { return "history begins at " + beginning_; }
    /// The first epoch is that in which the program began.
    bool reachesStart() const { return beginning_ == ProgramStart; }
    static constexpr const char* ProgramStart = "the start of the program";

    // ---- threads that take turns
    bool isCommon() const { return !isIdle_; }
    /// Another thread is in a call of C of which it is not known yet what it gives.
    bool isAnyAway() const { return turns_.isAnyAway(); }
    /// All threads wait for each other: one of them takes the turn for a look, and becomes the current one. False: not
    /// all do.
    bool recallTurn() { return turns_.recall(); }
    ThreadOrder order;
    /// The thread is about to run its first instruction, and has its turn.
    void join(Thread&);
    /// It has run its last one: returns never; the thread comes back to its landing if it is put back.
    [[noreturn]] void leaveForGood(Thread&);
    /// The thread was put back, and holds no lock: goes to the landing when it has its turn.
    [[noreturn]] void land(Thread&);
    /// At the landing: all is ready for the loop.
    void settle(Thread&);
    RecordedFibers fibers{*this};
    /// Runs the thread from where it stands, and the fibers that it resumes, until the function has returned that C has
    /// called. `bottom` is the thread then, or was when its landing was made.
    Thread::Outcome run(Thread& bottom);

    // TurnKeeper
    void onLeave() override;
    void onTurnEnd(bool forGood) override;
    void onTurn() override;

    // ---- calls that are no part of the program's run
    void suspend(Thread&);
    void resume(Thread&);
    bool isSuspended() const { return log.isSuspended(); }

    Recording& recording;

private:
    static constexpr uint64_t Period = 20'000; ///< branches, calls and returns between two epochs
    static constexpr size_t MostEpochs = 100'000;

    History(Recording&, bool isIdle, Turns&);
    Epoch here(Thread&);
    void dropOld(const Thread&);

    std::unique_ptr<WriteLog> ownLog_;
    bool isIdle_;
    std::deque<Epoch> epochs_;
    std::string beginning_, broken_;
    Turns& turns_;
    uint64_t suspendedAlarm_ = 0;
    int64_t suspendedBudget_ = 0;
    uint64_t* suspendedLowest_ = nullptr;
};

} // namespace sx::vm
