// Questions to the agent in the program's process. One that stands still as a whole, or whose memory is damaged, may
// never answer: nobody waits for it for ever.
#pragma once

#include "debugger/vm/Wire.h"
#include "source/Result.h"

#include <functional>
#include <utility>

namespace sx::debugger {

class AgentConnection {
public:
    static WireWriter message(Command c) { return WireWriter().put(c); }

    /// `socket` is the caller's, who closes it.
    void open(int socket) { socket_ = socket; }
    /// Nothing is asked any more.
    void end() { socket_ = -1; }

    /// Done now and then while an answer is waited for.
    void whileWaiting(std::function<void()> work) { meanwhile_ = std::move(work); }

    static constexpr int Patience = 5'000; ///< milliseconds

    /// The agent's answer; empty: the program is gone, or has not answered after `patience` milliseconds. Then the
    /// question stays: it is carried out once the program can, and its answer is dropped.
    std::string ask(const WireWriter& question, int patience = Patience) const;
    /// The same of a question that can be cancelled: once `isCancelled`, it is, and its answer comes soon.
    std::string ask(const WireWriter& question, int patience, const std::function<bool()>& isCancelled) const;
    /// Whether a question had no answer since this was asked last, though the program is there.
    bool takeSilence() const { return std::exchange(wasSilent_, false); }
    /// Of a question that is answered by success or a reason.
    Result<void> askResult(const WireWriter& question) const;
    /// Of one that is answered by an address; nothing where that is 0.
    std::optional<uint64_t> askAddress(const WireWriter& question) const;
    Result<void> command(Command c) const { return askResult(message(c)); }
    /// Lets the program go on. No answer is none of its failures: it was at its end before it could be said.
    Result<void> goOn(const WireWriter& order) const;

private:
    void put(const WireWriter&) const;
    bool transfer() const;
    std::optional<std::string> nextAnswer() const;

    int socket_ = -1;
    std::function<void()> meanwhile_;
    mutable std::string outgoing_, incoming_; ///< what is not sent yet, and what is no whole answer yet
    mutable size_t owed_ = 0;                 ///< answers to questions that nobody waits for any more
    mutable bool wasSilent_ = false;
};

/// Why a question that the program did not answer has failed.
extern const char* const ProgramIsSilent;

} // namespace sx::debugger
