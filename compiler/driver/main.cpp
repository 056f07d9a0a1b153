#include "driver/Commands.h"
#include "driver/Report.h"

int main(int argc, char** argv) {
    std::string error;
    auto invocation = sx::driver::parseCommandLine({argv + 1, argv + argc}, error);
    if (!invocation) {
        sx::driver::printError(error);
        return 2;
    }
    return sx::driver::execute(*invocation);
}
