#include "debugger/adapter/Succession.h"

#include "debugger/adapter/LeftBreakpoints.h"
#include "debugger/session/Session.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace sx::debugger {

namespace {

constexpr int Broken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// What the handler needs, made beforehand: it may ask for no memory.
struct Prepared {
    int process = 0;
    Connection* connection = nullptr;
    const Session* session = nullptr;
    std::vector<char*> arguments; ///< of the successor; the last one is `number`
    char number[16] = "";
    Handover handover;
    alignas(16) char stack[size_t{64} << 10]; ///< where the main thread has none left
};
Prepared prepared;

void put(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t written = write(file, bytes.data(), bytes.size());
        if (written <= 0) return;
        bytes.remove_prefix(static_cast<size_t>(written));
    }
}

template <class T> std::string_view bytesOf(const T& record) {
    return {reinterpret_cast<const char*>(&record), sizeof record};
}

void keepOpen(int descriptor) {
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, 0);
}

constexpr int MostDescriptors = 1024;

void keepSockets() {
    struct stat about {};
    for (int d = STDERR_FILENO + 1; d < MostDescriptors; ++d)
        if (fstat(d, &about) == 0 && S_ISSOCK(about.st_mode)) keepOpen(d);
}

/// The first thread that comes here is the one; a crash in here ends the process.
void handOver(int signal) {
    if (getpid() != prepared.process) { // one that this has started, and that is no adapter
        ::signal(signal, SIG_DFL);
        raise(signal);
        return;
    }
    static std::atomic_flag isUnderWay;
    if (isUnderWay.test_and_set()) {
        for (;;) pause();
    }
    for (int s : Broken) ::signal(s, SIG_DFL);
    Handover& h = prepared.handover;
    const Connection& connection = *prepared.connection;
    h.signal = signal;
    h.in = connection.inDescriptor();
    h.out = connection.outDescriptor();
    h.life = connection.lifeDescriptor();
    h.session = prepared.session->record();
    char header[64] = "";
    std::string_view unsent = connection.unsent(), unread = connection.unread();
    if (std::optional<size_t> length = connection.awaited())
        std::snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", *length);
    h.unsent = unsent.size();
    h.unread = std::string_view(header).size() + unread.size();
    int file = memfd_create("sx-dap", 0);
    put(file, bytesOf(h));
    h.open = 0;
    prepared.session->listOpen([&](const OpenRequest& open) {
        put(file, bytesOf(open));
        ++h.open;
    });
    for (std::string_view bytes : {unsent, std::string_view(header), unread}) put(file, bytes);
    lseek(file, 0, SEEK_SET);
    put(file, bytesOf(h)); // with the number of requests
    lseek(file, 0, SEEK_SET);
    if (h.session.isAttached) keepSockets(); // while the server of lldb has a client it holds the program
    std::snprintf(prepared.number, sizeof prepared.number, "%d", file);
    for (int descriptor : {h.in, h.out, h.life}) keepOpen(descriptor);
    execv("/proc/self/exe", prepared.arguments.data());
    _exit(128 + signal);
}

bool readAll(int file, void* into, size_t size) {
    for (auto* at = static_cast<char*>(into); size > 0;) {
        ssize_t n = read(file, at, size);
        if (n <= 0) return false;
        at += n, size -= static_cast<size_t>(n);
    }
    return true;
}

} // namespace

void beginSuccession(char** arguments, Connection& connection, const Session& session) {
    for (; *arguments && std::string_view(*arguments) != SuccessionOption; ++arguments)
        prepared.arguments.push_back(*arguments);
    static char option[32];
    std::snprintf(option, sizeof option, "%s", SuccessionOption);
    prepared.arguments.insert(prepared.arguments.end(), {option, prepared.number, nullptr});
    prepared.process = getpid();
    prepared.connection = &connection;
    prepared.session = &session;
    stack_t stack{};
    stack.ss_sp = prepared.stack;
    stack.ss_size = sizeof prepared.stack;
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = handOver;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (int signal : Broken) sigaction(signal, &action, nullptr);
}

std::optional<Inheritance> readInheritance(int descriptor) {
    Inheritance left;
    Handover& h = left.about;
    bool isThere = readAll(descriptor, &h, sizeof h);
    if (isThere) {
        left.open.resize(h.open);
        left.unsent.resize(h.unsent);
        left.unread.resize(h.unread);
        isThere = readAll(descriptor, left.open.data(), h.open * sizeof(OpenRequest)) &&
                  readAll(descriptor, left.unsent.data(), h.unsent) &&
                  readAll(descriptor, left.unread.data(), h.unread);
    }
    if (isThere && h.session.isAttached && h.session.hasProgram) takeOutBreakpoints(h.session.process);
    for (int d = STDERR_FILENO + 1; d < MostDescriptors; ++d) {
        bool isOurs = isThere && (d == h.in || d == h.out || d == h.life);
        if (isOurs) fcntl(d, F_SETFD, FD_CLOEXEC);
        else close(d);
    }
    return isThere ? std::optional(std::move(left)) : std::nullopt;
}

} // namespace sx::debugger
