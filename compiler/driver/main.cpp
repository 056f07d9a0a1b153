#include "driver/Commands.h"

#include <cstdio>

int main(int argc, char** argv) {
    std::string error;
    auto invocation = sx::driver::parseCommandLine({argv + 1, argv + argc}, error);
    if (!invocation) {
        std::fprintf(stderr, "error: %s\n", error.c_str());
        return 2;
    }
    return sx::driver::execute(*invocation);
}
