// `sx doc`.
#pragma once

#include "driver/CommandLine.h"

namespace sx::driver {

/// Shows the library's modules, one of them, a file, or a name; or writes pages. Returns the exit status: 2 if there is
/// nothing of that name.
int showDocuments(const Invocation&);

} // namespace sx::driver
