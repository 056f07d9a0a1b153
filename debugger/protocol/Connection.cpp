#include "debugger/protocol/Connection.h"

#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace sx::debugger {

namespace {

/// Waits until the descriptor is ready for `events`, at most `milliseconds`.
bool ready(int descriptor, short events, int milliseconds) {
    pollfd p{descriptor, events, 0};
    int n;
    do n = ::poll(&p, 1, milliseconds);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

} // namespace

ClientStreams takeStreams(int in, int out) {
    constexpr int BeyondStandard = 10;
    signal(SIGPIPE, SIG_IGN);
    ClientStreams own;
    own.in = fcntl(in, F_DUPFD_CLOEXEC, BeyondStandard);
    own.out = in == out ? own.in : fcntl(out, F_DUPFD_CLOEXEC, BeyondStandard);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (in > STDERR_FILENO) close(in);
    return own;
}

Connection::Connection(int in, int out) : in_(in), out_(out) {}

Connection::~Connection() {
    close(in_);
    if (out_ != in_) close(out_);
}

bool Connection::receive() {
    char bytes[65536];
    if (!ended_ && life_ >= 0 && ready(life_, 0, 0)) ended_ = true;
    while (!ended_ && ready(in_, POLLIN, 0)) {
        ssize_t n = read(in_, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) ended_ = true;
        else decoder_.feed({bytes, static_cast<size_t>(n)});
        if (n < static_cast<ssize_t>(sizeof bytes)) break;
    }
    return !ended_ && decoder_.error().empty();
}

/// A pipe that polls as writable takes PIPE_BUF bytes without waiting; so does a socket.
bool Connection::writeSome() {
    if (broken_ || queued() == 0 || !ready(out_, POLLOUT, 0)) return false;
    ssize_t n = write(out_, queue_.data() + written_, std::min<size_t>(queued(), PIPE_BUF));
    if (n < 0 && errno == EINTR) return true;
    if (n < 0) {
        broken_ = true;
        queue_.clear();
        written_ = 0;
        return false;
    }
    written_ += static_cast<size_t>(n);
    if (written_ == queue_.size() || written_ > (size_t{1} << 20)) {
        queue_.erase(0, written_);
        written_ = 0;
    }
    return true;
}

void Connection::flush() {
    while (writeSome()) {}
}

void Connection::flushAll() {
    constexpr std::chrono::seconds Patience{10}, LastPatience{1};
    using Clock = std::chrono::steady_clock;
    auto progress = Clock::now();
    while (queued() > 0) {
        bool isGone = life_ >= 0 && ready(life_, 0, 0);
        if (Clock::now() - progress >= (isGone ? LastPatience : Patience)) return;
        if (!ready(out_, POLLOUT, 100)) continue;
        if (!writeSome()) return;
        progress = Clock::now();
    }
}

void Connection::send(std::string_view body) {
    if (broken_) return;
    queue_ += frame(body);
    flush();
}

} // namespace sx::debugger
