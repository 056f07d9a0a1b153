// What an analysis is asked to do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sx::sema {

struct Options {
    /// Keep the run-time checks that levels 2 and 3 may leave out; what runs while compiling has them.
    bool checks = true;
    bool checkAll = false;     ///< lower every non-generic function of the entry file
    bool checkModules = false; ///< the same for an entry file without `main`, which is a module
    bool keepScopes = false;   ///< bodies can be asked about afterwards (lower/Question.h)
    bool warnings = true;      ///< look for what deserves one
    bool warningsAreErrors = false;
    bool traceValues = false;              ///< frames show what the parameters of their functions hold
    bool requireMain = true;               ///< `run` and `build`
    std::vector<std::string> libraryRoots; ///< folders that contain `modules/`
    std::string workingDirectory;          ///< absolute
    size_t maxErrors = 20;
};

} // namespace sx::sema
