// Threads of a program that is recorded, or replayed: one at a time runs interpreted code, so that their order can be
// kept and had again. The others wait for their turn, or are in a call of C that may take long.
//
// A turn ends where a thread makes such a call, and after a slice where another one waits. Both are moments that come
// again when the program runs again: slices are counted in branches backwards, calls and returns of a vm::Thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace sx::vm {

class Tape;

/// Is told of the turns of a replay, on the thread whose they are.
class TurnKeeper {
public:
    virtual ~TurnKeeper() = default;
    /// It is about to end; nobody has another one yet. `forGood`: it was the last one of its thread.
    virtual void onTurnEnd(bool forGood) = 0;
    /// It has begun. May leave by a jump.
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

    /// The number of a thread that is about to be started.
    uint32_t announce() { return ++count_; }
    /// It could not be started.
    void takeBack() { --count_; }
    /// To be called by the thread itself before all else: returns when its first turn comes.
    void begin(uint32_t number);
    /// It will not run interpreted code any more.
    void end();

    /// While it is recorded, around a call of C that may take long.
    void leave();
    void comeBack();
    /// While it is replayed, before the next event is taken: returns when it is the calling thread's.
    void awaitEvent();
    /// The calling thread has run a slice.
    void onSlice();
    /// An event of the calling thread was kept, or taken.
    static void onEvent();

    // ---- for going back in a replay
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
    /// As it was then, when the thread with this number had its turn. All threads wait, or have to `awaitPutBack`.
    void putBack(const Mark&, uint32_t holder);
    /// Returns when the calling thread has its turn; the keeper is not told.
    void awaitPutBack();

private:
    using Lock = std::unique_lock<std::mutex>;
    static constexpr uint32_t Nobody = 0;

    void handOver(uint32_t to, bool forGood = false);
    void await(Lock&);
    void take(Lock&);

    Tape& tape_;
    TurnKeeper* keeper_ = nullptr;
    std::mutex mutex_;
    std::condition_variable changed_;
    uint32_t count_ = 1;
    uint32_t holder_ = 1, last_ = 1; ///< whose turn it is, and whose the last one was
    std::deque<uint32_t> waiting_;   ///< of a recording
    std::vector<uint32_t> ended_;
};

} // namespace sx::vm
