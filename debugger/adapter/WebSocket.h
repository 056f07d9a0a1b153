// Clients that are web pages: WebSocket (RFC 6455) on the outside, the protocol's own framing on the inside.
#pragma once

#include "source/Result.h"

#include <atomic>
#include <string>
#include <thread>

namespace sx::debugger {

/// What pages have to give as `token` in the address that they open: 32 random hexadecimal digits.
std::string makeToken();

/// Whether a connection begins as a browser's does. Waits for its first bytes.
bool isWebRequest(int connection);

/// Reads the request of a page and answers it. Fails, after it has told the page so, where that is no WebSocket, gives
/// another token, or comes from a site that is not on this machine.
Result<void> openWebSocket(int connection, const std::string& token);

/// Carries messages between an open WebSocket and a session. A message of a page is the body of one message of the
/// protocol, or bytes in its framing; it is answered in the form in which it speaks.
class WebSocketBridge {
public:
    explicit WebSocketBridge(int connection);
    /// What the session has written is carried to the page before it is closed.
    ~WebSocketBridge();
    WebSocketBridge(const WebSocketBridge&) = delete;

    /// The session's end, which the caller takes over.
    int session() const { return ends_[0]; }

private:
    int connection_;
    int ends_[2] = {-1, -1};
    std::atomic<bool> isEnding_{false};
    std::thread carrier_;
};

} // namespace sx::debugger
