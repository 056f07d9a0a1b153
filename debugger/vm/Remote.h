// A program that waits for a debugger: `sx run --vm --debug-listen`, and the other end of it.
#pragma once

#include "debugger/vm/Process.h"

#include <functional>

namespace sx::debugger {

/// What both ends have to agree on.
struct RemoteProgram {
    std::string file, cwd; ///< of the source file, as it was given, and where relative paths begin
    int optLevel = 0;
    uint64_t hash = 0; ///< of the sources and of the compiler
    bool checks = true;
    std::string test{};                      ///< that it runs; "": its `main`
    std::vector<std::string> libraryPaths{}; ///< where it looks for libraries of C
    int process = 0;                         ///< its number for this process; 0: it is none of those that this one sees
};

/// Changes with every source of a checked program, and with the compiler.
uint64_t hashOf(const Program&);

/// Waits for a debugger on a port of this machine (0: any; it is told on standard error), then runs the program under
/// it. Fails if it cannot listen.
Result<void> runForRemote(Program&, const StartRequest&, uint16_t port);

/// The same the other way round, for a program that an adapter has had started in a terminal: it connects to the
/// adapter's port, and ends with its session. `token`: a word by which the adapter knows it.
Result<void> runForAdapter(Program&, const StartRequest&, uint16_t port, const std::string& token);
/// What the adapter waits at for such a program.
struct Doorway {
    int listener = -1;
    uint16_t port = 0;
    std::string token;
};
Result<Doorway> openDoorway();
/// Waits for the program. Closes the doorway. `await` waits until a descriptor is readable; false: no longer.
Result<VmProcess> acceptProgram(Doorway&, RemoteProgram& what, const std::function<bool(int descriptor)>& await);

/// Connects to a waiting program. `what` says what it is: the caller compiles the same, and compares.
Result<VmProcess> connectRemote(const std::string& address, RemoteProgram& what);

} // namespace sx::debugger
