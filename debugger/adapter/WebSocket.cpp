#include "debugger/adapter/WebSocket.h"

#include "debugger/engine/SendAll.h"
#include "debugger/protocol/Framing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/SHA1.h"

#include <chrono>
#include <cstring>
#include <optional>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace sx::debugger {

namespace {

constexpr int Patience = 10'000; // milliseconds for the request of a page

bool isReadable(int descriptor, int milliseconds) {
    pollfd p{descriptor, POLLIN, 0};
    return ::poll(&p, 1, milliseconds) > 0;
}

/// The request up to the empty line, byte by byte: what follows belongs to the session.
std::optional<std::string> readRequest(int connection) {
    constexpr size_t Most = 8192;
    std::string request;
    auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(Patience);
    while (request.size() < Most && std::chrono::steady_clock::now() < end) {
        char byte = 0;
        if (!isReadable(connection, Patience) || ::recv(connection, &byte, 1, 0) != 1) return std::nullopt;
        request += byte;
        if (llvm::StringRef(request).ends_with("\r\n\r\n")) return request;
    }
    return std::nullopt;
}

/// The value of a header field; empty: it is not there.
llvm::StringRef fieldOf(llvm::StringRef request, llvm::StringRef name) {
    for (llvm::StringRef rest = request; !rest.empty();) {
        auto [line, others] = rest.split("\r\n");
        rest = others;
        auto [field, value] = line.split(':');
        if (field.trim().equals_insensitive(name)) return value.trim();
    }
    return {};
}

/// The value of a part of the query.
llvm::StringRef queryOf(llvm::StringRef request, llvm::StringRef name) {
    llvm::StringRef target = request.split(' ').second.split(' ').first;
    for (llvm::StringRef rest = target.split('?').second; !rest.empty();) {
        auto [part, others] = rest.split('&');
        rest = others;
        auto [key, value] = part.split('=');
        if (key == name) return value;
    }
    return {};
}

/// A page that this machine has served. What is no browser says nothing, and has the token all the same.
bool isOfThisMachine(llvm::StringRef origin) {
    if (origin.empty()) return true;
    if (!origin.consume_front("http://") && !origin.consume_front("https://")) return false;
    if (origin.consume_front("[::1]")) return origin.empty() || origin.starts_with(":");
    llvm::StringRef host = origin.split(':').first;
    return host == "localhost" || host == "127.0.0.1";
}

Result<void> refuse(int connection, const char* status, std::string why) {
    sendAll(connection, std::string("HTTP/1.1 ") + status + "\r\nContent-Type: text/plain\r\nConnection: close\r\n" +
                            "Content-Length: " + std::to_string(why.size() + 1) + "\r\n\r\n" + why + "\n");
    return Failure{"a page was refused: " + why};
}

std::string acceptedKey(llvm::StringRef key) {
    llvm::SHA1 hash;
    hash.update(key);
    hash.update("258EAFA5-E914-47DA-95CA-C5AB0DC85B11"); // of RFC 6455, 1.3
    return llvm::encodeBase64(hash.final());
}

// ---- frames

enum Opcode : uint8_t { Continued = 0, Text = 1, Binary = 2, Close = 8, Ping = 9, Pong = 10 };

std::string frameOf(Opcode opcode, std::string_view payload) {
    std::string out(1, static_cast<char>(0x80 | opcode));
    auto number = [&](unsigned bytes) {
        for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(payload.size() >> 8 * i);
    };
    if (payload.size() < 126) {
        out += static_cast<char>(payload.size());
    } else if (payload.size() < 65536) {
        out += static_cast<char>(126);
        number(2);
    } else {
        out += static_cast<char>(127);
        number(8);
    }
    return out.append(payload);
}

struct WebFrame {
    bool isLast = false;
    uint8_t opcode = 0;
    std::string payload;
};

/// Cuts what a page sends into frames.
class WebDecoder {
public:
    void feed(std::string_view bytes) { buffer_.append(bytes); }
    bool isBroken() const { return isBroken_; }

    std::optional<WebFrame> next() {
        auto byte = [&](size_t i) { return static_cast<uint8_t>(buffer_[i]); };
        if (isBroken_ || buffer_.size() < 2) return std::nullopt;
        uint64_t size = byte(1) & 0x7f;
        size_t header = 2, wide = size == 126 ? 2 : size == 127 ? 8 : 0;
        if (buffer_.size() < header + wide + 4) return std::nullopt;
        if (wide != 0) size = 0;
        for (size_t i = 0; i < wide; ++i) size = size << 8 | byte(header++);
        bool isMasked = (byte(1) & 0x80) != 0; // as all that pages send
        isBroken_ = !isMasked || (byte(0) & 0x70) != 0 || size > FrameDecoder::MaxBody;
        if (isBroken_ || buffer_.size() < header + 4 + size) return std::nullopt;
        WebFrame frame{(byte(0) & 0x80) != 0, static_cast<uint8_t>(byte(0) & 15), buffer_.substr(header + 4, size)};
        for (size_t i = 0; i < size; ++i) frame.payload[i] = static_cast<char>(frame.payload[i] ^ byte(header + i % 4));
        buffer_.erase(0, header + 4 + size);
        return frame;
    }

private:
    std::string buffer_;
    bool isBroken_ = false;
};

/// The two directions of one page.
class Carrier {
public:
    Carrier(int page, int session) : page_(page), session_(session) {}

    void run(const std::atomic<bool>& isEnding) {
        for (bool goesOn = true; goesOn;) {
            pollfd all[] = {{page_, POLLIN, 0}, {session_, POLLIN, 0}};
            bool ends = isEnding; // whatever it has written is there then
            int ready = ::poll(all, 2, ends ? 0 : 50);
            if (ready == 0 && ends) break;
            if (all[1].revents != 0) goesOn = toPage();
            if (goesOn && all[0].revents != 0) goesOn = toSession();
        }
        std::string_view reason = isWrong_ ? "\x03\xea" : "\x03\xe8"; // 1002: against the protocol; 1000: in order
        sendAll(page_, frameOf(Close, reason));
    }

private:
    bool toPage() {
        char bytes[65536];
        ssize_t n = ::recv(session_, bytes, sizeof bytes, 0);
        if (n <= 0) return false;
        fromSession_.feed({bytes, static_cast<size_t>(n)});
        while (std::optional<std::string> body = fromSession_.next())
            if (!sendAll(page_, frameOf(Text, hasFraming_ ? frame(*body) : *body))) return false;
        return true;
    }

    bool toSession() {
        char bytes[65536];
        ssize_t n = ::recv(page_, bytes, sizeof bytes, 0);
        if (n <= 0) return end();
        fromPage_.feed({bytes, static_cast<size_t>(n)});
        while (std::optional<WebFrame> f = fromPage_.next())
            if (!take(*f)) return end();
        isWrong_ = fromPage_.isBroken();
        return !isWrong_ || end();
    }

    /// RFC 6455, 5.2 to 5.5.
    bool isLegal(const WebFrame& f) const {
        bool isControl = (f.opcode & 8) != 0;
        if (isControl) return f.opcode <= Pong && f.isLast && f.payload.size() < 126;
        return f.opcode <= Binary && (f.opcode == Continued) == isContinued_;
    }

    bool take(WebFrame& f) {
        isWrong_ = !isLegal(f);
        if (isWrong_ || f.opcode == Close) return false;
        if (f.opcode == Ping) return sendAll(page_, frameOf(Pong, f.payload));
        if (f.opcode == Pong) return true;
        isContinued_ = !f.isLast;
        message_ += f.payload;
        if (message_.size() > FrameDecoder::MaxBody) return false;
        if (!f.isLast) return true;
        std::string message = std::exchange(message_, {});
        if (llvm::StringRef(message).ltrim().starts_with("{")) {
            hasFraming_ = false;
            return sendAll(session_, frame(message));
        }
        hasFraming_ = true;
        return sendAll(session_, message);
    }

    /// The session hears that its client is gone.
    bool end() {
        ::shutdown(session_, SHUT_RDWR);
        return false;
    }

    int page_, session_;
    FrameDecoder fromSession_;
    WebDecoder fromPage_;
    std::string message_; ///< of which more is to come
    bool hasFraming_ = false;
    bool isContinued_ = false; ///< the next frame of data is more of the message
    bool isWrong_ = false;     ///< the page has sent what the protocol does not allow
};

} // namespace

std::string makeToken() {
    std::random_device random;
    std::string token;
    for (int i = 0; i < 4; ++i) {
        std::string word = llvm::utohexstr(random(), /*LowerCase=*/true);
        token += std::string(8 - word.size(), '0') + word;
    }
    return token;
}

bool isWebRequest(int connection) {
    char begin[4] = {};
    if (!isReadable(connection, -1)) return false;
    ssize_t n = ::recv(connection, begin, sizeof begin, MSG_PEEK | MSG_WAITALL);
    return n == sizeof begin && std::memcmp(begin, "GET ", sizeof begin) == 0;
}

Result<void> openWebSocket(int connection, const std::string& token) {
    std::optional<std::string> request = readRequest(connection);
    if (!request) return refuse(connection, "400 Bad Request", "the request is not complete");
    llvm::StringRef key = fieldOf(*request, "Sec-WebSocket-Key");
    if (!fieldOf(*request, "Upgrade").equals_insensitive("websocket") || key.empty())
        return refuse(connection, "426 Upgrade Required", "only WebSocket is spoken here");
    if (!isOfThisMachine(fieldOf(*request, "Origin")))
        return refuse(connection, "403 Forbidden", "pages of other sites may not debug programs");
    if (queryOf(*request, "token") != token)
        return refuse(connection, "403 Forbidden", "the token is not the one that was printed at start");
    sendAll(connection, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Accept: " +
                            acceptedKey(key) + "\r\n\r\n");
    return {};
}

WebSocketBridge::WebSocketBridge(int connection) : connection_(connection) {
    timeval patience{5, 0}; // seconds, for a page that reads no more
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_) != 0) return;
    carrier_ = std::thread([this] { Carrier(connection_, ends_[1]).run(isEnding_); });
}

WebSocketBridge::~WebSocketBridge() {
    isEnding_ = true;
    if (carrier_.joinable()) carrier_.join();
    close(ends_[1]);
    close(connection_);
}

} // namespace sx::debugger
