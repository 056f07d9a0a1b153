// The engine that runs the program in the interpreter, in a process of its own that begins as a copy of this one.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/program/Program.h"
#include "debugger/vm/Process.h"

#include <memory>

namespace sx::debugger {

/// `program` has been checked, and lives longer than the engine.
std::unique_ptr<Engine> makeVmEngine(Program& program);

/// For one that waits elsewhere on this machine (Remote.h), and that `program` was found equal to.
std::unique_ptr<Engine> makeVmEngine(Program& program, const VmProcess& connected, bool stopOnEntry);

} // namespace sx::debugger
