// Running a command and collecting what it prints.
#pragma once

#include <string>
#include <vector>

namespace corpus {

struct Result {
    std::string out, err;
    int exit = 0; ///< as a shell shows it: 128 plus the signal for a process that died of one
    bool timedOut = false;
    bool signalled = false;
};

/// Runs argv in `directory` with an empty standard input and without colour or trace settings in the environment.
Result runProcess(const std::vector<std::string>& argv, const std::string& directory, int timeoutSeconds = 20);

} // namespace corpus
