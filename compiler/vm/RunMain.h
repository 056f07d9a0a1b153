// Whole programs in the interpreter: `sx run --vm`.
#pragma once

#include "ir/Ir.h"

namespace sx::vm {

/// C functions that the process has but dlsym does not find.
using ForeignSymbols = std::vector<std::pair<std::string, void*>>;

/// Interprets a finished module from its entry, with the arguments (argv[0] included), and returns the exit code. A
/// run-time failure ends the process, as it does in compiled code. What prevents interpretation itself (a function that
/// is too large, a missing C function) is reported on stderr, with exit code 1.
int runMain(ir::Module&, const std::vector<std::string>& argv, const ForeignSymbols& = {});

} // namespace sx::vm
