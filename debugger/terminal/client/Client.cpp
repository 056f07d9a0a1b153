#include "debugger/terminal/client/Client.h"

#include "debugger/protocol/Body.h"
#include "debugger/protocol/Message.h"

#include <cerrno>
#include <poll.h>

namespace sx::terminal {

int64_t Client::send(const std::string& command, Object arguments) {
    int64_t seq = ++seq_;
    connection_.send(debugger::toText(
        Object{{"seq", seq}, {"type", "request"}, {"command", command}, {"arguments", std::move(arguments)}}));
    return seq;
}

Result<Object> Client::ask(const std::string& command, Object arguments) {
    int64_t seq = send(command, std::move(arguments));
    bool cancelled = false;
    for (;;) {
        if (auto answer = answers_.extract(seq); !answer.empty()) {
            Object& message = answer.mapped();
            if (!message.getBoolean("success").value_or(false)) {
                std::string why = textOf(message, "message");
                return Failure{why.empty() ? "the adapter refuses " + code(command) : why};
            }
            Object* body = message.getObject("body");
            return body ? std::move(*body) : Object();
        }
        if (closed_) return Failure{"the debug adapter has ended"};
        wait(50);
        Waiting wish = whileWaiting ? whileWaiting() : Waiting::GoOn;
        if (wish == Waiting::Abandon) return Failure{"no answer was waited for"};
        if (wish == Waiting::Cancel && !cancelled) {
            cancelled = true;
            send("cancel", Object{{"requestId", seq}});
        }
    }
}

std::optional<Event> Client::nextEvent() {
    if (events_.empty()) return std::nullopt;
    Event e = std::move(events_.front());
    events_.pop_front();
    return e;
}

void Client::wait(int milliseconds) {
    bool isWriting = connection_.queued() > 0;
    pollfd all[] = {{connection_.inDescriptor(), POLLIN, 0}, {connection_.outDescriptor(), POLLOUT, 0}};
    ::poll(all, isWriting ? 2 : 1,
           milliseconds); // a signal that ends it early does no harm
    if (isWriting) connection_.flush();
    receive();
}

void Client::receive() {
    if (!connection_.receive()) closed_ = true;
    while (std::optional<std::string> body = connection_.next()) {
        Result<Object> message = debugger::parseBody(*body);
        if (message) take(std::move(*message));
    }
}

void Client::take(Object message) {
    std::string type = textOf(message, "type");
    if (type == "event") {
        Object* body = message.getObject("body");
        events_.push_back({textOf(message, "event"), body ? std::move(*body) : Object()});
    } else if (type == "response") {
        int64_t request = numberOf(message, "request_seq", -1);
        if (request > 0 && request <= seq_) answers_[request] = std::move(message);
    } else if (type == "request") {
        connection_.send(debugger::toText(Object{{"seq", ++seq_},
                                                 {"type", "response"},
                                                 {"request_seq", numberOf(message, "seq", -1)},
                                                 {"command", textOf(message, "command")},
                                                 {"success", false},
                                                 {"message", "this client does not do that"}}));
    }
}

} // namespace sx::terminal
