// The C `main` around the program's one.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// C main: default context, exit codes, unhandled errors.
void buildEntry(Sema&);

} // namespace sx::lower
