// `sx fmt`.
#pragma once

#include "driver/CommandLine.h"

namespace sx::driver {

/// Formats the files of the invocation, and the `.sx` files in its folders. Returns the exit status: 1 if a file does
/// not parse, or differs from its formatted text under `--check` or `--diff`; 2 if one cannot be read or written.
int formatFiles(const Invocation&);

} // namespace sx::driver
