// Loading a program: compiling it, choosing the engine, opening its streams.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// Loads what the arguments of `launch` or `attach` (Session::attached) say; the program stands before its first
/// statement then. Diagnostics go to the client on the way.
Result<void> loadProgram(Session&, Arguments&);

} // namespace sx::debugger
