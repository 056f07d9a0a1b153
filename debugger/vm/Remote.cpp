#include "debugger/vm/Remote.h"

#include "debugger/vm/Agent.h"
#include "debugger/vm/Wire.h"

#include "llvm/Support/xxhash.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
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
    WireWriter hello;
    hello.put(program.options.file)
        .put(program.options.workingDirectory)
        .put(program.options.optLevel)
        .put(hashOf(program));
    if (control < 0 || !sendMessage(control, hello.bytes())) return Failure{"the debugger has gone"};
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
        int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in to = loopback(port);
        if (s >= 0 && connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0 &&
            sendMessage(s, WireWriter().put(Greeting).bytes())) {
            sendAtOnce(s);
            return s;
        }
        if (s >= 0) close(s);
        return -1;
    };
    VmProcess process;
    process.control = open();
    if (process.control < 0)
        return Failure{"nothing waits for a debugger at " + code(address) + ": " + std::strerror(errno)};
    std::optional<std::string> hello = receiveMessage(process.control);
    process.events = hello ? open() : -1;
    if (process.events < 0) {
        close(process.control);
        return Failure{"what listens at " + code(address) + " is no program that waits for a debugger"};
    }
    WireReader r(*hello);
    what.file = r.text();
    what.cwd = r.text();
    what.optLevel = r.get<int>();
    what.hash = r.get<uint64_t>();
    return process;
}

} // namespace sx::debugger
