#include "debugger/vm/Remote.h"

#include "debugger/vm/Agent.h"
#include "debugger/vm/Wire.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sx::debugger {

namespace {

/// Both connections begin with it.
constexpr uint64_t Greeting = 0x73782d6465627567; // "sx-debug"

uint64_t combine(uint64_t hash, std::string_view text) {
    return (hash ^ llvm::xxh3_64bits(llvm::StringRef(text.data(), text.size()))) * 0x9E3779B97F4A7C15;
}

sockaddr_in loopback(uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

void sendAtOnce(int socket) {
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// Accepts connections until one greets.
int acceptDebugger(int listener) {
    for (;;) {
        int s = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (s < 0 && errno != EINTR) return -1;
        if (s < 0) continue;
        timeval limit{5, 0};
        setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        std::optional<std::string> hello = receiveMessage(s);
        if (hello && WireReader(*hello).get<uint64_t>() == Greeting) {
            timeval none{0, 0};
            setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none);
            sendAtOnce(s);
            return s;
        }
        close(s);
    }
}

} // namespace

uint64_t hashOf(const Program& program) {
    uint64_t hash = combine(0, SX_VERSION);
    for (size_t i = 0; i < program.sources.fileCount(); ++i)
        hash = combine(hash, program.sources.text(static_cast<FileId>(i)));
    // Another build of the same version may number things otherwise: it shows in how many there are.
    return combine(hash, std::to_string(program.module.functions.size()) + " " + std::to_string(program.types.size()));
}

namespace {

/// Numbers of processes are those of a namespace: which one this process is in; 0: the system does not say.
uint64_t processNamespace() {
    struct stat found {};
    return stat("/proc/self/ns/pid", &found) == 0 ? found.st_ino : 0;
}

std::string helloOf(const Program& program) {
    WireWriter hello;
    hello.put(program.options.file)
        .put(program.options.workingDirectory)
        .put(program.options.optLevel)
        .put(hashOf(program))
        .put(static_cast<uint8_t>(program.options.checks.value_or(true)))
        .put(program.options.tests.empty() ? std::string() : program.options.tests.front())
        .put(getpid())
        .put(processNamespace());
    for (const std::string& path : program.options.libraryPaths) hello.put(path);
    return hello.bytes();
}

void readHello(const std::string& hello, RemoteProgram& what) {
    WireReader r(hello);
    what.file = r.text();
    what.cwd = r.text();
    what.optLevel = r.get<int>();
    what.hash = r.get<uint64_t>();
    what.checks = r.get<uint8_t>() != 0;
    what.test = r.text();
    what.process = r.get<int>();
    if (r.get<uint64_t>() != processNamespace()) what.process = 0;
    what.libraryPaths.clear();
    for (std::string path = r.text(); !path.empty(); path = r.text()) what.libraryPaths.push_back(path);
}

int connectTo(uint16_t port) {
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to = loopback(port);
    if (s >= 0 && connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) {
        sendAtOnce(s);
        return s;
    }
    if (s >= 0) close(s);
    return -1;
}

} // namespace

Result<void> runForAdapter(Program& program, const StartRequest& request, uint16_t port, const std::string& token) {
    int control = connectTo(port), events = control < 0 ? -1 : connectTo(port);
    std::string problem = "no debug adapter waits at 127.0.0.1:" + std::to_string(port);
    if (events < 0 || !sendMessage(control, token) || !sendMessage(control, helloOf(program)) ||
        !sendMessage(events, token))
        return Failure{problem};
    runAgent(program, request, control, events);
}

Result<Doorway> openDoorway() {
    Doorway d;
    d.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    uint64_t random[2] = {};
    if (d.listener < 0 || bind(d.listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        listen(d.listener, 4) != 0 || getentropy(random, sizeof random) != 0)
        return Failure{std::string("no socket for the program: ") + std::strerror(errno)};
    getsockname(d.listener, reinterpret_cast<sockaddr*>(&address), &size);
    d.port = ntohs(address.sin_port);
    d.token = llvm::utohexstr(random[0]) + llvm::utohexstr(random[1]);
    return d;
}

Result<VmProcess> acceptProgram(Doorway& d, RemoteProgram& what, const std::function<bool(int descriptor)>& await) {
    VmProcess process;
    std::optional<std::string> hello;
    while (process.events < 0) {
        if (!await(d.listener)) break;
        int s = accept4(d.listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (s < 0) continue;
        timeval limit{5, 0}, none{0, 0};
        setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        std::optional<std::string> token = receiveMessage(s);
        if (!token || *token != d.token) {
            close(s);
            continue;
        }
        if (process.control < 0) hello = receiveMessage(s);
        (process.control < 0 ? process.control : process.events) = s;
        setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof none);
        sendAtOnce(s);
    }
    close(d.listener);
    d.listener = -1;
    if (process.events < 0 || !hello) {
        closeConnections(process);
        return Failure{"the program did not start in the client's terminal"};
    }
    readHello(*hello, what);
    process.number = what.process;
    return process;
}

Result<void> runForRemote(Program& program, const StartRequest& request, uint16_t port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address = loopback(port);
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener, 4) != 0)
        return Failure{"cannot listen on 127.0.0.1:" + std::to_string(port) + ": " + std::strerror(errno)};
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    std::fprintf(stderr, "waiting for a debugger on 127.0.0.1:%u\n", ntohs(address.sin_port));
    int control = acceptDebugger(listener);
    if (control < 0 || !sendMessage(control, helloOf(program))) return Failure{"the debugger has gone"};
    int events = acceptDebugger(listener);
    close(listener);
    runAgent(program, request, control, events, true);
}

Result<VmProcess> connectRemote(const std::string& address, RemoteProgram& what) {
    auto [host, portText] = llvm::StringRef(address).rsplit(':');
    uint16_t port = 0;
    if (portText.getAsInteger(10, port) || (host != "127.0.0.1" && host != "localhost"))
        return Failure{"`connect` has to be 127.0.0.1:PORT, not " + code(address)};
    auto open = [&]() -> int {
        int s = connectTo(port);
        if (s < 0 || sendMessage(s, WireWriter().put(Greeting).bytes())) return s;
        close(s);
        return -1;
    };
    VmProcess process;
    process.control = open();
    if (process.control < 0)
        return Failure{"nothing waits for a debugger at " + code(address) + ": " + std::strerror(errno)};
    std::optional<std::string> hello = receiveMessage(process.control);
    process.events = hello ? open() : -1;
    if (process.events < 0) {
        closeConnections(process);
        return Failure{"what listens at " + code(address) + " is no program that waits for a debugger"};
    }
    readHello(*hello, what);
    process.number = what.process;
    return process;
}

} // namespace sx::debugger
