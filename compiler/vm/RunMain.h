// Whole programs in the interpreter: `sx run --vm`.
#pragma once

#include "ir/ForeignCode.h"
#include "ir/Ir.h"

#include <functional>

namespace sx::vm {

class DebugHooks;
struct Recording;
class Tape;

/// C functions that the process has but dlsym does not find.
using ForeignSymbols = std::vector<std::pair<std::string, void*>>;

/// Interprets a finished module from its entry, with the arguments (argv[0] included), and gives the exit code. A
/// run-time failure ends the process, as it does in compiled code. Fails with what prevents interpretation itself: a
/// function that is too large, a missing C function. `report` is told of that where it happens in a thread that C has
/// started: the process ends there. A debugger is told of what happens. `foreign` loads the C code of the program.
/// With `recording` and a debugger it keeps its history there. With a tape, which needs a `recording` as well, it is
/// recorded or replayed.
Result<int> runMain(ir::Module&, const std::vector<std::string>& argv, std::function<void(const std::string&)> report,
                    const ForeignSymbols& = {}, DebugHooks* debugger = nullptr, ir::ForeignLoader foreign = {},
                    Recording* recording = nullptr, Tape* tape = nullptr);

} // namespace sx::vm
