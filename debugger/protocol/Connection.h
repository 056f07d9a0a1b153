// The two ends of a client: bytes in, bytes out, nothing of it ever waits.
#pragma once

#include "debugger/protocol/Framing.h"

#include <deque>
#include <string>

namespace sx::debugger {

struct ClientStreams {
    int in = -1, out = -1;
};

/// Makes two descriptors (which may be one) those of a protocol alone, under other numbers, which are the caller's.
/// From now on this process reads nothing from its standard input, prints to standard error only, and outlives a client
/// that reads no more.
ClientStreams takeStreams(int in, int out);

class Connection {
public:
    /// Takes over both descriptors (they may be one). They are left blocking: other processes may share them.
    Connection(int in, int out);
    ~Connection();
    Connection(const Connection&) = delete;

    /// The input has ended, too, once this descriptor of the caller's polls as hung up.
    void endWith(int life) { life_ = life; }

    int inDescriptor() const { return in_; }
    int lifeDescriptor() const { return life_; } ///< -1: there is none
    int outDescriptor() const { return out_; }

    /// Reads what has arrived, without waiting. False: the input has ended or framing is beyond repair.
    bool receive();
    /// The next body, if one is complete.
    std::optional<std::string> next() { return decoder_.next(); }
    /// Why the connection is useless; empty: it has ended in order.
    const std::string& framingError() const { return decoder_.error(); }
    bool ended() const { return ended_; }

    /// Puts a body into the queue of what is to be written, and writes what can be written without waiting.
    void send(std::string_view body);
    /// Writes more of the queue, without waiting.
    void flush();
    /// Writes the whole queue, as long as the client reads; gives up when it reads nothing for ten seconds, or for one
    /// where whoever holds `life` is gone.
    void flushAll();
    /// What another process needs that goes on with this connection. Asked in a signal's handler.
    std::string_view unsent() const { return std::string_view(queue_).substr(written_); }
    std::string_view unread() const { return decoder_.rest(); }
    std::optional<size_t> awaited() const { return decoder_.awaited(); }
    /// Goes on with one: `unread` begins with the header of a body that is not whole.
    void inherit(std::string unsent, std::string_view unread) {
        queue_ = std::move(unsent);
        decoder_.feed(unread);
    }

    /// Bytes that wait for the client to read.
    size_t queued() const { return queue_.size() - written_; }

private:
    bool writeSome();
    int in_, out_, life_ = -1;
    FrameDecoder decoder_;
    bool ended_ = false;
    bool broken_ = false; ///< nobody reads any more
    std::string queue_;
    size_t written_ = 0;
};

} // namespace sx::debugger
