// `sx new`.
#pragma once

#include "driver/CommandLine.h"

namespace sx::driver {

/// Makes a folder with a small project: a program, a test, a launch configuration. Returns the exit status: 2 for a
/// name that cannot be one or is taken, 1 if something cannot be written.
int makeProject(const Invocation&);

} // namespace sx::driver
