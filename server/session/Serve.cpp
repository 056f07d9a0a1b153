#include "server/session/Serve.h"

#include "server/session/Server.h"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::server {

namespace {

int serve(int in, int out) {
    debugger::ClientStreams own = debugger::takeStreams(in, out);
    debugger::Connection connection(own.in, own.out);
    return Server(connection).serve();
}

int openLoopback(uint16_t port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(listener, 16) == 0)
        return listener;
    std::fprintf(stderr, "error: cannot listen on port %u: %s\n", port, std::strerror(errno));
    close(listener);
    return -1;
}

int serveConnections(uint16_t wanted) {
    int listener = openLoopback(wanted);
    if (listener < 0) return 1;
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    std::printf("listening on 127.0.0.1:%u\n", ntohs(address.sin_port));
    std::fflush(stdout);
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) continue;
        int on = 1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (fork() == 0) {
            signal(SIGCHLD, SIG_DFL);
            close(listener);
            _exit(serve(connection, connection));
        }
        close(connection);
    }
}

} // namespace

int serveLanguage(std::optional<uint16_t> port) {
    return port ? serveConnections(*port) : serve(STDIN_FILENO, STDOUT_FILENO);
}

} // namespace sx::server
