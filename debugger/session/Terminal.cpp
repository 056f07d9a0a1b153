#include "debugger/session/Terminal.h"

#include "debugger/engine/Signals.h"
#include "debugger/session/LongWork.h"
#include "debugger/vm/Remote.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

Result<void> askForTerminal(Session& s, const std::string& console, const std::string& title, Array command,
                            const StartRequest& start) {
    if (!s.client.runInTerminal) return Failure{"the client cannot run programs in a terminal"};
    Object environment;
    for (const auto& [name, value] : start.environment)
        environment[name] = value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
    Object arguments{{"kind", console == "externalTerminal" ? "external" : "integrated"},
                     {"title", title},
                     {"cwd", start.cwd},
                     {"args", std::move(command)}};
    if (!environment.empty()) arguments["env"] = std::move(environment);
    return s.askClient("runInTerminal", std::move(arguments));
}

// ---- the adapter's end

namespace {

constexpr char Interrupt = 'i', Quit = 'q', End = 'e', LetGo = 'd'; ///< the number of a process and a line's end follow

/// A line, as far as it comes in some seconds.
std::string lineFrom(int socket) {
    std::string line;
    char c = 0;
    while (line.size() < 256) {
        pollfd p{socket, POLLIN, 0};
        if (::poll(&p, 1, 5000) <= 0 || read(socket, &c, 1) != 1 || c == '\n') break;
        line += c;
    }
    return line;
}

/// Waits for who knows the token. Returns the connection and the process; -1: nobody comes.
std::pair<int, int> acceptTerminal(Session& s, const Doorway& door) {
    constexpr std::chrono::seconds Patience{20};
    LongWork work(s, "waiting for the terminal");
    for (;;) {
        if (s.waitFor(work, door.listener, Patience) != Waited::Ready) return {-1, 0};
        int c = accept4(door.listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (c < 0) continue;
        std::string line = lineFrom(c);
        auto [token, pid] = llvm::StringRef(line).split(' ');
        int number = 0;
        if (token == door.token && !pid.getAsInteger(10, number)) return {c, number};
        ::close(c);
    }
}

/// The variables of a process, in front of those that are there.
void takeEnvironment(int pid, StartRequest& start) {
    auto file = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(pid) + "/environ");
    if (!file) return;
    std::vector<std::pair<std::string, std::optional<std::string>>> all;
    llvm::SmallVector<llvm::StringRef> entries;
    (*file)->getBuffer().split(entries, '\0', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef entry : entries) {
        auto [name, value] = entry.split('=');
        all.emplace_back(name.str(), value.str());
    }
    start.environment.insert(start.environment.begin(), all.begin(), all.end());
}

} // namespace

Result<void> Terminal::open(Session& s, const std::string& console, const std::string& title, StartRequest& start) {
    Result<Doorway> door = openDoorway();
    if (!door) return door.failure();
    Array command{s.options.compiler, "dap", "--in-terminal", std::to_string(door->port) + ":" + door->token};
    Result<void> asked = askForTerminal(s, console, title, std::move(command), start);
    auto [connection, pid] = asked ? acceptTerminal(s, *door) : std::pair(-1, 0);
    ::close(door->listener);
    if (!asked) return asked;
    if (connection < 0) return Failure{s.cancelled() ? Cancelled : "nothing was started in the client's terminal"};
    connection_ = connection;
    start.stdio.resize(std::max<size_t>(start.stdio.size(), 3), -1);
    for (int i = 0; i < 3; ++i) {
        std::string path = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(i);
        int stream = ::open(path.c_str(), (i == 0 ? O_RDONLY : O_WRONLY) | O_NOCTTY | O_CLOEXEC);
        if (stream < 0) return Failure{std::string("the client's terminal cannot be opened: ") + std::strerror(errno)};
        streams_.push_back(stream);
        start.stdio[static_cast<size_t>(i)] = stream;
    }
    takeEnvironment(pid, start);
    return {};
}

void Terminal::started() {
    for (int stream : streams_) ::close(stream);
    streams_.clear();
}

int Terminal::next() {
    pollfd p{connection_, POLLIN, 0};
    if (connection_ < 0 || ::poll(&p, 1, 0) <= 0) return 0;
    char c = 0;
    return read(connection_, &c, 1) == 1 ? c : -1;
}

void Terminal::close(bool ended) {
    started();
    if (connection_ < 0) return;
    if (ended) { [[maybe_unused]] ssize_t sent = write(connection_, &End, 1); }
    ::close(connection_);
    connection_ = -1;
}

void Terminal::letRunOn(int pid) {
    if (connection_ < 0) return;
    std::string message = LetGo + std::to_string(pid) + "\n";
    [[maybe_unused]] ssize_t sent = write(connection_, message.data(), message.size());
    close(/*ended=*/false);
}

/// What is typed in a terminal is a signal for the program and for what it has started. `pid`: the program.
static void passOn(Session& s, int signal, int pid) {
    if (pid <= 1 || (s.phase != Phase::Running && s.phase != Phase::Stopped)) return;
    bool isPause = signal == SIGINT && s.phase == Phase::Running && !isExpected(pid, signal);
    if (isPause) return void(s.engine->pause());
    ::kill(getpgid(pid) == pid ? -pid : pid, signal);
}

void handleTerminal(Session& s) {
    if (!s.terminal) return;
    int what = s.terminal->next();
    int pid = s.engine && s.phase != Phase::Ended ? s.engine->processId() : 0;
    if (what == Interrupt) passOn(s, SIGINT, pid);
    if (what == Quit) passOn(s, SIGQUIT, pid);
    if (what >= 0) return;
    s.terminal->close(false);
    if (pid > 0) s.engine->kill();
}

// ---- the other end

namespace {

volatile int adapter = -1;
volatile int program = 0; ///< that lives on without an adapter

void tellAdapter(int signal) {
    [[maybe_unused]] ssize_t sent = write(adapter, signal == SIGINT ? &Interrupt : &Quit, 1);
}

void tellProgram(int signal) {
    int before = errno;
    if (program > 1) kill(program, signal);
    errno = before;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

/// Waits for the end of a process that is no child.
void outlast(int pid) {
    constexpr int BetweenLooks = 200; // milliseconds, where the system does not tell of it
    auto descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    while (kill(pid, 0) == 0 || errno == EPERM) {
        pollfd p{descriptor, POLLIN, 0};
        if (::poll(&p, descriptor < 0 ? 0 : 1, descriptor < 0 ? BetweenLooks : -1) > 0) return;
    }
}

} // namespace

int serveTerminal(const std::string& address) {
    auto [portText, token] = llvm::StringRef(address).split(':');
    uint16_t port = 0;
    if (portText.getAsInteger(10, port)) return 2;
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(port);
    std::string hello = token.str() + " " + std::to_string(getpid()) + "\n";
    if (s < 0 || connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0 ||
        write(s, hello.data(), hello.size()) != static_cast<ssize_t>(hello.size()))
        return 1;
    adapter = s;
    handle(SIGINT, tellAdapter);
    handle(SIGQUIT, tellAdapter);
    signal(SIGPIPE, SIG_IGN);
    char c = 0;
    ssize_t n;
    do n = read(s, &c, 1);
    while (n < 0 && errno == EINTR);
    int pid = 0;
    if (n != 1 || c != LetGo || llvm::StringRef(lineFrom(s)).getAsInteger(10, pid) || pid <= 1)
        return n == 1 && c == End ? 0 : 1;
    program = pid;
    for (int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM}) handle(signal, tellProgram);
    outlast(pid);
    return 0;
}

} // namespace sx::debugger
