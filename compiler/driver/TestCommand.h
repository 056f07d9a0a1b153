// `sx test`.
#pragma once

#include "driver/CommandLine.h"

namespace sx::driver {

/// Runs the tests that the invocation names. Returns the exit status: 1 if one failed or a file does not compile, 2 if
/// there are none or a file cannot be read.
int runTests(const Invocation&);

} // namespace sx::driver
