// What each command does. Every function returns the exit status of `sx`.
#pragma once

#include "driver/CommandLine.h"

namespace sx::driver {

int execute(const Invocation&);

} // namespace sx::driver
