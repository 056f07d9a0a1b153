// The client's end of the protocol: requests go out, answers and events come
// in. One thread; nothing waits but `ask` and `wait`.
#pragma once

#include "debugger/protocol/Connection.h"
#include "debugger/terminal/client/Adapter.h"
#include "debugger/terminal/client/Json.h"
#include "source/Result.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace sx::terminal {

struct Event {
    std::string name;
    Object body;
};

/// What a user who waits for an answer wants.
enum class Waiting : uint8_t {
    GoOn,
    Cancel,  ///< the adapter is told; its answer is still waited for
    Abandon, ///< no answer is waited for any more
};

class Client {
public:
    /// Takes over the descriptors.
    explicit Client(AdapterEnds ends) : connection_(ends.in, ends.out) {}

    /// Sends a request and waits for its answer: the body, or the adapter's
    /// message. Events that come meanwhile are kept for `nextEvent`.
    Result<Object> ask(const std::string& command, Object arguments);
    /// The oldest event that has arrived and was not taken yet.
    std::optional<Event> nextEvent();
    /// Waits until something has arrived, at most so long; then reads it.
    void wait(int milliseconds);
    /// Nobody is there any more. What has arrived before is still to be had.
    bool isClosed() const { return closed_; }
    /// Becomes readable when the adapter says something.
    int descriptor() const { return connection_.inDescriptor(); }

    /// Is called about 20 times a second while an answer is waited for.
    std::function<Waiting()> whileWaiting;

private:
    void receive();
    void take(Object message);
    int64_t send(const std::string& command, Object arguments);

    debugger::Connection connection_;
    std::deque<Event> events_;
    std::map<int64_t, Object> answers_; ///< by the request's number
    int64_t seq_ = 0;
    bool closed_ = false;
};

} // namespace sx::terminal
