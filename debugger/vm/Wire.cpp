#include "debugger/vm/Wire.h"

#include "debugger/engine/SendAll.h"

#include <cerrno>
#include <sys/socket.h>

namespace sx::debugger {

namespace {

bool receiveAll(int socket, char* bytes, size_t size) {
    while (size > 0) {
        ssize_t n = recv(socket, bytes, size, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        size -= static_cast<size_t>(n);
    }
    return true;
}

} // namespace

bool sendMessage(int socket, std::string_view bytes) {
    uint64_t size = bytes.size();
    std::string whole(reinterpret_cast<const char*>(&size), sizeof size);
    whole.append(bytes);
    return sendAll(socket, whole);
}

std::optional<std::string> receiveMessage(int socket) {
    uint64_t size = 0;
    if (!receiveAll(socket, reinterpret_cast<char*>(&size), sizeof size) || size > (uint64_t{1} << 32))
        return std::nullopt;
    std::string bytes(size, '\0');
    if (!receiveAll(socket, bytes.data(), bytes.size())) return std::nullopt;
    return bytes;
}

} // namespace sx::debugger
