#include "debugger/terminal/client/Adapter.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

extern char** environ;

namespace sx::terminal {

Result<AdapterEnds> startAdapter(const std::string& executable, const std::vector<std::string>& options, bool quiet) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0) return Failure{std::string("no pipes are left: ") + std::strerror(errno)};
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return Failure{std::string("no pipes are left: ") + std::strerror(errno)};
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, out[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, in[1], STDOUT_FILENO);
    if (quiet) posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
    std::vector<char*> argv{const_cast<char*>(executable.c_str())};
    for (const std::string& option : options) argv.push_back(const_cast<char*>(option.c_str()));
    argv.push_back(nullptr);
    pid_t pid = 0;
    int problem = posix_spawn(&pid, executable.c_str(), &files, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(out[0]);
    close(in[1]);
    if (problem == 0) return AdapterEnds{in[0], out[1]};
    close(in[0]);
    close(out[1]);
    return Failure{"cannot start the debug adapter " + code(executable) + ": " + std::strerror(problem)};
}

Result<AdapterEnds> connectAdapter(const std::string& address) {
    size_t colon = address.rfind(':');
    std::string host = colon == std::string::npos ? "127.0.0.1" : address.substr(0, colon);
    std::string port = colon == std::string::npos ? address : address.substr(colon + 1);
    unsigned number = 0; // `getaddrinfo` takes larger ones modulo 65,536
    auto [stop, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (error != std::errc() || *stop != '\0' || number == 0 || number > 65535)
        return Failure{"the port of " + code(address) + " has to be a number from 1 to 65535"};
    if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    if (int e = getaddrinfo(host.c_str(), port.c_str(), &hints, &found))
        return Failure{"there is no address " + code(address) + ": " + gai_strerror(e)};
    int connected = -1, problem = 0;
    for (addrinfo* a = found; a && connected < 0; a = a->ai_next) {
        int s = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (s >= 0 && connect(s, a->ai_addr, a->ai_addrlen) == 0) {
            connected = s;
        } else {
            problem = errno;
            if (s >= 0) close(s);
        }
    }
    freeaddrinfo(found);
    if (connected < 0) return Failure{"cannot connect to " + code(address) + ": " + std::strerror(problem)};
    int on = 1;
    setsockopt(connected, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return AdapterEnds{connected, connected};
}

} // namespace sx::terminal
