#include "debugger/vm/AgentConnection.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

namespace sx::debugger {

const char* const ProgramIsSilent = "the program's process does not answer: it stands still, or its memory is damaged";

/// Sends and receives what can be at once. False: the other end is gone.
bool AgentConnection::transfer() const {
    auto isLater = [] { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; };
    while (!outgoing_.empty()) {
        ssize_t n = send(socket_, outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && isLater()) break;
        if (n <= 0) return false;
        outgoing_.erase(0, static_cast<size_t>(n));
    }
    char bytes[65536];
    for (;;) {
        ssize_t n = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n < 0 && isLater()) return true;
        if (n <= 0) return false;
        incoming_.append(bytes, static_cast<size_t>(n));
        if (n < static_cast<ssize_t>(sizeof bytes)) return true;
    }
}

std::optional<std::string> AgentConnection::nextAnswer() const {
    uint64_t size = 0;
    if (incoming_.size() < sizeof size) return std::nullopt;
    std::memcpy(&size, incoming_.data(), sizeof size);
    if (incoming_.size() - sizeof size < size) return std::nullopt;
    std::string answer = incoming_.substr(sizeof size, size);
    incoming_.erase(0, sizeof size + size);
    return answer;
}

void AgentConnection::put(const WireWriter& message) const {
    uint64_t size = message.bytes().size();
    outgoing_.append(reinterpret_cast<const char*>(&size), sizeof size);
    outgoing_ += message.bytes();
}

std::string AgentConnection::ask(const WireWriter& question, int patience) const {
    return ask(question, patience, nullptr);
}

std::string AgentConnection::ask(const WireWriter& question, int patience,
                                 const std::function<bool()>& isCancelled) const {
    using Clock = std::chrono::steady_clock;
    constexpr int Slice = 50, PatienceWithSilent = 200; // milliseconds
    if (socket_ < 0) return "";
    put(question);
    bool mayCancel = isCancelled != nullptr;
    const auto end = Clock::now() + std::chrono::milliseconds(owed_ > 0 ? PatienceWithSilent : patience);
    ++owed_;
    for (bool isThere = true; isThere;) {
        isThere = transfer();
        while (std::optional<std::string> answer = nextAnswer())
            if (--owed_ == 0) return *answer;
        if (!isThere) break;
        if (Clock::now() >= end) {
            wasSilent_ = true;
            return "";
        }
        pollfd p{socket_, static_cast<short>(outgoing_.empty() ? POLLIN : POLLIN | POLLOUT), 0};
        if (::poll(&p, 1, Slice) != 0) continue;
        if (meanwhile_) meanwhile_();
        if (!mayCancel || !isCancelled()) continue;
        put(message(Command::CancelExpression));
        mayCancel = false;
    }
    return "";
}

Result<void> AgentConnection::askResult(const WireWriter& question) const {
    std::string reply = ask(question);
    if (reply.empty()) return Failure{wasSilent_ ? ProgramIsSilent : "the program has ended"};
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
