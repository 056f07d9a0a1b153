// Writing to sockets that block.
#pragma once

#include <cerrno>
#include <string_view>
#include <sys/socket.h>

namespace sx::debugger {

/// Sends all bytes. False: whoever reads is gone.
inline bool sendAll(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
}

} // namespace sx::debugger
