#include "driver/Job.h"
#include "driver/Recordings.h"
#include "driver/Report.h"

#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdio>
#include <new>
#include <unistd.h>

namespace {

/// Where nothing else can be done: one line, and the exit status of a failure. Other threads may run, and the heap may
/// be used up.
[[noreturn]] void giveUp(const char* prefix, const char* reason) {
    std::fprintf(stderr, "error: %s%s\n", prefix, reason);
    std::fflush(stdout);
    _exit(1);
}

void tellOfFailures() {
    std::set_new_handler([] { giveUp("", "out of memory"); });
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { giveUp("", "out of memory"); });
    llvm::install_fatal_error_handler([](void*, const char* reason, bool) { giveUp("code generation: ", reason); });
}

} // namespace

int main(int argc, char** argv) {
    tellOfFailures();
    sx::Result<sx::driver::Invocation> invocation = sx::driver::parseCommandLine({argv + 1, argv + argc});
    if (!invocation) {
        sx::driver::printError(invocation.error());
        return 2;
    }
    if (!invocation->replay.empty()) {
        invocation = sx::driver::replayedInvocation(*invocation);
        if (!invocation) {
            sx::driver::printError(invocation.error());
            return 1;
        }
    }
    // A limit on sizes of files (`ulimit -f`) is then a reason why something cannot be written.
    if (invocation->command == sx::driver::Command::Build) std::signal(SIGXFSZ, SIG_IGN);
    return sx::driver::Job(*invocation).run();
}
