// `sx run --record` and `sx run --replay`: programs that are recorded, or run again from a recording.
#pragma once

#include "driver/CommandLine.h"
#include "ir/ForeignCode.h"
#include "ir/Ir.h"

namespace sx::driver {

/// The invocation that was recorded, with the program that `in` names or else the recording's own, whose folder becomes
/// the current one. Fails where the file is no recording that can be read.
Result<Invocation> replayedInvocation(const Invocation& in);

/// Interprets the program as `vm::runMain` does, while it is recorded or replayed, and gives the exit code.
Result<int> runTaped(const Invocation&, ir::Module&, ir::ForeignLoader);

} // namespace sx::driver
