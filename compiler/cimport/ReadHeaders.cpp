#include "cimport/ReadHeaders.h"

#include "source/Installation.h"
#include "source/Paths.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace sx::cimport {

namespace {

constexpr const char* Reader = "sx-cimport";

/// One output of the reader.
struct Pipe {
    int ends[2] = {-1, -1};
    std::string content;

    Pipe() {
        if (pipe(ends) != 0) ends[0] = ends[1] = -1;
    }
    ~Pipe() {
        closeEnd(0);
        closeEnd(1);
    }
    Pipe(const Pipe&) = delete;
    void closeEnd(int which) {
        if (ends[which] >= 0) close(std::exchange(ends[which], -1));
    }
    /// False at the end.
    bool take() {
        char buffer[16384];
        ssize_t got = read(ends[0], buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) return true;
        if (got > 0) content.append(buffer, static_cast<size_t>(got));
        else closeEnd(0);
        return got > 0;
    }
};

/// Starts the reader with its output and its messages going into the pipes. An error number, or 0.
int start(const std::string& path, std::vector<std::string> words, Pipe& out, Pipe& messages, pid_t& child) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (auto [pipe, target] : {std::pair{&out, 1}, {&messages, 2}}) {
        posix_spawn_file_actions_addclose(&actions, pipe->ends[0]);
        posix_spawn_file_actions_adddup2(&actions, pipe->ends[1], target);
        posix_spawn_file_actions_addclose(&actions, pipe->ends[1]);
    }
    int failed = posix_spawn(&child, path.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    out.closeEnd(1);
    messages.closeEnd(1);
    return failed;
}

void drain(Pipe& out, Pipe& messages) {
    while (out.ends[0] >= 0 || messages.ends[0] >= 0) {
        pollfd waiting[] = {{out.ends[0], POLLIN, 0}, {messages.ends[0], POLLIN, 0}};
        if (poll(waiting, 2, -1) < 0 && errno != EINTR) return;
        if (waiting[0].revents != 0) out.take();
        if (waiting[1].revents != 0) messages.take();
    }
}

} // namespace

Result<std::string> readHeaders(const std::vector<std::string>& headers, const std::vector<std::string>& options) {
    std::string path = joinPath(ownFolder(), Reader);
    if (access(path.c_str(), X_OK) != 0)
        return Failure{"C headers cannot be read: " + code(Reader) +
                       " is not beside the compiler, which is built where the package `libclang-19-dev` is installed"};
    std::vector<std::string> words{path};
    words.insert(words.end(), headers.begin(), headers.end());
    words.push_back("--");
    words.insert(words.end(), options.begin(), options.end());
    Pipe out, messages;
    pid_t child = 0;
    if (int failed = start(path, std::move(words), out, messages, child); failed != 0)
        return Failure{"cannot start " + code(path) + ": " + std::strerror(failed)};
    drain(out, messages);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::move(out.content);
    if (WIFEXITED(status) && !messages.content.empty()) return Failure{messages.content};
    return Failure{"the reader of C headers failed"};
}

} // namespace sx::cimport
