// The line between lldb and its server, for breakpoints with conditions that are hit often. A stop costs lldb some
// fifteen messages between threads and processes, a condition that is false needs three: the server's report is held
// back here until it is known whether anybody stops, and where nobody does lldb does not hear of it.
#pragma once

#include "debugger/native/target/Target.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace sx::debugger::native {

class ServerLine {
public:
    ServerLine() = default;
    ~ServerLine() { letGo(); }
    ServerLine(const ServerLine&) = delete;

    /// Before lldb starts its server, and when it has: the socket that is new then is the line.
    void noteBefore();
    void noteAfter();

    /// From now on what goes over the line passes through here: to be called while the program stands still and lldb
    /// asks nothing. `tell` is called on a thread of its own, with an event of the kind Hit. False: that cannot be.
    bool begin(std::function<void(TargetEvent)> tell);
    bool isBegun() const { return state_ != nullptr; }
    /// The next time that lldb lets the program go on, until it hears of a stop: a hit at one of these addresses is
    /// told, and held back from lldb. With each goes where the thread goes on after a hit that is passed over.
    void filter(std::map<uint64_t, uint64_t> ways);

    /// A hit is held back: the program stands still, and lldb takes it for one that runs.
    bool isHolding() const;
    /// What becomes of it: the program goes on, or lldb hears of the stop. Nothing where none is held (any more).
    void pass();
    void report();
    /// Nothing is told any more. The line is there as long as lldb is.
    void letGo();

private:
    struct State;
    static void carry(const std::shared_ptr<State>&);

    std::set<int> before_; ///< sockets of this process
    int descriptor_ = -1;  ///< of lldb's; -1: it is not known
    std::shared_ptr<State> state_;
};

/// What a server's report of a stop says, in the protocol of gdb with lldb's extensions.
struct StopReport {
    std::string thread; ///< as it is written
    SystemThread number = 0;
    uint64_t pc = 0, framePointer = 0;
    std::vector<uint64_t> others; ///< where other threads are that have come to breakpoints at the same time
};
/// Nothing: it is no report of a thread at a breakpoint, or another one has another reason to stop.
std::optional<StopReport> breakpointIn(const std::string& packet);

} // namespace sx::debugger::native
