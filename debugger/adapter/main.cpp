// `sx-dap`, the debug adapter: options, and a session on standard input and output or on a socket.
#include "debugger/adapter/Guardian.h"
#include "debugger/adapter/Listener.h"
#include "debugger/adapter/Options.h"
#include "debugger/adapter/Succession.h"
#include "debugger/adapter/WebSocket.h"
#include "debugger/session/Foreign.h"
#include "debugger/session/Session.h"
#include "debugger/session/Terminal.h"
#include "source/Heap.h"
#include "source/Installation.h"
#include "source/Signals.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace sx;
using namespace sx::debugger;

namespace {

char** arguments = nullptr; ///< of this program

SessionOptions sessionOptions(const AdapterOptions& options, std::shared_ptr<const Formatters> formatters) {
    FILE* log = options.log.empty() ? stderr : std::fopen(options.log.c_str(), "ae");
    SessionOptions session;
    session.log = [log](const std::string& line) {
        if (!log) return;
        std::fprintf(log, "sx dap: %s\n", line.c_str());
        std::fflush(log);
    };
    session.compiler = ownFolder() + "/sx";
    session.engineFolder = ownFolder();
    session.formatters = std::move(formatters);
    return session;
}

/// The process ends some time after its client is gone, whatever it does then: what reads a damaged program may never
/// come back.
void endAfterClient(int in, int life) {
    constexpr std::chrono::seconds Patience{20}; // it tells what is left to tell, and lets go of programs
    std::thread([=] {
        pollfd all[] = {{in, POLLRDHUP, 0}, {life, 0, 0}};
        while (::poll(all, std::size(all), -1) < 0 && errno == EINTR) {}
        std::this_thread::sleep_for(Patience);
        _exit(1);
    }).detach();
}

/// Sees to it that the process ends when it should, and not before. `mayCrash`: a successor can go on with the session.
void prepare(Connection& connection, const Session& session, bool mayCrash = true) {
    endAfterClient(connection.inDescriptor(), connection.lifeDescriptor());
    if (mayCrash) beginSuccession(arguments, connection, session);
}

/// A session on two descriptors. See GuardedWork of `life` and `spare`.
int serve(SessionOptions options, int in, int out, int life, Spare spare, bool mayCrash = true) {
    keepFreedMemory();
    ClientStreams own = takeStreams(in, out);
    options.spare = std::move(spare);
    Connection connection(own.in, own.out);
    connection.endWith(life);
    Session session(connection, std::move(options));
    prepare(connection, session, mayCrash);
    return session.serve();
}

/// Goes on with the session of a process that has crashed, whose place this one has taken. What it has spared its
/// guardian knows.
int succeed(const AdapterOptions& options, std::shared_ptr<const Formatters> formatters) {
    std::optional<Inheritance> left = readInheritance(options.handover);
    if (!left) return 1;
    const Handover& about = left->about;
    Connection connection(about.in, about.out);
    connection.endWith(about.life);
    connection.inherit(std::move(left->unsent), left->unread);
    Session session(connection, sessionOptions(options, std::move(formatters)));
    prepare(connection, session);
    std::string at = left->open.empty() ? "" : " at the request " + code(asUtf8(left->open.front().command));
    session.succeed(about.session, left->open,
                    "the debugger itself has crashed" + at + " (" + signalName(about.signal) + ")" +
                        (about.session.hasProgram ? ": this session of the program is over" : ""));
    return session.serve();
}

/// A session with a page.
int servePage(const AdapterOptions& options, std::shared_ptr<const Formatters> formatters, int connection,
              const std::string& token, int life, Spare spare) {
    if (Result<void> opened = openWebSocket(connection, token); !opened) {
        std::fprintf(stderr, "sx dap: %s\n", opened.error().c_str());
        return 1;
    }
    WebSocketBridge bridge(connection); // works in a thread of this process
    return serve(sessionOptions(options, std::move(formatters)), bridge.session(), bridge.session(), life,
                 std::move(spare), /*mayCrash=*/false);
}

int serveStandardStreams(const AdapterOptions& options, const std::shared_ptr<const Formatters>& formatters) {
    int life[2];
    if (pipe2(life, O_CLOEXEC) != 0) return 1;
    int guardian = startGuarded(life[0], [&](int guarded, Spare spare) {
        close(life[1]);
        return serve(sessionOptions(options, formatters), STDIN_FILENO, STDOUT_FILENO, guarded, std::move(spare));
    });
    close(life[0]);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    return guardian < 0 ? 1 : waitFor(guardian);
}

int serveConnections(const AdapterOptions& options, const std::shared_ptr<const Formatters>& formatters) {
    Result<int> listener = openListener(options);
    if (!listener) {
        std::fprintf(stderr, "error: %s\n", listener.error().c_str());
        return 1;
    }
    bool isV6 = options.host.find(':') != std::string::npos;
    std::string shown = options.host == "localhost" ? "127.0.0.1" : isV6 ? "[" + options.host + "]" : options.host;
    std::printf("listening on %s:%u\n", shown.c_str(), portOf(*listener));
    std::string token = options.webSocket ? makeToken() : "";
    if (options.webSocket) std::printf("token %s\n", token.c_str());
    std::fflush(stdout);
    acceptSessions(*listener, [&](int connection, int life, Spare spare) {
        if (options.webSocket && isWebRequest(connection))
            return servePage(options, formatters, connection, token, life, std::move(spare));
        return serve(sessionOptions(options, formatters), connection, connection, life, std::move(spare));
    });
}

/// Why the file cannot be written; empty: it can, and is there now.
std::string problemOfLog(const std::string& path) {
    int file = path.empty() ? -1 : open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0) return path.empty() ? "" : std::strerror(errno);
    close(file);
    return "";
}

} // namespace

int main(int argc, char** argv) {
    arguments = argv;
    Result<AdapterOptions> options = parseOptions(std::vector<std::string>(argv + 1, argv + argc));
    if (!options) {
        std::fprintf(stderr, "error: %s\n", options.error().c_str());
        return 2;
    }
    if (options->help) {
        std::fputs(adapterHelp().c_str(), stdout);
        return 0;
    }
    if (std::string problem = problemOfLog(options->log); !problem.empty()) {
        std::fprintf(stderr, "error: cannot write %s: %s\n", code(options->log).c_str(), problem.c_str());
        return 1;
    }
    if (!options->terminal.empty()) return serveTerminal(options->terminal);
    Result<std::shared_ptr<const Formatters>> formatters = loadFormatters(options->formatters);
    if (!formatters) {
        std::fprintf(stderr, "error: %s\n", formatters.error().c_str());
        return 2;
    }
    if (options->handover >= 0) return succeed(*options, *formatters);
    return options->listen ? serveConnections(*options, *formatters) : serveStandardStreams(*options, *formatters);
}
