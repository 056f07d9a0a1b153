// Which tests there are: the files of `sx test`, and the functions in them.
#pragma once

#include "driver/CommandLine.h"

#include <cstdint>

namespace sx::driver {

struct TestPlace {
    std::string name;
    uint32_t line = 0, col = 0; ///< 1-based, of its name; `col` counts bytes
};

struct TestFile {
    std::string path;
    std::vector<TestPlace> tests; ///< those that the filters let through, in the order of the file
    bool parses = true;           ///< false: it is compiled for its diagnostics
};

/// The files that an invocation of `sx test` names, those in its folders that have tests, or those below the current
/// folder. Tells of functions that look like tests and are none. Fails where a file cannot be read or has no tests, and
/// where there are none at all.
Result<std::vector<TestFile>> findTests(const Invocation&);

} // namespace sx::driver
