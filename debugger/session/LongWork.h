// Work on a request that may take long: the client hears of it, and may cancel it.
#pragma once

#include "debugger/session/Session.h"

#include <chrono>

namespace sx::debugger {

/// Work that is done in pieces by the thread of the session. If it takes longer than half a second, a client that wants
/// to know is told of its beginning, how far it is, and its end, before the response.
class LongWork {
public:
    /// `title`: for the user, and the `progressId`.
    LongWork(Session&, std::string title);
    ~LongWork();
    LongWork(const LongWork&) = delete;

    /// Between two pieces. `done` of `total`: how far it is; 0 of 0: not known. False: it was cancelled, by the
    /// request's number or as what the client was told of.
    bool goesOn(uint64_t done = 0, uint64_t total = 0);

private:
    using Clock = std::chrono::steady_clock;

    Session& session_;
    std::string title_;
    bool isTold_ = false;
    Clock::time_point next_; ///< when there is something to tell
};

} // namespace sx::debugger
