// Questions to the agent in the program's process.
#pragma once

#include "debugger/vm/Wire.h"
#include "source/Result.h"

namespace sx::debugger {

class AgentConnection {
public:
    static WireWriter message(Command c) { return WireWriter().put(c); }

    /// `socket` is the caller's, who closes it.
    void open(int socket) { socket_ = socket; }
    /// Nothing is asked any more.
    void end() { socket_ = -1; }

    /// The agent's answer; empty: the program is gone.
    std::string ask(const WireWriter& question) const;
    /// Of a question that is answered by success or a reason.
    Result<void> askResult(const WireWriter& question) const;
    /// Of one that is answered by an address; nothing where that is 0.
    std::optional<uint64_t> askAddress(const WireWriter& question) const;
    Result<void> command(Command c) const { return askResult(message(c)); }
    /// Lets the program go on. No answer is none of its failures: it was at its end before it could be said.
    Result<void> goOn(const WireWriter& order) const;

private:
    int socket_ = -1;
};

} // namespace sx::debugger
