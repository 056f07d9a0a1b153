// A program that waits for a debugger: `sx run --vm --debug-listen`, and the other end of it.
#pragma once

#include "debugger/vm/Process.h"

namespace sx::debugger {

/// What both ends have to agree on.
struct RemoteProgram {
    std::string file, cwd; ///< of the source file, as it was given, and where relative paths begin
    int optLevel = 0;
    uint64_t hash = 0; ///< of the sources and of the compiler
};

/// Changes with every source of a checked program, and with the compiler.
uint64_t hashOf(const Program&);

/// Waits for a debugger on a port of this machine (0: any; it is told on standard error), then runs the program under
/// it. Fails if it cannot listen.
Result<void> runForRemote(Program&, const StartRequest&, uint16_t port);

/// Connects to a waiting program. `what` says what it is: the caller compiles the same, and compares.
Result<VmProcess> connectRemote(const std::string& address, RemoteProgram& what);

} // namespace sx::debugger
