// The fibers of a program that can be gone back in. They have no stacks of C: a fiber is a vm::Thread, and a switch
// ends the loop of the one and begins that of the other (History::run). What changes with a switch is kept in the log
// before, so whoever puts memory back puts the fibers back, too; there is one order of all instructions of a system's
// thread, whichever fiber they are of.
//
// A fiber that has ended stays until nobody can go back to where it was: it has its stack and its number again then.
#pragma once

#include "vm/Thread.h"

#include "debug_fiber.h"
#include "fiber.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace sx::vm {

class History;

class RecordedFibers {
public:
    explicit RecordedFibers(History& history) : history_(history) {}

    /// Changes of states are not told of while what was before runs again.
    class Quiet {
    public:
        explicit Quiet(bool is);
        ~Quiet();
        Quiet(const Quiet&) = delete;

    private:
        uint32_t logs_;
    };
    static bool runsAgain(const Thread&);

    /// It was created here.
    bool has(uint64_t machine) const { return byMachine_.contains(machine); }
    /// Gives up those that nobody can go back to any more, now and then. Before a call of fiber.h.
    void tidy(const Thread&);
    /// There are so many that were released but stay, that history has to begin anew.
    bool areTooMany() const;

    // ---- what the program calls (fiber.h), by the thread that runs
    /// 0: there is no memory.
    uint64_t create(Thread&, Callee& entry, uint64_t argument);
    /// The loop of `t` has to end then: the fiber goes on. `name` is that of the function, for messages.
    /// `takesValue`: whether it paused is what the call gives.
    void resume(Thread& t, uint64_t machine, const std::string& name, bool takesValue);
    /// The same: the one goes on that has resumed `t`.
    void pause(Thread& t, const std::string& name);
    void release(Thread& t, uint64_t machine);
    /// One more (sx_debug_number).
    uint32_t number();
    /// The record is about to change of a fiber.
    void keepRecord(uint64_t machine) { keepRecord(byMachine_.at(machine)->record); }
    /// … of whoever calls.
    void keepOwnRecord();

    // ---- switches
    /// The function of the fiber has returned. Gives who goes on.
    Thread& end(Thread&);
    /// `to` runs from now on, after `from`.
    void go(Thread& from, Thread& to);

    // ---- going back
    /// Memory was put back: all fibers stand where they were.
    void putBack();
    /// Of a system's thread at its landing, where `runs` goes on.
    void settle(Thread& home, Thread& runs);

private:
    struct Fiber {
        sx_fiber* machine = nullptr;
        sx_debug_fiber* record = nullptr;
        std::unique_ptr<Thread> thread;          ///< null: it has never begun
        bool isLinked = false;                   ///< the record is in the list
        uint64_t releasedIn = 0, releasedAt = 0; ///< its turn and count
        struct State {
            Callee* entry = nullptr;
            uint64_t argument = 0;
            uint32_t id = 0;
            bool isListed = false, isBegun = false, isReleased = false;
        } state; ///< kept in the log before it changes
    };
    static constexpr uint64_t LookEvery = 1000; ///< releases

    template <typename T> void keep(T& what);
    void keepRecord(const sx_debug_fiber*);
    void setState(Fiber&, uint32_t state);
    void begin(Thread& from, Fiber&);
    void link(Fiber&, bool isAgain);
    void unlink(Fiber&);
    void park(Thread&, const std::string& name);
    void forget(const Thread&, Fiber&);
    Fiber* of(const Thread& t) const;

    History& history_;
    std::map<uint64_t, std::unique_ptr<Fiber>> fibers_; ///< by the order of their creation
    std::unordered_map<uint64_t, Fiber*> byMachine_;
    std::unordered_map<const Thread*, Fiber*> byThread_;
    uint64_t created_ = 0; ///< kept in the log
    uint64_t held_ = 0;    ///< released, but there; about
    uint64_t nextLook_ = LookEvery;
    uint32_t numbers_ = 0; ///< kept in the log
};

} // namespace sx::vm
