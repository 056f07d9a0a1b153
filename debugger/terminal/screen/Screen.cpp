#include "debugger/terminal/screen/Screen.h"

#include "debugger/terminal/commands/Commands.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <deque>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>

namespace sx::terminal {

namespace {

/// Signals as a descriptor, so that the loop sees them in its turn.
class Signals {
public:
    Signals() {
        sigset_t set;
        sigemptyset(&set);
        for (int s : {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP}) sigaddset(&set, s);
        sigprocmask(SIG_BLOCK, &set, &before_);
        descriptor_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    ~Signals() {
        close(descriptor_);
        sigprocmask(SIG_SETMASK, &before_, nullptr);
    }
    Signals(const Signals&) = delete;

    int descriptor() const { return descriptor_; }
    /// The next one that has arrived; 0: none.
    int next() {
        signalfd_siginfo info;
        return read(descriptor_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
    }

private:
    sigset_t before_{};
    int descriptor_ = -1;
};

/// Does what signals say. Returns the one that ends the debugger; 0: none.
int takeSignals(Screen& s, Signals& signals) {
    int end = 0;
    for (int n; (n = signals.next()) != 0;) {
        if (n == SIGWINCH || n == SIGTSTP) ++s.resizes;
        if (n == SIGWINCH) s.terminal.resized();
        else if (n == SIGTSTP) s.terminal.suspend();
        else if (n == SIGINT && s.debuggee.state == State::Running) carryOut(s, "pause");
        else if (n != SIGINT) end = n;
    }
    return end;
}

/// Tells a stop in the output, once.
void announce(Screen& s) {
    Debuggee& d = s.debuggee;
    if (d.client.isClosed() && !std::exchange(s.isClosedTold, true)) {
        s.output.say("the debug adapter has ended; `q` leaves", Style::Error);
        s.isAnnounced = true;
    }
    if (d.state == State::Running) s.isAnnounced = false;
    if (s.isAnnounced || (d.state != State::Stopped && d.state != State::Ended)) return;
    s.isAnnounced = true;
    s.output.say(stopText(d), Style::Plain);
}

/// Waits for a key, a signal or the adapter; at most so long, -1: for ever.
void waitForAny(Screen& s, Signals& signals, int milliseconds) {
    bool isClosed = s.debuggee.client.isClosed();
    pollfd all[] = {{STDIN_FILENO, POLLIN, 0},
                    {signals.descriptor(), POLLIN, 0},
                    {isClosed ? -1 : s.debuggee.client.descriptor(), POLLIN, 0}};
    ::poll(all, 3, milliseconds);
    if (all[0].revents & (POLLHUP | POLLERR)) s.isQuitting = true; // the terminal is gone
    s.debuggee.client.wait(0);
}

} // namespace

Screen::Screen(Debuggee& debuggee, Terminal& terminal) : debuggee(debuggee), terminal(terminal) {
    slots[0].panes = {&source, &code, &memory};
    slots[1].panes = {&stack, &threads, &breakpoints};
    slots[2].panes = {&values, &registers};
    slots[3].panes = {&output};
}

namespace {

/// What has happened outside since the last time, in order: events, keys, lines
/// that are still to be carried out.
void takeAll(Screen& s, std::deque<std::string>& lines) {
    takeEvents(s.debuggee);
    announce(s);
    for (Key key = s.terminal.key(); key.kind != Key::Kind::None && !s.isQuitting; key = s.terminal.key()) {
        press(s, key);
        takeEvents(s.debuggee);
        announce(s);
    }
    while (!lines.empty() && s.debuggee.state != State::Running && !s.isQuitting) {
        std::string line = lines.front();
        lines.pop_front();
        carryOut(s, line);
        takeEvents(s.debuggee);
        announce(s);
    }
}

} // namespace

int runScreen(Debuggee& d, Terminal& terminal, const std::vector<std::string>& first) {
    Signals signals;
    Screen s(d, terminal);
    int ended = 0;
    d.onOutput = [&s](const std::string& category, const std::string& text) {
        s.output.append(text, category == "stderr" ? Style::Error : category == "console" ? Style::Dim : Style::Plain);
    };
    d.client.whileWaiting = [&] {
        if (ended == 0) ended = takeSignals(s, signals);
        if (ended != 0) return Waiting::Abandon;
        return terminal.isInterrupted() ? Waiting::Cancel : Waiting::GoOn;
    };
    draw(s);
    std::deque<std::string> lines(first.begin(), first.end());
    using Clock = std::chrono::steady_clock;
    Clock::time_point last{};
    while (ended == 0) {
        takeAll(s, lines);
        if (s.isQuitting || ended != 0) break;
        bool isSoon = d.state == State::Running && Clock::now() - last < std::chrono::milliseconds(30);
        if (!isSoon) {
            // While it draws it may wait for the adapter, and the size may change.
            for (unsigned before = s.resizes - 1; before != s.resizes && ended == 0;) {
                before = s.resizes;
                draw(s);
            }
            last = Clock::now();
        }
        if (ended == 0) waitForAny(s, signals, isSoon ? 40 : -1);
        if (int end = takeSignals(s, signals); end != 0) ended = end;
    }
    d.client.whileWaiting = nullptr;
    d.onOutput = [](auto&, auto&) {};
    return ended == 0 ? 0 : 128 + ended;
}

} // namespace sx::terminal
