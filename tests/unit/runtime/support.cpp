#include "support.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

Frame::Frame(std::string func, std::string file, int32_t line, int32_t col, std::string text)
    : file_(std::move(file)), func_(std::move(func)), text_(std::move(text)) {
    frame = {str(file_), line, col, str(func_), str(text_)};
}

std::vector<uint64_t> framesInFlight() {
    std::vector<uint64_t> frames;
    for (uint32_t i = 0; i < sx_trace_len(); ++i) frames.push_back(sx_trace_frame_at(i));
    return frames;
}

sx_trace_chain chainAt(uint32_t chain) {
    sx_trace_chain out = {};
    sx_trace_chain_at(chain, &out);
    return out;
}

std::vector<uint64_t> framesOfChain(uint32_t chain) {
    sx_trace_chain info = chainAt(chain);
    std::vector<uint64_t> frames;
    for (uint32_t i = 0; i < info.surviving; ++i) { frames.push_back(sx_trace_frame_at(info.first + i)); }
    return frames;
}

void raiseChain(uint64_t first, uint64_t count) {
    sx_trace_raise(first);
    for (uint64_t i = 1; i < count; ++i) sx_trace_push(first + i);
}

std::string render(uint32_t style, bool color) {
    sx_trace_options options = {};
    options.style = style;
    options.color = color;
    std::string text(sx_trace_format(nullptr, 0, nullptr, &options), '\0');
    sx_trace_format(text.data(), text.size() + 1, nullptr, &options);
    return text;
}

Environment::Environment(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    wasSet_ = before != nullptr;
    if (wasSet_) before_ = before;
    if (value != nullptr) {
        setenv(name, value, 1);
    } else {
        unsetenv(name);
    }
}

Environment::~Environment() {
    if (wasSet_) {
        setenv(name_.c_str(), before_.c_str(), 1);
    } else {
        unsetenv(name_.c_str());
    }
}

Outcome runInChild(const std::function<void()>& body) {
    int ends[2];
    if (pipe(ends) != 0) abort();
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        // Catch2's handlers would report an abort() that the test is about.
        signal(SIGABRT, SIG_DFL);
        body();
        _exit(0);
    }
    close(ends[1]);
    Outcome outcome;
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) outcome.err.append(buffer, n);
    close(ends[0]);
    waitpid(child, &outcome.status, 0);
    return outcome;
}
