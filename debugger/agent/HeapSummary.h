// `sx graph`.
#pragma once

#include "driver/CommandLine.h"

namespace sx::debugger {

/// Prints the summary of the heap in a file that a debugger has exported, or how two differ. Returns the exit status: 1
/// if a file is none, 2 if one cannot be read.
int showHeaps(const driver::Invocation&);

} // namespace sx::debugger
