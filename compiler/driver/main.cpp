#include "driver/Job.h"
#include "driver/Report.h"

int main(int argc, char** argv) {
    sx::Result<sx::driver::Invocation> invocation = sx::driver::parseCommandLine({argv + 1, argv + argc});
    if (!invocation) {
        sx::driver::printError(invocation.error());
        return 2;
    }
    return sx::driver::Job(*invocation).run();
}
