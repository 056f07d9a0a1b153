// The functions of C by which threads wait for each other, as the interpreter does them where threads take turns and
// can be gone back in: nobody waits in C then, and what is waited for lies in the program's memory, which is undone.
//
// A mutex, semaphore or rwlock is that of libc, and is tried. Of a condition and a barrier the first words are used.
#pragma once

#include <cstdint>
#include <string>
#include <time.h>

namespace sx::vm {

struct ThreadCall {
    const char* symbol;
    enum class Kind : uint8_t {
        Plain,   ///< does not wait: it is called
        Nothing, ///< is not called, and succeeds
        Lock,    ///< of a mutex
        Read,    ///< of an rwlock
        Write,
        Semaphore,
        Wait, ///< for a condition
        Signal,
        Broadcast,
        Barrier,
        Join,
        Sleep,
    } kind;
    int8_t time = -1;   ///< the argument that is a moment, or for Sleep a duration; -1: none
    bool isC11 = false; ///< gives `thrd_…`
};

/// Null: it is none of them.
const ThreadCall* threadCallOf(const std::string& symbol);

/// One call, whose arguments are `args`. The calling thread has its turn.
class ThreadWait {
public:
    /// `ticket`: that of the thread, which says what was done before (Thread::ticket).
    ThreadWait(const ThreadCall& call, const uint64_t* args, uint64_t& ticket)
        : call_(call), args_(args), ticket_(ticket) {}

    /// What comes before the wait, if it was not done. False: it has failed with `value`.
    bool prepare(uint64_t& value);
    /// Ends the call if that can be done now. `isLate`: its time is over.
    bool attempt(bool isLate, uint64_t& value);
    /// `attempt` would succeed. Any thread may ask.
    bool isReady(bool isLate) const;
    /// It was ended by time.
    bool wasLate() const { return wasLate_; }
    /// When its time is over; false: never.
    bool deadline(timespec& at, clockid_t& clock) const;

private:
    bool isMutexFree(uint64_t mutex) const;
    uint64_t result(int error) const;

    const ThreadCall& call_;
    const uint64_t* args_;
    uint64_t& ticket_;
    bool wasLate_ = false;
};

} // namespace sx::vm
