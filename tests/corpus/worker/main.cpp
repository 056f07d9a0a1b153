// sx-worker: the compiler's commands one after the other in one process, for tests that give thousands of them. A start
// of `sx` is most of what a short command costs.
//
// Takes requests (Request.h) from a socket, runs each as `sx ARGUMENTS` would in its folder, and answers with the exit
// status. What the command prints goes to descriptors 1 and 2, which are files of the caller's. Ends with its input. A
// compilation lives as long as the process, so the caller asks for a new one now and then.
#include "Request.h"

#include "driver/Job.h"
#include "driver/Report.h"

#include <cerrno>
#include <cstdio>
#include <sys/time.h>
#include <unistd.h>

namespace {

bool readAll(void* to, size_t size) {
    auto* at = static_cast<char*>(to);
    while (size > 0) {
        ssize_t n = read(corpus::Caller, at, size);
        if (n <= 0 && errno != EINTR) return false;
        if (n <= 0) continue;
        at += n;
        size -= static_cast<size_t>(n);
    }
    return true;
}

int runCommand(const std::vector<std::string>& args) {
    sx::Result<sx::driver::Invocation> invocation = sx::driver::parseCommandLine(args);
    if (!invocation) {
        sx::driver::printError(invocation.error());
        return 2;
    }
    // A job refers to its invocation, and its compilation outlives it.
    auto& in = *new sx::driver::Invocation(*invocation);
    return sx::driver::Job(in).run();
}

/// The process dies of SIGPROF where a command takes longer.
void limitProcessorTime(uint32_t seconds) {
    itimerval limit{{0, 0}, {static_cast<time_t>(seconds), 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
}

} // namespace

int main() {
    for (corpus::RequestHeader header; readAll(&header, sizeof header);) {
        std::string bytes(header.size, '\0');
        if (!readAll(bytes.data(), bytes.size())) return 1;
        std::vector<std::string> words;
        for (size_t at = 0; at < bytes.size(); at += words.back().size() + 1) words.emplace_back(bytes.c_str() + at);
        if (words.empty() || chdir(words.front().c_str()) != 0) return 1;
        words.erase(words.begin());
        limitProcessorTime(header.processorSeconds);
        int32_t status = runCommand(words);
        limitProcessorTime(0);
        std::fflush(nullptr);
        if (write(corpus::Caller, &status, sizeof status) != sizeof status) return 1;
    }
    return 0;
}
