// Threads of a program that is recorded, or replayed: one at a time runs interpreted code, so that their order can be
// kept and had again. The others wait for their turn, or are in a call of C that may take long.
//
// A turn ends where a thread makes such a call, and after a slice where another one waits. Both are moments that come
// again when the program runs again: slices are counted in branches backwards, calls and returns of a vm::Thread.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sx::vm {

class Tape;

/// Is told of the turns of a program that can be gone back in.
class TurnKeeper {
public:
    virtual ~TurnKeeper() = default;
    /// The calling thread gives up its turn: where it stands is kept until another one has the turn, or it has it
    /// again.
    virtual void onLeave() = 0;
    /// The turn has ended of the thread that has left last; nobody has another one yet. `forGood`: it was the last one
    /// of its thread.
    virtual void onTurnEnd(bool forGood) = 0;
    /// The calling thread has another turn. May leave by a jump.
    virtual void onTurn() = 0;
};

class Turns {
public:
    explicit Turns(Tape& tape) : tape_(tape) {}
    Turns(const Turns&) = delete;

    /// So many branches backwards, calls and returns of interpreted code are a slice.
    static constexpr int64_t Slice = 20'000;

    /// The calling thread is the program's first one.
    void beginFirst();
    /// A second thread was started at some time.
    bool areMany() const { return count_ > 1; }
    /// The calling thread is one of the program that is known here.
    static bool isKnown();

    /// Which thread it is: the number again may be that of another one, where the first one was never started, after it
    /// was gone back and the program went another way.
    struct Identity {
        uint32_t number = 0;
        uint32_t incarnation = 0;
    };
    /// A thread that is about to be started. `isThere`: it was, before it was gone back.
    Identity announce(bool isThere = false);
    /// It could not be started.
    void takeBack() { --count_; }
    /// To be called by the thread itself before all else: returns when its first turn comes.
    void begin(Identity);
    /// It will not run interpreted code any more. `result` is what a join gives.
    void end(uint64_t result = 0);
    /// The first thread among them.
    bool haveAllEnded();
    /// What C calls the thread.
    void noteHandle(uint32_t number, uint64_t handle);
    /// 0: it is none of these threads.
    uint32_t numberOf(uint64_t handle);
    /// The thread has ended, with this result. By the thread that has its turn.
    bool hasEnded(uint32_t number, uint64_t& result);

    /// While it is recorded, around a call of C that may take long.
    void leave();
    void comeBack();
    /// While it is recorded, in the place of a call of C that waits for other threads: returns when the calling thread
    /// has its turn again, which is when `isReady` is true or `until` has come, or sooner. In what was recorded: when
    /// it had.
    void block(llvm::function_ref<bool()> isReady, std::optional<std::chrono::steady_clock::time_point> until);
    /// In what was recorded, another thread has its turn next, while the calling one waits.
    bool isTurnNext() const;
    /// While it is replayed, before the next event is taken: returns when it is the calling thread's.
    void awaitEvent();
    /// The calling thread has run a slice.
    void onSlice();
    /// An event of the calling thread was kept, or taken.
    static void onEvent();
    /// Of a recording: an event was kept, so the program is where it has never been. By the thread that has its turn.
    void noteBeyond() { furthestSlices_ = 0; }

    // ---- for going back
    /// Before the second thread is started.
    void setKeeper(TurnKeeper* keeper) { keeper_ = keeper; }
    static uint32_t ownNumber();
    /// How many slices the calling thread has run since its last event.
    static void setOwnSlices(uint64_t);
    /// What is known of threads.
    struct Mark {
        uint32_t count = 1;
        size_t ended = 0;
        uint64_t slices = 0; ///< of the thread that has its turn
    };
    /// By the thread that has its turn.
    Mark mark() const;
    /// A thread is in a call of C that was not recorded yet: the program cannot be put back.
    bool isAnyAway();
    /// Of a recording, where all threads wait in `block`: one of them looks once more, and has the turn for that,
    /// rather the one that had it last. False: not all wait so.
    bool recall();
    /// By the thread that has its turn, before it is put back from where the program has been furthest.
    void noteFurthest();
    /// As it was then, when the thread with this number had its turn. All threads wait, or have to `awaitPutBack`.
    void putBack(const Mark&, uint32_t holder);
    /// Returns when the calling thread has its turn; the keeper is not told.
    void awaitPutBack();

private:
    using Lock = std::unique_lock<std::mutex>;
    static constexpr uint32_t Nobody = 0;

    struct Blocked {
        uint32_t number = 0;
        llvm::function_ref<bool()> isReady;
    };

    bool isMine() const;
    void handOver(uint32_t to, bool forGood = false);
    void giveUp(bool forGood);
    void queueReady();
    bool hasBegun(uint32_t number) const;
    void lookAround();
    void await(Lock&);
    void beginTurn(Lock&);
    void take(Lock&);
    void seize(Lock&);

    Tape& tape_;
    TurnKeeper* keeper_ = nullptr;
    std::mutex mutex_;
    std::condition_variable changed_;
    uint32_t count_ = 1;
    uint32_t holder_ = 1, last_ = 1; ///< whose turn it is, and whose the last one was
    bool leftForGood_ = false;       ///< the last one will not come again
    uint32_t recalled_ = Nobody;
    std::deque<uint32_t> waiting_; ///< of a recording
    std::vector<Blocked> blocked_; ///< … those that wait for other threads
    std::vector<uint32_t> away_;   ///< … those in a call of C
    std::vector<uint32_t> ended_;
    std::unordered_map<uint32_t, uint32_t> incarnations_;
    std::unordered_map<uint32_t, uint32_t> begun_;   ///< incarnations that have come for their first turn
    std::unordered_map<uint32_t, uint64_t> results_; ///< of threads that have ended, some time
    std::unordered_map<uint64_t, uint32_t> handles_;
    // ---- after it was gone back
    bool isPutBack_ = false;      ///< `waiting_` is not known yet
    uint64_t furthestSlices_ = 0; ///< the last thread had run so many since the last event
};

} // namespace sx::vm
