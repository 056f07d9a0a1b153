#include "debugger/vm/AgentConnection.h"

namespace sx::debugger {

std::string AgentConnection::ask(const WireWriter& question) const {
    if (socket_ < 0 || !sendMessage(socket_, question.bytes())) return "";
    return receiveMessage(socket_).value_or("");
}

Result<void> AgentConnection::askResult(const WireWriter& question) const {
    std::string reply = ask(question);
    if (reply.empty()) return Failure{"the program has ended"};
    WireReader r(reply);
    if (r.get<bool>()) return {};
    return Failure{r.text()};
}

std::optional<uint64_t> AgentConnection::askAddress(const WireWriter& question) const {
    std::string reply = ask(question);
    auto address = WireReader(reply).get<uint64_t>();
    return address == 0 ? std::nullopt : std::optional(address);
}

Result<void> AgentConnection::goOn(const WireWriter& order) const {
    std::string reply = ask(order);
    WireReader r(reply);
    if (reply.empty() || r.get<bool>()) return {};
    return Failure{r.text()};
}

} // namespace sx::debugger
