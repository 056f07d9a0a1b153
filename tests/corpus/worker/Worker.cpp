#include "Worker.h"

#include "Request.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace corpus {

namespace {

constexpr unsigned CommandsOfAProcess = 50; ///< a command leaves up to 10 MB behind

} // namespace

bool Worker::start() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    for (int& file : files_) file = memfd_create("sx-worker", MFD_CLOEXEC);
    process_ = fork();
    if (process_ == 0) {
        // Out of the way of the descriptors that the process is given.
        int from[4] = {open("/dev/null", O_RDONLY), files_[0], files_[1], ends[1]};
        for (int& fd : from) fd = fcntl(fd, F_DUPFD_CLOEXEC, 10);
        for (int i = 0; i < 4; ++i) dup2(from[i], i);
        rlimit noCore{0, 0};
        setrlimit(RLIMIT_CORE, &noCore);
        for (const char* name : {"SX_TRACE", "SX_TRACE_COLOR", "SX_TRACE_VALUES", "NO_COLOR", "SX_STDLIB_PATH"})
            unsetenv(name);
        // A heap of huge pages, where the system has them: fresh pages are most of what a command costs.
        setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432", 1);
        execl(program_.c_str(), program_.c_str(), nullptr);
        _exit(127);
    }
    close(ends[1]);
    socket_ = ends[0];
    commands_ = 0;
    return process_ > 0;
}

int Worker::stop() {
    for (int* fd : {&socket_, &files_[0], &files_[1]}) {
        if (*fd >= 0) close(*fd);
        *fd = -1;
    }
    int status = 0;
    if (process_ > 0)
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
    process_ = -1;
    return status;
}

std::string Worker::textOf(int file) {
    std::string text(static_cast<size_t>(lseek(file, 0, SEEK_END)), '\0');
    if (pread(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) text.clear();
    return text;
}

Result Worker::run(const std::vector<std::string>& args, const std::string& folder, int timeoutSeconds,
                   unsigned processorSeconds) {
    Result r;
    if (process_ > 0 && commands_ >= CommandsOfAProcess) stop();
    if (process_ < 0 && !start()) {
        r.exit = -1;
        return r;
    }
    ++commands_;
    for (int file : files_)
        if (ftruncate(file, 0) == 0) lseek(file, 0, SEEK_SET);
    std::string words = folder + '\0';
    for (const std::string& a : args) words += a + '\0';
    RequestHeader header{static_cast<uint32_t>(words.size()), processorSeconds};
    words.insert(0, reinterpret_cast<const char*>(&header), sizeof header);
    // The socket has room for it: a request is short. Of a process that has died the read says so.
    (void)send(socket_, words.data(), words.size(), MSG_NOSIGNAL);
    pollfd ready = {socket_, POLLIN, 0};
    int32_t status = 0;
    r.timedOut = poll(&ready, 1, timeoutSeconds * 1000) == 0;
    if (r.timedOut) kill(process_, SIGKILL);
    bool isAnswered = !r.timedOut && read(socket_, &status, sizeof status) == sizeof status;
    r.out = textOf(files_[0]);
    r.err = textOf(files_[1]);
    r.exit = status;
    if (isAnswered) return r;
    int end = stop();
    r.signalled = WIFSIGNALED(end);
    r.exit = r.signalled ? 128 + WTERMSIG(end) : WEXITSTATUS(end);
    return r;
}

} // namespace corpus
