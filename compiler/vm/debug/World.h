// The state of a debugger: the threads of the program and how they stop together.
#pragma once

#include "source/SharedCount.h"
#include "vm/debug/Backwards.h"
#include "vm/debug/Places.h"
#include "vm/debug/Steps.h"
#include "vm/debug/ThreadState.h"
#include "vm/debug/Watches.h"

#include "debug_fiber.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <condition_variable>
#include <mutex>

namespace sx::vm {

struct Debugger::State {
    State(Debugger&, Events);
    ~State();

    using Lock = std::unique_lock<std::mutex>;

    /// Keeps the program where it is, for whoever comes from outside of it.
    std::mutex programMutex;
    /// Guards everything here and in the parts. Whoever holds the program's lock, too, has taken that one first.
    mutable std::mutex mutex;
    std::condition_variable changed; ///< a thread stands, or has carried out an order; the program goes on
    Debugger& owner;
    const Events events;
    Program* program = nullptr;
    std::vector<std::unique_ptr<ThreadState>> threads; ///< that live, by their ids
    std::vector<std::unique_ptr<ThreadState>> gone;    ///< that are not there now, and may be again: in a replay
    DebugThreadId lastThread = 0;
    SharedCount fiberIds;                     ///< of threads for fibers
    std::vector<sx_debug_fiber> fiberRecords; ///< room for those of as many as there have been at once
    bool isStopped = false;
    Places places;
    Steps steps;
    Watches watches;
    ir::StatementOrder order;
    Backwards back;
    ErrorFilter errorFilters[4];
    std::atomic<bool> traces{false}; ///< every instruction is told
    bool stopsAtPanics = false, stopsAtFaults = false;
    unsigned limitedCalls = 0;          ///< that are being made
    std::atomic<long> caller{0};        ///< the system's number of the thread that makes one; 0: none does
    std::atomic<unsigned> keepers{0};   ///< threads of the system that have kept signals
    std::atomic<bool> hasCalled{false}; ///< one was made since the program has stopped

    ThreadState* find(DebugThreadId) const;
    void add(std::unique_ptr<ThreadState>);
    /// It lives no more: its step ends.
    std::unique_ptr<ThreadState> remove(ThreadState&);
    /// The client that a thread of the system is there, or is not any more.
    void tell(const ThreadState&, bool isThere) const;
    /// Between `threads` and `gone`, as it is in the history; the client is told unless it is gone back.
    void move(Lock&, ThreadState&, bool isThere);
    /// Its stack goes.
    void loseFiber(uint32_t number);
    /// It may be put back.
    void endFiber(Lock&, ThreadState&);
    /// Numbers the fibers that were created since.
    void seeFibers();
    /// The thread, if it stands still and is not inside a C function; else why not.
    Result<ThreadState*> standing(DebugThreadId) const;

    // ---- stopping
    /// Stops all threads but `self`, and waits until they stand.
    void halt(Lock&, const ThreadState* self);
    /// The thread stops the program, unless others were first and then `holds` is false; tells of it, and stands until
    /// the program goes on. False: the thread has to leave the loop.
    bool stopHere(Lock&, ThreadState& self, Stop&, llvm::function_ref<bool()> holds);
    /// Stands as long as the program is stopped, and carries out orders.
    void standWhileStopped(Lock&, ThreadState& self);
    /// Runs the handlers of signals that the calling thread has kept, if it is to go on (Signals.h). Without the lock.
    void takeKept(ThreadState& self);
    /// The calling thread is none of the program's any more: what it has kept comes to it now.
    void keepNoMore();
    void goOn();
    /// The thread was put back, where threads take turns: leaves for its landing. Else nothing.
    void landIfPutBack(Lock&, ThreadState& self);
    /// `threads` are those that are there in the history.
    void sortThreads(const History&);
    /// The client is told of threads that have appeared or gone.
    void tellThreads(Lock&);
    /// The client is told of watches that have ended with their frames.
    void tellEnded(Lock&, const std::vector<int>& watches);
    /// After a change of what the loop has to look out for.
    void updateAttention();
    /// Waits until no other thread is `writer`, and is it then.
    void beginWrite(Lock&, ThreadState& self);
    /// The thread is not `writer` any more.
    void endWrite(const Thread&);
    /// What it has written is told when its statement is over: it stays `writer`, and looks at each instruction.
    void holdWrite(const ThreadState& self);
    /// Stops for what the thread has written and was not told of, if it has: shown at `wrote`, or, if that is null,
    /// where it stands. False: it has to leave the loop.
    bool tellWritten(Lock&, ThreadState& self, const Insn* wrote);
    /// Watched memory is looked at where the thread is, or it goes on from there.
    static void look(ThreadState& self);
    void setAttention(uint32_t bit, bool on);
    bool isInTime(ThreadState& self);
    /// An order for a thread that stands: carried out before this returns. Else what keeps it from that.
    Result<void> runOn(DebugThreadId, std::function<void(Thread&)>);
    /// The same for a call, which ends at its limits.
    Result<void> callOn(DebugThreadId, std::function<void(Thread&)>, const CallLimits&);

    // ---- breakpoints
    /// The code of a function; null if it has none yet.
    std::function<const FunctionCode*(ir::FuncId)> codeOf() const;
    void set(std::shared_ptr<Breakpoint>);
    void remove(int id);
    /// Those at the place of the thread that are to stop it now. The lock is free while their predicates are asked.
    /// `counts`: it is a hit; else only their conditions are asked.
    std::vector<int> breakpointsHit(Lock&, ThreadState& self, bool counts);

    // ---- faults
    /// Asks the watches. Memory may be gone: then it may have changed.
    bool mayHaveChanged(ThreadState& self);
    void watchFaults();
    /// `sentBy`: the process that has sent it; 0: nobody did. `isOverflow`: the stack is used up, which is a panic.
    void onFault(ThreadState& self, int signal, uint64_t address, int sentBy, bool isOverflow);

private:
    using Order = std::shared_ptr<const std::function<void(Thread&)>>;
    void stand(Lock&, ThreadState& self);
    Result<Order> give(DebugThreadId, std::function<void(Thread&)>);
};

/// The first word after what the innermost frame has, its outgoing area included.
uint64_t* freeTop(const Thread&);

} // namespace sx::vm
