// The threads of a program that take turns (vm/replay/Turns.h) and have one history: where each of them stood when its
// turns ended, so that all of them can be put back to one moment.
#pragma once

#include "vm/Thread.h"

#include "sx/trace.h"

#include <memory>
#include <utility>
#include <vector>

namespace sx::vm {

/// What is in flight in the calling thread; null: nothing.
std::unique_ptr<sx_trace_state> copyOfTrace();
/// Puts it back; the copy stays.
void setTrace(const sx_trace_state*);

class ThreadOrder {
public:
    /// The turn that is, counted from 0, and whose it is. Null: no thread has begun.
    uint64_t turn() const { return turn_; }
    Thread* current() const { return current_; }

    /// The thread has begun at some time.
    bool has(const Thread& t) const { return memberOf(&t) != nullptr; }
    /// … and it is there: it has begun and not ended at the moment that is. A fiber belongs to its thread.
    bool isThere(const Thread&) const;
    /// As Turns counts.
    uint32_t numberOf(const Thread& t) const { return memberOf(&t)->number; }

    // ---- as the program runs
    /// The thread is about to run its first instruction. It has its turn; `count` is that of its instant.
    void join(Thread&, uint32_t number, uint64_t count);
    /// The thread has run its last instruction; its turn is about to end.
    void leave(Thread& t) { memberOf(&t)->isThere = false; }
    void beginTurn(Thread& t) { current_ = &t; }
    /// Of the thread whose turn it is, this fiber runs from now on, or itself.
    void switchTo(Thread& t) { current_ = &t; }
    /// The turn may end of the calling thread, where it stands; null: of a fiber.
    void leaveTurn(Thread*, uint64_t count);
    /// It has ended. `forGood`: the thread will not run again.
    void endTurn(bool forGood);
    /// Nobody will go back to where this fiber was.
    void forget(const Thread& fiber);
    /// Nobody will go back to before this turn.
    void forgetBefore(uint64_t turn);

    // ---- going back
    /// All threads but `to`, whose turn it was, stand where their last turn before this one had ended. What is kept of
    /// later turns is forgotten. `trace` and `slices` are those of `to`.
    void goTo(uint64_t turn, Thread& to, const sx_trace_state* trace, uint64_t slices);
    /// On the thread that was put back, when it has its turn: what belongs to the system's thread is as it was, too.
    void settle(Thread&);

private:
    struct Member {
        Thread* thread = nullptr;
        uint32_t number = 0;
        Thread::Standing entry{}; ///< before its first instruction
        uint64_t entryCount = 0;  ///< then
        bool isThere = true;
        // ---- for `settle`
        std::unique_ptr<sx_trace_state> trace;
        uint64_t slices = 0;
    };
    struct TurnEnd {
        uint64_t turn = 0;
        Thread* thread = nullptr; ///< null: a fiber
        Thread::Standing standing{};
        uint64_t count = 0;
        std::unique_ptr<sx_trace_state> trace;
        bool forGood = false;
        bool isNeeded = true;
    };

    const Member* memberOf(const Thread*) const;
    Member* memberOf(const Thread* t) { return const_cast<Member*>(std::as_const(*this).memberOf(t)); }
    void putBack(Member&);

    uint64_t turn_ = 0;
    Thread* current_ = nullptr;
    std::vector<Member> members_;
    TurnEnd leaving_;
    std::vector<TurnEnd> ends_;
    size_t enoughEnds_ = 1000; ///< so many are kept before the old ones are looked for
};

} // namespace sx::vm
