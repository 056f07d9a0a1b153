// `sx sym`.
#pragma once

#include "driver/Compilation.h"

namespace sx::driver {

/// Writes the symbol file of an executable, checks a file, or prints code with the names of one, as the options say.
/// Returns the exit status; nothing where FILE is a program that has to be compiled first.
std::optional<int> describeFile(const Invocation&);

/// The same for a program that was compiled: of its bytecode.
int describeProgram(Compilation&);

} // namespace sx::driver
