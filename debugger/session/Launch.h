// Loading a program: compiling it, choosing the engine, opening its streams.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// Loads what the arguments of `launch` or `attach` (Session::attached) say; the program stands before its first
/// statement then. Diagnostics go to the client on the way.
Result<void> loadProgram(Session&, Arguments&);

/// Whether the source of the program that is debugged compiles as it is now; what it says goes to the client if not.
/// The session's program stays. One that was built before, or is known by its debug information alone, is taken for
/// one that does.
Result<void> checkAgain(Session&);

} // namespace sx::debugger
