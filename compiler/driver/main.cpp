#include "driver/Job.h"
#include "driver/Recordings.h"
#include "driver/Report.h"

#include <csignal>

int main(int argc, char** argv) {
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
