#include "debugger/adapter/Listener.h"

#include "debugger/adapter/Guardian.h"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::debugger {

namespace {

bool isLoopback(const sockaddr* address) {
    if (address->sa_family == AF_INET)
        return (ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24) == 127;
    if (address->sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
    return false;
}

} // namespace

Result<int> openListener(const AdapterOptions& options) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    std::string port = std::to_string(options.port);
    if (int e = getaddrinfo(options.host.c_str(), port.c_str(), &hints, &found))
        return Failure{"there is no address " + code(options.host) + ": " + gai_strerror(e)};
    std::string problem = "there is no address " + code(options.host);
    int listener = -1;
    for (addrinfo* a = found; a && listener < 0; a = a->ai_next) {
        if (!options.allowRemote && !isLoopback(a->ai_addr)) {
            problem = code(options.host) + " can be reached from outside, and whoever connects may run programs; "
                                           "give `--allow-remote` if that is wanted";
            continue;
        }
        int s = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int on = 1;
        setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (s >= 0 && bind(s, a->ai_addr, a->ai_addrlen) == 0 && listen(s, 16) == 0) {
            listener = s;
        } else {
            problem = "cannot listen on " + code(options.host + ":" + port) + ": " + std::strerror(errno);
            if (s >= 0) close(s);
        }
    }
    freeaddrinfo(found);
    if (listener < 0) return Failure{problem};
    return listener;
}

uint16_t portOf(int listener) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<sockaddr_in6*>(&address)->sin6_port);
    return ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

void acceptSessions(int listener, const std::function<int(int, int, Spare)>& serve) {
    std::map<int, int> lives; // of each guardian the end of a pipe that this process holds
    for (;;) {
        pollfd p{listener, POLLIN, 0};
        ::poll(&p, 1, 500);
        for (int pid; (pid = waitpid(-1, nullptr, WNOHANG)) > 0;) {
            close(lives[pid]);
            lives.erase(pid);
        }
        if (!(p.revents & POLLIN)) continue;
        int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) continue;
        int on = 1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        int life[2];
        if (pipe2(life, O_CLOEXEC) != 0) {
            close(connection);
            continue;
        }
        int guardian = startGuarded(life[0], [&](int guarded, Spare spare) {
            close(listener);
            close(life[1]);
            for (auto [pid, end] : lives) close(end);
            return serve(connection, guarded, std::move(spare));
        });
        close(connection);
        close(life[0]);
        if (guardian > 0) lives[guardian] = life[1];
        else close(life[1]);
    }
}

} // namespace sx::debugger
