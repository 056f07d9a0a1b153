// The C `main` around the program's one, or around its tests.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// C main: default context, exit codes, unhandled errors. Where Options::tests names some, it calls the one that the
/// runtime has chosen (runtime/program/test.h) instead of the program's `main`.
void buildEntry(Sema&);

} // namespace sx::lower
