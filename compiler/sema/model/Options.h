// What an analysis is asked to do.
#pragma once

#include "source/Result.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sx::sema {

/// What a C unit includes, for a reader of headers.
struct HeaderRequest {
    std::vector<std::string> headers; ///< absolute paths, or names that the C compiler looks for in its own folders
    std::vector<std::string> options; ///< of the C compiler
};

struct Options {
    /// Keep the run-time checks that levels 2 and 3 may leave out; what runs while compiling has them.
    bool checks = true;
    bool checkAll = false;     ///< lower every non-generic function of the entry file
    bool checkModules = false; ///< the same for an entry file without `main`, which is a module
    bool checkOnly = false;    ///< nothing is made of the program: its code need not be there afterwards
    bool keepScopes = false;   ///< bodies can be asked about afterwards (lower/Question.h)
    bool keepUses = false;     ///< note what names stand for (Sema::uses)
    bool warnings = true;      ///< look for what deserves one
    bool warningsAreErrors = false;
    bool traceValues = false;              ///< frames show what the parameters of their functions hold
    bool requireMain = true;               ///< `run` and `build`
    std::vector<std::string> tests;        ///< what the program runs instead of `main`: functions of the entry file
    std::vector<std::string> libraryRoots; ///< folders that contain `modules/`
    std::string workingDirectory;          ///< absolute
    size_t maxErrors = 20;
    /// Called before what compile-time code has printed is written.
    std::function<void()> beforeOutput;
    /// What headers declare, as declarations of the language. Unset: no header can be read.
    std::function<Result<std::string>(const HeaderRequest&)> readHeaders;
    /// `#run` code takes the build step over (library/modules/compiler.sx). Unset: there is no build.
    std::function<Result<std::string>()> emitObject; ///< gives the path of the program's object
    std::function<Result<void>()> linkNoted;         ///< links what the notes say
};

} // namespace sx::sema
