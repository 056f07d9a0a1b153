// Going back in a program with a history. The thread is put back to the beginning of an epoch and runs on from there,
// as it did, up to where it came from; of the places on the way at which it would have stopped, the last one is where
// it is to go. So the epoch is run a second time, up to that place. Where there is none, the epoch before is tried.
#pragma once

#include "vm/History.h"
#include "vm/debug/Debugger.h"
#include "vm/debug/ThreadState.h"
#include "vm/debug/TimeTravel.h"

#include <map>
#include <utility>

namespace sx::vm {

class Backwards {
public:
    explicit Backwards(Debugger::State& state) : state_(state) {}
    using ThreadState = Debugger::ThreadState;
    using Lock = std::unique_lock<std::mutex>;

    bool isOn() const { return isOn_; }
    /// Every instruction is to be told of.
    bool looksAtAll() const { return isOn_ && options_.byInstruction; }
    /// The thread stands, and runs this. True: it is to go on, and a stop will follow. False: there is nothing before;
    /// `stop` says so.
    /// `shown`: whose steps count; with a common history it may be another one.
    bool begin(ThreadState&, const BackOptions&, Stop& stop, ThreadState& shown);
    /// The thread stays where it is on its way.
    void cancel();
    /// Watches whose frames begin after where the thread has gone back to: they have ended.
    std::vector<int> takeEnded() { return std::exchange(ended_, {}); }

    // What the debugger's hooks pass on while it is on.
    bool onBreak(Lock&, ThreadState&);
    /// `isWithin`: the statement that has written is not over. `wrote`: as DebuggedThread::showAt takes it.
    bool onWrite(ThreadState&, bool isWithin, const Insn* wrote);
    void onError(Lock&, ThreadState&, ir::ErrorEventKind, uint64_t tag);
    bool onTick(Lock&, ThreadState&);
    /// The thread has its turn, where threads take turns. True: it was put back.
    bool onTurn(Lock&, ThreadState&);

private:
    enum class Phase : uint8_t { Looking, Arriving };
    struct Candidate {
        Instant at;
        unsigned order = 0; ///< later ones are larger; 0: there is none
        Stop stop;
        const Insn* wrote = nullptr; ///< DebuggedThread::showAt
    };
    void markFrames(ThreadState&);
    void markStatements(const FunctionCode&);
    void mark(const FunctionCode&, uint32_t index);
    void mark(const Thread&, const Insn* at);
    void unmark();
    void runEpoch(ThreadState&, size_t epoch, Instant limit, Phase);
    void headForLimit(Thread&);
    bool isPastLimit(Instant now) const;
    void look(Lock&, ThreadState&, Instant now);
    void lookForStep(Thread&, const FunctionCode&, uint32_t index, Instant now);
    void note(Candidate&, Instant now, Stop stop = {}, const Insn* wrote = nullptr);
    bool isBeforeLimit(Instant now) const { return now != limit_ || isInclusive_; }
    bool endEpoch(ThreadState&);
    void followFrames(ThreadState&);
    void endWatches(unsigned order);
    bool goToCandidate(ThreadState&, Candidate);
    bool arrive(Lock&, ThreadState&);
    bool getLost(Lock&, ThreadState&);

    Debugger::State& state_;
    bool isOn_ = false;
    BackOptions options_;
    Phase phase_{};
    size_t epoch_ = 0;
    Instant from_;                       ///< where it was begun
    size_t tapeFrom_ = 0;                ///< Tape::position there
    Instant limit_;                      ///< where the run of the epoch ends
    bool isInclusive_ = false;           ///< what lies at the limit counts
    bool tellsWriteHere_ = false;        ///< so does what was written right before it
    const ThreadState* shown_ = nullptr; ///< whose steps count
    const uint64_t* frame_ = nullptr;
    const FunctionCode* code_ = nullptr; ///< of the frame
    const uint64_t* callerFrame_ = nullptr;
    const FunctionCode* callerCode_ = nullptr; ///< of the nearest function around that is the user's
    const Insn* first_ = nullptr;              ///< the first statement of the program's main function
    uint32_t line_ = 0;                        ///< of the last statement of the frame that was met
    unsigned order_ = 0;
    Candidate step_, caller_, stop_, start_;
    std::map<const uint64_t*, Candidate> inFrame_; ///< the last writes of what is watched in a frame, if it is that one
    struct Absence {
        unsigned last = 0; ///< when the frame was not there, in the order of candidates
        bool isNow = true;
    };
    std::map<const uint64_t*, Absence> notThere_; ///< of frames that are watched in
    std::vector<int> ended_;
    Candidate arrival_;
    std::vector<const Insn*> marked_;
};

} // namespace sx::vm
